"""A diagram, the sizes of its boxes and what is collapsed, as a layout. The entry of this package."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from types import MappingProxyType
from typing import Protocol

from app.graph_layout.blocks import Block, BoxNeeds, Known, build_block, components
from app.graph_layout.cancellation import CancelToken
from app.graph_layout.flatten import Flattened, levels, module_title, stubs_of
from app.graph_layout.geometry import BoxId, Chip, LaneBand, Layout, Measured, Rect
from app.graph_layout.lane_alignment import align
from app.graph_layout.module_tree import Module, module_trees
from app.graph_layout.ports import Folded, fold
from app.graph_layout.repeated_blocks import find_shapes
from app.graph_layout.row_positions import spread
from app.graph_layout.scopes import Value, Wiring, wire
from compiler.model.diagrams.diagrams import Diagram, DiagramNode

LANE_GAP = 90.0
_COMPONENT_GAP = 56.0
_LANE_PADDING = 28.0
_LANE_TITLE = 52.0
_NOWHERE: Mapping[Value, float] = MappingProxyType({})


class Measure(Protocol):
    """Tells how large things are drawn. Called off the window's thread, so it must not touch widgets."""

    def node(self, node: DiagramNode, chips: tuple[Chip, ...]) -> Measured:
        """The size of a node's box, and where its chips go."""

    def module(self, module: Module, title: str) -> Measured:
        """The size of a collapsed module's box."""


@dataclass(frozen=True)
class Prepared:
    """A diagram with what does not depend on what is collapsed: made once, laid out many times."""

    diagram: Diagram
    folded: Folded
    trees: tuple[Module, ...]


def prepare(diagram: Diagram) -> Prepared:
    """Fold small nodes away, gather the modules, and find which of them repeat."""
    folded = fold(diagram)
    trees = module_trees(folded)
    find_shapes(trees, folded, diagram)
    return Prepared(diagram, folded, trees)


def arrange(
    prepared: Prepared,
    measure: Measure,
    collapsed: frozenset[str] = frozenset(),
    cancel_token: CancelToken | None = None,
) -> Layout:
    """Lay out a prepared diagram. `collapsed` holds module ids (see `module_tree`); ids that do not exist are ignored.

    `course` is told how far it is. Raises LayoutCancelledError soon after it was cancelled.
    """
    cancel_token = cancel_token if cancel_token is not None else CancelToken()
    folded = prepared.folded
    cancel_token.check()
    wiring = wire(folded, prepared.trees, collapsed)
    cancel_token.expect(len(set(wiring.where.values())))
    cancel_token.check()
    needs = _needs(wiring, folded, measure, cancel_token)
    known: Known = {}
    lanes = [
        [build_block(scope, part, needs, known, cancel_token) for part in components(scope)]
        for scope in wiring.lanes
    ]
    if len(lanes) == 2:
        align(lanes[0][0], lanes[1][0], [(arrow.source, arrow.target) for arrow in wiring.cut])
    cancel_token.check()
    return _layout(lanes, wiring, folded)


def _needs(
    wiring: Wiring, folded: Folded, measure: Measure, cancel_token: CancelToken
) -> dict[BoxId, BoxNeeds]:
    """Sizes of all visible boxes and where they have stubs."""
    left = {arrow.target for arrow in wiring.cut}
    right = {arrow.source for arrow in wiring.cut}
    needs = {}
    scopes = list(wiring.lanes)
    while scopes:
        scope = scopes.pop()
        scopes.extend(scope.inner.values())
        for index, thing in enumerate(scope.items):
            if index in scope.inner:
                continue
            cancel_token.advance()
            chips = folded.chips.get(thing.id, ())
            size = (
                measure.module(thing, module_title(thing, scope))
                if isinstance(thing, Module)
                else measure.node(thing, chips)
            )
            needs[thing.id] = BoxNeeds(
                size, _chip_ports(thing.id, chips, size), thing.id in left, thing.id in right
            )
    return needs


