"""Ranks as people name them: ``0–6, 8–63``."""

from collections.abc import Iterable

from compiler.model.ir.ids import is_number


def ranks_text(ranks: Iterable[str]) -> str:
    """Numbers that follow each other as one range, in rising order; other names after them."""
    names = list(ranks)
    numbers = sorted({int(name) for name in names if is_number(name)})
    parts: list[str] = []
    begin = 0
    for index, number in enumerate(numbers):
        if index + 1 < len(numbers) and numbers[index + 1] == number + 1:
            continue
        first = numbers[begin]
        far = number - first > 1
        parts += [f"{first}–{number}"] if far else [str(each) for each in numbers[begin : index + 1]]
        begin = index + 1
    return ", ".join((*parts, *(name for name in names if not is_number(name))))


def rank_order(rank: str) -> tuple[int, str]:
    """Sorts rank 2 before rank 10."""
    return (int(rank) if is_number(rank) else 1 << 30), rank


def who(ranks: tuple[str, ...]) -> str:
    """``rank 7``, ``ranks 0 and 1``, ``ranks 0–6, 8``."""
    if len(ranks) == 2:
        return f"ranks {' and '.join(sorted(ranks, key=rank_order))}"
    return f"rank{'' if len(ranks) == 1 else 's'} {ranks_text(ranks)}"
