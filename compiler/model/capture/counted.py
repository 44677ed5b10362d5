"""Numbers with their words, and lists that are cut short."""

from collections.abc import Sequence, Sized


def counted(number: int, word: str) -> str:
    """``1 kernel``, ``2 kernels``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def first_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """``relu, sum and 5 more``."""
    return " ".join((between.join(names[:most]), *more_than(most, names)))


def more_than(shown: int, things: Sized) -> tuple[str, ...]:
    """The last line of a list that is cut short: ``and 5 more``; none where all are shown."""
    return (f"and {len(things) - shown} more",) if len(things) > shown else ()
