"""Nested blocks as one flat layout in scene coordinates."""

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

from app.graph_layout.blocks import HEADER, PADDING, STUB, Block
from app.graph_layout.geometry import Box, BoxId, Edge, Frame, Rect, Stub, StubEnd
from app.graph_layout.module_tree import Module
from app.graph_layout.ports import Folded
from app.graph_layout.repeated_blocks import first_of
from app.graph_layout.scopes import BORDER, Arrow, Piece, Scope
from compiler.model.ir.ids import NodeId

Point = tuple[float, float]


@dataclass
class Flattened:
    """Boxes, frames and where each block's content begins."""

    boxes: dict[BoxId, Box] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    origins: dict[int, dict[int, tuple[Block, Point]]] = field(default_factory=dict)
    """By scope and item: the block that the item stands in, and the block's origin."""

    def add(self, block: Block, x: float, y: float, folded: Folded, depth: int = 0) -> None:
        """Place a block's content at (x, y): the left edge of its leftmost item, the top of its highest row."""
        left = x - block.rows.left
        placed = block, (left, y)
        self.origins.setdefault(id(block.scope), {}).update(dict.fromkeys(block.rows.items, placed))
        for number, item in enumerate(block.rows.items):
            middle = left + block.rows.x[number]
            rank = block.rows.rank[number]
            center = y + block.tops[rank] + block.heights[rank] / 2
            if item in block.inner:
                self._add_frame(block, block.inner[item], middle, center, folded, depth)
            else:
                self._add_box(block, item, middle, center, folded)

    def _add_frame(
        self, outer: Block, inner: Block, middle: float, center: float, folded: Folded, depth: int
    ) -> None:
        rect = Rect(middle - inner.width / 2, center - inner.height / 2, inner.width, inner.height)
        module = inner.scope.module
        title = module_title(module, outer.scope)
        self.frames.append(Frame(module.id, title, rect, depth, module.path, module.lane))
        self.add(inner, rect.x + PADDING, rect.y + HEADER, folded, depth + 1)

    def _add_box(self, block: Block, item: int, middle: float, center: float, folded: Folded) -> None:
        size = block.needs[item].size
        rect = Rect(middle - size.width / 2, center - size.height / 2, size.width, size.height)
        thing = block.scope.items[item]
        lane = block.scope.module.lane
        if isinstance(thing, Module):
            members = tuple(_members(thing, folded))
            title = module_title(thing, block.scope)
            opens = first_of(thing).id if thing.repeats > 1 else thing.id
            self.boxes[thing.id] = Box(
                thing.id, rect, title, None, lane, members, (), thing.path, thing.repeats, opens
            )
            return
        chips = folded.chips.get(thing.id, ())
        placed = tuple(
            (chip, location.moved(rect.x, rect.y)) for chip, location in zip(chips, size.chips, strict=True)
        )
        members = (thing.id, *(chip.node for chip in chips if chip.home))
        self.boxes[thing.id] = Box(thing.id, rect, thing.title, thing, lane, members, placed, thing.group)

    def route(self, arrow: Arrow, way: tuple[tuple[Scope, Piece], ...]) -> Edge:
        """The polyline of an arrow through all scopes it passes."""
        points: list[Point] = []
        for scope, piece in way:
            anchor = piece.source if piece.source != BORDER else piece.target
            block, origin = self.origins[id(scope)][anchor]
            points.extend(_piece_points(block, origin, piece))
        nodes = tuple((edge.source, edge.target) for edge in arrow.edges)
        indirect = all(edge.indirect for edge in arrow.edges)
        flight = any(edge.flight for edge in arrow.edges)
        return Edge(arrow.source, arrow.target, nodes, _without_repeats(points), indirect, flight)