def _chip_ports(box: BoxId, chips: tuple[Chip, ...], size: Measured) -> Mapping[Value, float]:
    """Arrows of a getitem leave below its chip."""
    if not chips:
        return _NOWHERE
    return {
        (box, chip.node): location.x + location.width / 2 - size.width / 2
        for chip, location in zip(chips, size.chips, strict=False)
        if chip.kind == "getitem"
    }


def _layout(lanes: list[list[Block]], wiring: Wiring, folded: Folded) -> Layout:
    flat = Flattened()
    parted = any(len(blocks) > 1 for blocks in lanes)
    heights = {box: level for blocks in lanes for box, level in levels(blocks[0])} if parted else {}
    bands = []
    x = 0.0
    for scope, blocks in zip(wiring.lanes, lanes, strict=True):
        flat.add(blocks[0], x, 0.0, folded)
        parts = [(_wished_top(part, wiring, heights), part) for part in blocks[1:]]
        gap = x + blocks[0].width
        right = _place_parts(parts, gap, blocks[0].content_height, flat, folded)
        bands.append((scope.module.lane, x, right))
        x = right + LANE_GAP
    edges = tuple(flat.route(arrow, way) for arrow, way in wiring.drawn)
    boxes = tuple(flat.boxes[node] for node in dict.fromkeys(wiring.where.values()))
    stubs = stubs_of(wiring.cut, flat.boxes)
    bounds = _around(
        [*(box.rect for box in boxes), *(frame.rect for frame in flat.frames), *(s.rect for s in stubs)]
    )
    top, height = bounds.y - _LANE_TITLE - _LANE_PADDING, bounds.height + _LANE_TITLE + 2 * _LANE_PADDING
    named = tuple(
        LaneBand(lane, Rect(left - _LANE_PADDING, top, right - left + 2 * _LANE_PADDING, height))
        for lane, left, right in bands
        if lane
    )
    layout = Layout(boxes, edges, stubs, tuple(flat.frames), named, bounds, wiring.where)
    return replace(layout, bounds=_around([bounds, *(band.rect for band in named)]))


def _place_parts(
    parts: list[tuple[float, Block]], gap: float, tallest: float, flat: Flattened, folded: Folded
) -> float:
    """Parts that only stubs join to the rest stand in columns beside it, each near the height it wishes.

    Returns the right edge.
    """
    parts = sorted(parts, key=lambda part: part[0])
    right = gap
    for column in _columns([part.content_height for _, part in parts], tallest):
        x = right + _COMPONENT_GAP
        chosen = [parts[index] for index in column]
        gaps = [0.0] + [part.content_height + _COMPONENT_GAP for _, part in chosen[:-1]]
        tops = spread([top for top, _ in chosen], [1.0] * len(chosen), gaps)
        shift = max(0.0, -tops[0])
        for (_, part), top in zip(chosen, tops, strict=True):
            flat.add(part, x, top + shift, folded)
        right = x + max(part.width for _, part in chosen)
    return right


def _wished_top(part: Block, wiring: Wiring, placed: Mapping[BoxId, float]) -> float:
    """Where a part's middle would be level with what its stubs lead to; the top, where that is nothing placed."""
    own = set(part.box_ids())
    far = [arrow.target for arrow in wiring.cut if arrow.source in own]
    far += [arrow.source for arrow in wiring.cut if arrow.target in own]
    heights = [placed[box] for box in far if box in placed]
    return fmean(heights) - part.content_height / 2 if heights else 0.0


def _columns(heights: list[float], tallest: float) -> list[list[int]]:
    """Numbers of parts for each column, so that no column is taller than the largest part unless one part is."""
    columns: list[list[int]] = []
    used = 0.0
    for index, height in enumerate(heights):
        if not columns or used + height > tallest:
            columns.append([])
            used = 0.0
        columns[-1].append(index)
        used += height + _COMPONENT_GAP
    return columns


def _around(rects: list[Rect]) -> Rect:
    """The smallest rectangle that holds all of them."""
    if not rects:
        return Rect(0, 0, 0, 0)
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(left, top, right - left, bottom - top)
