"""Blocks: scopes with their rows placed and stacked. An open module is laid out on its own, then is one item of
its parent; so what happens outside moves it as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.graph_layout.cancellation import CancelToken
from app.graph_layout.geometry import BoxId, Measured
from app.graph_layout.module_tree import BACKWARD
from app.graph_layout.rows import Rows, Shape, Strand, arrange_rows
from app.graph_layout.scopes import BORDER, Piece, Scope, Value
from compiler.model.diagrams.joined_parts import joined_parts

PADDING = 18.0
HEADER = 30.0
STUB = 104.0
"""Width kept free beside a box for a stub."""

_ROW_GAP = 30.0
_BORDER_GAP = 12.0
_WIDEST_BEND_GAP = 34.0


@dataclass(frozen=True, slots=True)
class BoxNeeds:
    """What a box needs: its size and on which sides it has stubs."""

    size: Measured
    chips: Mapping[Value, float]
    """How far from its middle a getitem's arrow leaves."""
    stub_left: bool
    stub_right: bool


@dataclass
class Block:
    """Items of one scope, placed. Coordinates are relative to the content's origin; `tops` are by rank."""

    scope: Scope
    rows: Rows
    needs: dict[int, BoxNeeds]
    inner: "dict[int, Block]"
    values: dict[Value, int]
    """The numbers of its values in `rows`."""
    upwards: bool
    framed: bool
    heights: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    tops: list[float] = field(default_factory=list)

    @property
    def width(self) -> float:
        """Width with the frame's padding."""
        return self.rows.right - self.rows.left + (2 * PADDING if self.framed else 0)

    @property
    def content_height(self) -> float:
        """From the origin to the lowest row's bottom."""
        return max((top + height for top, height in zip(self.tops, self.heights, strict=True)), default=0.0)

    @property
    def height(self) -> float:
        """Height with the frame's header and padding."""
        return self.content_height + (HEADER + PADDING if self.framed else 0)

    def item_height(self, number: int) -> float:
        """Height of an item; wires have none."""
        if number >= self.rows.count:
            return 0.0
        item = self.rows.items[number]
        return self.inner[item].height if item in self.inner else self.needs[item].size.height

    def strand(self, piece: Piece) -> Strand:
        """What a piece of an arrow is called in `rows`."""
        return Strand(piece.source, piece.target, self.values[piece.value])

    def box_ids(self) -> Iterator[BoxId]:
        """All boxes in it."""
        for item in self.rows.items:
            if item in self.inner:
                yield from self.inner[item].box_ids()
            else:
                yield self.scope.ids[item]

    def visual_order(self) -> list[int]:
        """Ranks from the top of the picture to its bottom."""
        order = list(range(len(self.rows.rows)))
        return order[::-1] if self.upwards else order

    def measure_rows(self) -> None:
        """Take the rows' heights from their items, again after an inner block changed."""
        self.heights = [max(map(self.item_height, row), default=0.0) for row in self.rows.rows]
        self.gaps = [self._gap(rank) for rank in range(len(self.rows.rows) - 1)]

    def stack(self) -> None:
        """Put the rows under one another, with more room where arrows run far sideways."""
        self.measure_rows()
        self.tops = [0.0] * len(self.heights)
        at = 0.0
        order = self.visual_order()
        for index, rank in enumerate(order):
            self.tops[rank] = at
            if index + 1 < len(order):
                at += self.heights[rank] + self.gap_between(rank, order[index + 1])

    def gap_between(self, rank: int, other: int) -> float:
        """Free space between two neighbouring rows."""
        return self.gaps[min(rank, other)]

    def _gap(self, rank: int) -> float:
        borders = min(self.heights[rank], self.heights[rank + 1]) == 0
        return (_BORDER_GAP if borders else _ROW_GAP) + min(_WIDEST_BEND_GAP, 0.05 * self.rows.bends[rank])


Known = dict[tuple[object, ...], Rows]
"""Rows by all that they follow from. Most modules of a large graph are equal: each kind is laid out once."""


def build_block(
    scope: Scope,
    items: Sequence[int],
    needs: Mapping[BoxId, BoxNeeds],
    known: Known,
    cancel_token: CancelToken,
) -> Block:
    """Lay out these items of a scope, their insides first."""
    inner = {
        item: build_block(scope.inner[item], range(len(scope.inner[item].ids)), needs, known, cancel_token)
        for item in items
        if item in scope.inner
    }
    own = {item: needs[scope.ids[item]] for item in items if item not in inner}
    chosen = set(items)
    pieces = [piece for piece in scope.pieces if piece.source in chosen or piece.target in chosen]
    values: dict[Value, int] = {}
    strands = [
        Strand(piece.source, piece.target, values.setdefault(piece.value, len(values))) for piece in pieces
    ]
    shapes = {
        item: _open_shape(inner[item], values) if item in inner else _box_shape(own[item], values)
        for item in items
    }
    key = (
        tuple(items),
        tuple(scope.rank[item] for item in items),
        tuple(map(_key, shapes.values())),
        tuple(strands),
    )
    rows = known.get(key)
    if rows is None:
        rows = known[key] = arrange_rows(items, scope.rank, shapes, strands, cancel_token.check)
    upwards, framed = scope.module.lane == BACKWARD, scope.parent is not None
    block = Block(scope, rows, own, inner, values, upwards=upwards, framed=framed)
    block.stack()
    cancel_token.advance(len(own))
    return block


def components(scope: Scope) -> list[list[int]]:
    """Items that arrows join, largest part first; only a lane as a whole is taken apart like this."""
    inner = (
        (piece.source, piece.target) for piece in scope.pieces if BORDER not in (piece.source, piece.target)
    )
    return sorted(joined_parts(range(len(scope.ids)), inner), key=lambda part: (-len(part), part[0]))


def _key(shape: Shape) -> tuple[object, ...]:
    enters = tuple(shape.enters.items()) if shape.enters is not None else None
    return shape.left, shape.right, shape.width, tuple(shape.leaves.items()), enters


def _box_shape(needs: BoxNeeds, values: Mapping[Value, int]) -> Shape:
    half = needs.size.width / 2
    return Shape(
        half + (STUB if needs.stub_left else 0),
        half + (STUB if needs.stub_right else 0),
        needs.size.width,
        {values[value]: offset for value, offset in needs.chips.items() if value in values},
    )


def _open_shape(block: Block, values: Mapping[Value, int]) -> Shape:
    """An open module: its arrows meet the border where they go on inside."""
    rows, half = block.rows, block.width / 2
    middle = (rows.left + rows.right) / 2
    outside = [values.get(value, -1) for value in block.values]
    leaves = {outside[value]: rows.x[number] - middle for value, number in rows.exits.items()}
    enters = {outside[value]: rows.x[number] - middle for value, number in rows.entries.items()}
    return Shape(half, half, block.width, leaves, enters)
