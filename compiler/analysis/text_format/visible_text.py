"""Text of programs and files as it is: what a screen hides, or turns around, is written out."""

import re
import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control and format characters (bidirectional overrides, zero widths), separators of lines, and what is no character."""
_NOT_PLAIN = re.compile(r"[^\x20-\x7e\n\t]")
_EMPTY = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
)
"""Letters, signs and marks by their category, of which nothing is seen: fillers, variation selectors, the empty Braille pattern."""
_CHOOSE_A_PICTURE = "\ufe0e\ufe0f"


def visible(text: str) -> str:
    """The text with line ends and tabs, and every other character that has no picture of its own as ``⟨U+202E⟩``."""
    if text.isascii() and text.isprintable():
        return text
    return _NOT_PLAIN.sub(_seen, text)


def _seen(found: re.Match[str]) -> str:
    char, start = found[0], found.start()
    if (
        char in _CHOOSE_A_PICTURE
    ):  # of a sign before it; behind a letter it makes another name that looks the same
        before = found.string[max(start - 1, 0) : start]
        hidden = before.isalnum() or before == "_"
    else:
        hidden = unicodedata.category(char) in _HIDDEN or char in _EMPTY
    return f"⟨U+{ord(char):04X}⟩" if hidden else char


def hides_something(text: str) -> bool:
    """Whether it has a character that `visible` writes out."""
    return not (text.isascii() and text.isprintable()) and visible(text) != text


def visible_line(text: str) -> str:
    """The same in one line: a line's end is seen as ``⏎``."""
    if text.isascii() and text.isprintable():
        return text
    return visible(text.replace("\r\n", "\n")).replace("\n", "⏎").replace("\t", " ")
