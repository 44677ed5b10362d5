"""Text of programs and files as it is: what a screen hides, or turns around, is written out."""

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control and format characters (bidirectional overrides, zero widths), separators of lines, and what is no character."""
_LONGEST_TIP = 4000


def visible(text: str) -> str:
    """The text with line ends and tabs, and every other character that has no picture of its own as ``⟨U+202E⟩``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in _HIDDEN else f"⟨U+{ord(char):04X}⟩"
        for char in text
    )


def hides_something(text: str) -> bool:
    """Whether it has a character that `visible` writes out."""
    return not (text.isascii() and text.isprintable()) and visible(text) != text


def visible_line(text: str) -> str:
    """The same in one line: a line's end is seen as ``⏎``."""
    if text.isascii() and text.isprintable():
        return text
    return visible(text.replace("\r\n", "\n")).replace("\n", "⏎").replace("\t", " ")
