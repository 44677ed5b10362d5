"""Output for programs."""

import json
import re
from typing import TextIO

import msgspec

from compiler.analysis.text_format.visible_text import visible

_HIDDEN = re.compile(r"[^\x20-\x7e]")


def print_json(value: object, stream: TextIO | None = None) -> None:
    """One line of JSON, on standard output unless a stream is given. What a terminal would obey is escaped, as JSON can."""
    print(_HIDDEN.sub(_escaped, msgspec.json.encode(value).decode()), file=stream)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if visible(char) == char:
        return char
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]
