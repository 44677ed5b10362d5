"""One line on a terminal that says what is going on, and is gone afterwards."""

import time
from typing import TextIO

from compiler.analysis.text_format.visible_text import visible_line
from compiler.command_line.plain_streams import AsItIs

_CLEARED = AsItIs("\r\x1b[K")


class TerminalLine:
    """Says nothing where it would stay: in a file, a pipe."""

    def __init__(self, stream: TextIO, every: float, quiet: bool = False) -> None:
        """`every`: seconds between two changes."""
        self._stream, self._every = stream, every
        self._shown = not quiet and stream.isatty()
        self._there = False
        self._at = time.monotonic()

    def show(self, text: str) -> None:
        """Say this, unless something was said just now."""
        if self._shown and time.monotonic() - self._at > self._every:
            self._at, self._there = time.monotonic(), True
            self._stream.write(_CLEARED)
            self._stream.write(f"loupe: {visible_line(text)}")
            self._stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._there:
            self._there = False
            self._stream.write(_CLEARED)
            self._stream.flush()
