"""How results show in a notebook: their text, escaped, and not without end."""

import html

from compiler.analysis.text_format.visible_text import visible
from compiler.model.capture.counted import counted

_MOST_LINES = 400


def as_html(text: str, rest: str = "print it to see all") -> str:
    """Preformatted text; of a long one the beginning, and how to see the rest."""
    lines = text.split("\n")
    left = len(lines) - _MOST_LINES
    if left > 0:
        lines = [*lines[:_MOST_LINES], f"… {counted(left, 'more line')}: {rest}"]
    style = "white-space: pre; line-height: 1.25; overflow-x: auto"
    return f'<pre style="{style}">{html.escape(visible(chr(10).join(lines)))}</pre>'
