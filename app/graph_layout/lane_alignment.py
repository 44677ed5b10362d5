"""Sets the rows of the backward lane beside the forward rows they belong to, by stretching both lanes.

Backward runs upwards, so partners stand in the same order in both lanes and rows never have to pass one another.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from app.graph_layout.blocks import HEADER, Block
from app.graph_layout.geometry import BoxId
from app.graph_layout.module_tree import BACKWARD
from app.graph_layout.row_positions import spread

_ROUNDS = 2
_UNLINKED = 0.02

Partner = tuple[int, int, float]
"""(row of this block, row of the other, how much lower this row's top should be than the other's)."""


def align(forward: Block, backward: Block, partners: Sequence[tuple[BoxId, BoxId]]) -> None:
    """Align two blocks and, first, the open modules in them that are each other's halves."""
    pairs = _module_pairs(forward, backward)
    inside = _partners_inside(forward, backward, partners)
    for first, second in pairs:
        if first in forward.inner and second in backward.inner:
            align(forward.inner[first], backward.inner[second], inside.get((first, second), ()))
    for block in (forward, backward):
        block.stack()
    own, other = _middles(forward), _middles(backward)
    links = [_link(_top(forward, first), _top(backward, second)) for first, second in pairs]
    links += [
        _link(own[first], other[second]) for first, second in partners if first in own and second in other
    ]
    if not links:
        return
    for _ in range(_ROUNDS):
        _shift(backward, forward, [(second, first, distance) for first, second, distance in links])
        _shift(forward, backward, [(first, second, -distance) for first, second, distance in links])
    highest = min((*forward.tops, *backward.tops))
    for block in (forward, backward):
        block.tops = [top - highest for top in block.tops]


def _partners_inside(
    forward: Block, backward: Block, partners: Sequence[tuple[BoxId, BoxId]]
) -> dict[tuple[int, int], list[tuple[BoxId, BoxId]]]:
    """The partners whose two ends stand in open modules here, by these two modules' items."""
    own = {box: item for item, inner in forward.inner.items() for box in inner.box_ids()}
    other = {box: item for item, inner in backward.inner.items() for box in inner.box_ids()}
    inside: dict[tuple[int, int], list[tuple[BoxId, BoxId]]] = {}
    for first, second in partners:
        if first in own and second in other:
            inside.setdefault((own[first], other[second]), []).append((first, second))
    return inside


def _items(block: Block) -> dict[BoxId, int]:
    return {block.scope.ids[item]: item for item in block.rows.items}


def _module_pairs(forward: Block, backward: Block) -> list[tuple[int, int]]:
    other = _items(backward)
    return [
        (item, other[f"{name}@{BACKWARD}"])
        for name, item in _items(forward).items()
        if f"{name}@{BACKWARD}" in other
    ]


Level = tuple[int, float]
"""A height in a block: a row, and how far below the row's top."""


def _link(forward: Level, backward: Level) -> Partner:
    """How much lower the backward row's top must be than the forward row's for two heights to meet."""
    return forward[0], backward[0], forward[1] - backward[1]


def _top(block: Block, item: int) -> Level:
    """The top of an item; items stand in the middle of their row."""
    number = block.rows.number_of[item]
    rank = block.rows.rank[number]
    return rank, (block.heights[rank] - block.item_height(number)) / 2


def _middles(block: Block) -> dict[BoxId, Level]:
    """The middle of every box, those inside open modules too."""
    levels: dict[BoxId, Level] = {}
    for item, number in block.rows.number_of.items():
        rank, top = _top(block, item)
        if item in block.inner:
            inner = block.inner[item]
            for box, (row, below) in _middles(inner).items():
                levels[box] = rank, top + HEADER + inner.tops[row] + below
        else:
            levels[block.scope.ids[item]] = rank, top + block.item_height(number) / 2
    return levels


def _shift(moved: Block, fixed: Block, links: Sequence[Partner]) -> None:
    """Move rows of one block as near to their partners as its own order and gaps allow."""
    wanted: dict[int, list[float]] = {}
    for row, partner, distance in links:
        wanted.setdefault(row, []).append(fixed.tops[partner] + distance - moved.tops[row])
    order = moved.visual_order()
    shifts = _interpolated(order, {row: median(values) for row, values in wanted.items()})
    wishes = [moved.tops[rank] + shift for rank, shift in zip(order, shifts, strict=True)]
    weights = [float(len(wanted[rank])) if rank in wanted else _UNLINKED for rank in order]
    gaps = [0.0] + [moved.heights[above] + moved.gap_between(above, rank) for above, rank in pairwise(order)]
    for rank, top in zip(order, spread(wishes, weights, gaps), strict=True):
        moved.tops[rank] = top


def _interpolated(order: Sequence[int], known: Mapping[int, float]) -> list[float]:
    """The shift of every row: rows without a partner go along with the nearest rows that have one."""
    result: list[float] = []
    marks = [index for index, rank in enumerate(order) if rank in known]
    for index in range(len(order)):
        before = marks[max(bisect_right(marks, index) - 1, 0)]
        after = marks[min(bisect_left(marks, index), len(marks) - 1)]
        part = (index - before) / (after - before) if after > before else 0.0
        low, high = known[order[before]], known[order[after]]
        result.append(low + (high - low) * part)
    return result
