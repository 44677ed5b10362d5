"""The order of items inside each row: few crossings, starting from the order they were given in."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

_SWEEPS = 10
_PATIENCE = 2


def order_rows(
    rows: list[list[int]],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    leaning: Mapping[tuple[int, int], float],
    check: Callable[[], None],
) -> list[list[int]]:
    """Sort each row by the mean place of its neighbours, downwards and upwards in turn; keep the best seen.

    `rows` holds item numbers; `above` and `below` only lead to the rows next to an item's. `leaning` says for
    (upper, lower) how far from the middle of the upper item the arrow leaves, in parts of a place.
    """
    place = [0] * len(above)
    for row in rows:
        _number(row, place)
    best, best_rows = crossings(rows, below, place, leaning), [list(row) for row in rows]
    rows = [list(row) for row in rows]
    stalled = 0
    for sweep in range(_SWEEPS):
        if best == 0 or stalled > _PATIENCE:
            break
        check()
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for row in rows if downwards else reversed(rows):
            if len(row) > 1:
                row.sort(key=_mean_place(neighbours, place, leaning))
                _number(row, place)
        count = crossings(rows, below, place, leaning)
        stalled = 0 if count < best else stalled + 1
        if count < best:
            best, best_rows = count, [list(row) for row in rows]
    return best_rows


def crossings(
    rows: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    place: Sequence[int],
    leaning: Mapping[tuple[int, int], float],
) -> int:
    """How many pairs of arrows between neighbouring rows cross."""
    total = 0
    for row in rows:
        seen: list[int] = []
        for item in row:
            for _, target in sorted((leaning.get((item, other), 0.0), place[other]) for other in below[item]):
                index = bisect_right(seen, target)
                total += len(seen) - index
                seen.insert(index, target)
    return total


def _number(row: Sequence[int], place: list[int]) -> None:
    for index, item in enumerate(row):
        place[item] = index


def _mean_place(
    neighbours: Sequence[Sequence[int]], place: Sequence[int], leaning: Mapping[tuple[int, int], float]
) -> Callable[[int], float]:
    def mean(item: int) -> float:
        near = neighbours[item]
        if not near:
            return float(place[item])
        return sum(place[other] + leaning.get((other, item), 0.0) for other in near) / len(near)

    return mean