def levels(block: Block, y: float = 0.0) -> Iterator[tuple[BoxId, float]]:
    """The height of the middle of every box, where a block's content begins at `y`."""
    for number, item in enumerate(block.rows.items):
        rank = block.rows.rank[number]
        center = y + block.tops[rank] + block.heights[rank] / 2
        if item in block.inner:
            inner = block.inner[item]
            yield from levels(inner, center - inner.height / 2 + HEADER)
        else:
            height = block.needs[item].size.height
            yield block.scope.ids[item], center - height / 2 + height / 2


def stubs_of(cut: tuple[Arrow, ...], boxes: Mapping[BoxId, Box]) -> tuple[Stub, ...]:
    """The cut arrows gathered at both of their ends."""
    ends: dict[tuple[BoxId, bool], list[StubEnd]] = {}
    for arrow in cut:
        for edge in arrow.edges:
            outgoing = StubEnd(arrow.target, edge.source, edge.target, edge.label, edge.saved)
            incoming = StubEnd(arrow.source, edge.source, edge.target, edge.label, edge.saved)
            ends.setdefault((arrow.source, True), []).append(outgoing)
            ends.setdefault((arrow.target, False), []).append(incoming)
    stubs = []
    for (box, outgoing_side), far in ends.items():
        rect = boxes[box].rect
        x = rect.right if outgoing_side else rect.x - STUB
        stubs.append(Stub(box, outgoing_side, Rect(x, rect.y, STUB, rect.height), tuple(far)))
    return tuple(stubs)


def module_title(module: Module, around: Scope) -> str:
    """The module's path from the open module it stands in, with the number of the call where there are several.

    A bare number says nothing, so it keeps the name before it: ``layers.0``.
    """
    start = len(around.module.path)
    if start and module.path[start][:1].isdigit():
        start -= 1
    path = module.path[start:]
    call = module.id.partition("@")[0].rpartition("#")[2] if "#" in module.id.rpartition(".")[2] else ""
    return ".".join(path) + (f" · call {call}" if call else "")


def _members(module: Module, folded: Folded) -> list[NodeId]:
    members = []
    for node in module.nodes():
        members.append(node.id)
        members.extend(chip.node for chip in folded.chips.get(node.id, ()) if chip.home)
    return members


def _piece_points(block: Block, origin: Point, piece: Piece) -> list[Point]:
    """From the source's edge through the gaps between rows to the target's edge, in the direction of flow."""
    strand = block.strand(piece)
    chain = block.rows.chains[strand]
    out, into = block.rows.ports[strand]
    points: list[Point] = []
    for position, number in enumerate(chain):
        x = origin[0] + block.rows.x[number]
        first, last = position == 0, position == len(chain) - 1
        x += out if first else into if last else 0.0
        enter, leave = _row_edges(block, number, origin[1])
        near, far = _item_edges(block, number, origin[1])
        if first:
            points += [(x, far), (x, leave)]
        elif last:
            points += [(x, enter), (x, near)]
        else:
            points += [(x, enter), (x, leave)]
    return points


def _row_edges(block: Block, number: int, y: float) -> Point:
    """Where the flow enters and leaves the row that a number stands in."""
    rank = block.rows.rank[number]
    top, bottom = y + block.tops[rank], y + block.tops[rank] + block.heights[rank]
    return (bottom, top) if block.upwards else (top, bottom)


def _item_edges(block: Block, number: int, y: float) -> Point:
    """Where arrows end at an item and where they start from it; a border point stands for the frame's edge."""
    rank = block.rows.rank[number]
    if number >= block.rows.count and block.framed:
        top, bottom = y - HEADER, y + block.content_height + PADDING
        return (top, bottom) if block.upwards else (bottom, top)
    center = y + block.tops[rank] + block.heights[rank] / 2
    half = block.item_height(number) / 2
    return (center + half, center - half) if block.upwards else (center - half, center + half)


def _without_repeats(points: list[Point]) -> "array[float]":
    kept = array("d")
    last = (inf, inf)
    for point in points:
        if abs(point[0] - last[0]) > 0.01 or abs(point[1] - last[1]) > 0.01:
            kept.extend(point)
            last = point
    return kept
