"""Where items stand along their row: as near to their neighbours as the others in the row let them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """A piece of arrow between neighbouring rows, with how far from each item's middle it touches."""

    upper: int
    lower: int
    upper_port: float
    lower_port: float


def spread(wishes: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Positions nearest to the wishes (least squares) with at least ``gaps[i]`` between ``i - 1`` and ``i``.

    Pools neighbours that want to pass one another; linear time. ``gaps[0]`` is not used.
    """
    offsets: list[float] = []
    pools: list[tuple[float, float, int]] = []
    offset = 0.0
    for index, (wish, weight) in enumerate(zip(wishes, weights, strict=True)):
        offset += gaps[index] if index else 0.0
        offsets.append(offset)
        total, heavy, first = (wish - offset) * weight, weight, index
        while pools and pools[-1][0] / pools[-1][1] >= total / heavy:
            before = pools.pop()
            total, heavy, first = total + before[0], heavy + before[1], before[2]
        pools.append((total, heavy, first))
    result: list[float] = []
    for number, (total, heavy, first) in enumerate(pools):
        end = pools[number + 1][2] if number + 1 < len(pools) else len(offsets)
        result.extend(total / heavy + offsets[index] for index in range(first, end))
    return result


def place_rows(
    rows: Sequence[Sequence[int]],
    extents: Sequence[tuple[float, float]],
    weights: Sequence[float],
    links: Sequence[Link],
    gap: float,
) -> list[float]:
    """The x of each item's middle. `extents` are its reach to the left and to the right of it."""
    x = [0.0] * len(extents)
    above: list[list[tuple[int, float]]] = [[] for _ in extents]
    below: list[list[tuple[int, float]]] = [[] for _ in extents]
    for link in links:
        above[link.lower].append((link.upper, link.upper_port - link.lower_port))
        below[link.upper].append((link.lower, link.lower_port - link.upper_port))
    gaps = [
        [
            extents[row[index - 1]][1] + extents[item][0] + gap if index else 0.0
            for index, item in enumerate(row)
        ]
        for row in rows
    ]
    for row, row_gaps in zip(rows, gaps, strict=True):
        width, at = sum(row_gaps), 0.0
        for item, distance in zip(row, row_gaps, strict=True):
            at += distance
            x[item] = at - width / 2
    both = [up + down for up, down in zip(above, below, strict=True)]
    passes = ((above, 1), (below, -1), (above, 1), (both, -1), (both, 1), (both, -1))
    pairs = list(zip(rows, gaps, strict=True))
    for neighbours, step in passes:
        for row, row_gaps in pairs[::step]:
            if len(row) == 1:  # most rows, and nothing is in the way there
                x[row[0]] = _wish(row[0], neighbours[row[0]], x, weights)
                continue
            wishes = [_wish(item, neighbours[item], x, weights) for item in row]
            heavy = [weights[item] if neighbours[item] else 0.2 for item in row]
            for item, position in zip(row, spread(wishes, heavy, row_gaps), strict=True):
                x[item] = position
    return x


def _wish(
    item: int, neighbours: Sequence[tuple[int, float]], x: Sequence[float], weights: Sequence[float]
) -> float:
    """Under its heaviest neighbours, so that a long chain stays one straight line and side branches follow it."""
    if len(neighbours) == 1:
        return x[neighbours[0][0]] + neighbours[0][1]
    heaviest = max((weights[other] for other, _ in neighbours), default=0.0)
    return _middle(
        [x[other] + shift for other, shift in neighbours if weights[other] >= heaviest * 0.6], x[item]
    )


def _middle(values: list[float], default: float) -> float:
    """The median, or `default` where there are no values."""
    if not values:
        return default
    values.sort()
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2
