"""One scope's items in rows: the order in each row, how far along it they stand, and where arrows touch them.

Values are numbers here and nothing has a name, so that equal modules have equal rows, made once (`blocks.Known`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from app.graph_layout.row_order import order_rows
from app.graph_layout.row_positions import Link, place_rows
from app.graph_layout.scopes import BORDER

GAP = 22.0
"""Free space between neighbours in a row."""

WIRE = 6.0
"""Width kept free for an arrow that passes through a row."""

_PORT_DISTANCE = 16.0


class Strand(NamedTuple):
    """A `Piece` of an arrow whose value is a number."""

    source: int
    target: int
    value: int


@dataclass(frozen=True, slots=True)
class Shape:
    """An item's reach to both sides of the middle of its box, the box itself, and where values leave and enter it.

    A value that is not named leaves and enters at the middle (inputs are spread, see `Rows.ports`).
    """

    left: float
    right: float
    width: float
    leaves: Mapping[int, float]
    enters: Mapping[int, float] | None = None


@dataclass
class Rows:
    """Items, then the wires between them: numbers below `count` are items of the scope by `items[number]`."""

    items: tuple[int, ...]
    count: int
    rank: list[int]
    rows: list[list[int]]
    x: list[float]
    extents: list[tuple[float, float]]
    chains: dict[Strand, tuple[int, ...]]
    """The numbers a piece passes through, both ends included."""
    ports: dict[Strand, tuple[float, float]]
    """How far from the middle of its ends a piece touches them."""
    entries: dict[int, int]
    exits: dict[int, int]

    @cached_property
    def number_of(self) -> dict[int, int]:
        """The number of each item."""
        return {item: number for number, item in enumerate(self.items)}

    @cached_property
    def bends(self) -> list[float]:
        """How far sideways arrows run below each rank."""
        bends = [0.0] * len(self.rows)
        for chain in self.chains.values():
            for upper, lower in pairwise(chain):
                bends[self.rank[upper]] = max(bends[self.rank[upper]], abs(self.x[upper] - self.x[lower]))
        return bends

    @cached_property
    def left(self) -> float:
        """The left edge of everything."""
        return min((x - reach for x, (reach, _) in zip(self.x, self.extents, strict=True)), default=0.0)

    @cached_property
    def right(self) -> float:
        """The right edge of everything."""
        return max((x + reach for x, (_, reach) in zip(self.x, self.extents, strict=True)), default=0.0)


def arrange_rows(
    items: Sequence[int],
    item_ranks: Sequence[int],
    shapes: Mapping[int, Shape],
    pieces: Sequence[Strand],
    check: Callable[[], None],
) -> Rows:
    """Place these items of a scope and lead its pieces between them."""
    rows = _Builder(items, item_ranks, shapes, pieces).build()
    above: list[list[int]] = [[] for _ in rows.rank]
    below: list[list[int]] = [[] for _ in rows.rank]
    for upper, lower in _steps(rows):
        above[lower].append(upper)
        below[upper].append(lower)
    rows.rows = _first_order(rows, below)
    rows.rows = order_rows(rows.rows, above, below, _leaning(rows, shapes), check)
    rows.ports = _ports(rows, shapes)
    links = _links(rows, {number for number, item in enumerate(items) if shapes[item].enters is not None})
    weights = _weights(rows, above, below)
    check()
    rows.x = place_rows(rows.rows, rows.extents, weights, links, GAP)
    return rows


class _Builder:
    """Numbers items, border points and the wires that long pieces need in the rows they pass."""

    def __init__(
        self,
        items: Sequence[int],
        item_ranks: Sequence[int],
        shapes: Mapping[int, Shape],
        pieces: Sequence[Strand],
    ) -> None:
        self._items = tuple(items)
        self._number = {item: number for number, item in enumerate(items)}
        self._pieces = pieces
        shift = 1 if any(piece.source == BORDER for piece in pieces) else 0
        self._rank = [item_ranks[item] + shift for item in items]
        self._last = max(self._rank, default=0) + 1
        self._extents = [(shapes[item].left, shapes[item].right) for item in items]
        self._entries: dict[int, int] = {}
        self._exits: dict[int, int] = {}
        self._wires: dict[tuple[int, int, int], int] = {}

    def build(self) -> Rows:
        chains = {piece: self._chain(piece) for piece in self._pieces}
        rows: list[list[int]] = [[] for _ in range(max(self._rank, default=-1) + 1)]
        for number, rank in enumerate(self._rank):
            rows[rank].append(number)
        return Rows(
            self._items,
            len(self._items),
            self._rank,
            rows,
            [],
            self._extents,
            chains,
            {},
            self._entries,
            self._exits,
        )

    def _chain(self, piece: Strand) -> tuple[int, ...]:
        if piece.source == BORDER:
            start = self._border(self._entries, piece.value, 0)
        else:
            start = self._number[piece.source]
        if piece.target == BORDER:
            end = self._border(self._exits, piece.value, self._last)
        else:
            end = self._number[piece.target]
        between = [
            self._wire(start, piece.value, rank) for rank in range(self._rank[start] + 1, self._rank[end])
        ]
        return (start, *between, end)

    def _border(self, known: dict[int, int], value: int, rank: int) -> int:
        if value not in known:
            known[value] = self._new(rank)
        return known[value]

    def _wire(self, start: int, value: int, rank: int) -> int:
        """Arrows with one source share their wire as far as they go together."""
        key = (start, value, rank)
        if key not in self._wires:
            self._wires[key] = self._new(rank)
        return self._wires[key]

    def _new(self, rank: int) -> int:
        self._rank.append(rank)
        self._extents.append((WIRE / 2, WIRE / 2))
        return len(self._rank) - 1


def _steps(rows: Rows) -> list[tuple[int, int]]:
    """Pairs of numbers in neighbouring rows that an arrow joins, each once."""
    return list(dict.fromkeys(pair for chain in rows.chains.values() for pair in pairwise(chain)))


def _first_order(rows: Rows, below: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows filled by walking from each item in its given order, so that what is connected starts together."""
    ordered: list[list[int]] = [[] for _ in rows.rows]
    seen = [False] * len(rows.rank)
    for start in sorted(range(len(rows.rank)), key=lambda number: (rows.rank[number] > 0, number)):
        stack = [start]
        while stack:
            number = stack.pop()
            if not seen[number]:
                seen[number] = True
                ordered[rows.rank[number]].append(number)
                stack.extend(reversed(below[number]))
    return ordered


