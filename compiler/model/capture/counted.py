"""Numbers with their words, and lists that are cut short."""

from collections.abc import Sequence


def counted(number: int, word: str) -> str:
    """``1 kernel``, ``2 kernels``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def first_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """``relu, sum and 5 more``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more
