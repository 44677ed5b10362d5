"""Numbers that stand in texts of files and programs, which may say anything: ``²`` is a digit to Python and no number to it,
and of 5,000 digits it makes none at all.
"""

_MOST_DIGITS = 18
"""As many as fit into 64 bits."""


def is_number(text: str) -> bool:
    """Whether `int` takes it, as one that is not negative."""
    return len(text) <= _MOST_DIGITS and text.isascii() and text.isdecimal()