def _leaning(rows: Rows, shapes: Mapping[int, Shape]) -> dict[tuple[int, int], float]:
    """How far from the middle of an item its arrow to another leaves, from -0.45 at the left to 0.45 at the right."""
    leaning = {}
    for piece, chain in rows.chains.items():
        if piece.source != BORDER:
            shape = shapes[piece.source]
            offset = shape.leaves.get(piece.value, 0.0) / max(shape.width, 1.0) * 0.9
            if offset:
                leaning[chain[0], chain[1]] = offset
    return leaning


def _weights(rows: Rows, above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> list[float]:
    """How much an item's wish counts: most on the longest chain, least on short side branches."""
    order = [number for row in rows.rows for number in row]
    length = [1] * len(order)
    for neighbours, numbers in ((above, order), (below, order[::-1])):
        reach = [0] * len(order)
        for number in numbers:
            reach[number] = max((reach[other] + 1 for other in neighbours[number]), default=0)
            length[number] += reach[number]
    longest = max(length, default=1)
    weights = [1.0 + 15.0 * (part / longest) ** 6 for part in length]
    return [max(weight, 4.0) if number >= rows.count else weight for number, weight in enumerate(weights)]


def _ports(rows: Rows, shapes: Mapping[int, Shape]) -> dict[Strand, tuple[float, float]]:
    """Where pieces touch their ends. Inputs of a plain box spread along its top edge in the order they arrive."""
    place = {number: index for row in rows.rows for index, number in enumerate(row)}
    arriving: dict[int, list[Strand]] = {}
    for piece in rows.chains:
        if piece.target != BORDER:
            arriving.setdefault(piece.target, []).append(piece)
    enters: dict[Strand, float] = {}
    for target, pieces in arriving.items():
        shape = shapes[target]
        if shape.enters is not None:
            enters.update({piece: shape.enters[piece.value] for piece in pieces})
            continue
        pieces.sort(key=lambda piece: place[rows.chains[piece][-2]])
        room = max(shape.width - 28, 0)
        distance = min(_PORT_DISTANCE, room / (len(pieces) - 1)) if len(pieces) > 1 else 0
        for index, piece in enumerate(pieces):
            enters[piece] = (index - (len(pieces) - 1) / 2) * distance
    leaves = {
        piece: shapes[piece.source].leaves.get(piece.value, 0.0) if piece.source != BORDER else 0.0
        for piece in rows.chains
    }
    return {piece: (leaves[piece], enters.get(piece, 0.0)) for piece in rows.chains}


def _links(rows: Rows, opened: set[int]) -> list[Link]:
    """Between open modules middle to middle: following their ports, a long chain of them would drift sideways."""
    links: dict[Link, None] = {}
    for piece, chain in rows.chains.items():
        straight = chain[0] in opened and chain[-1] in opened
        out, into = (0.0, 0.0) if straight else rows.ports[piece]
        for upper, lower in pairwise(chain):
            links[
                Link(upper, lower, out if upper == chain[0] else 0.0, into if lower == chain[-1] else 0.0)
            ] = None
    return list(links)
