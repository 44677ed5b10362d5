"""Open modules as nested scopes, and each arrow as the pieces it makes in the scopes it passes through.

An arrow that cannot be drawn well becomes a stub here: one that crosses lanes, closes a cycle or spans many rows.
"""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from app.graph_layout.geometry import BoxId
from app.graph_layout.module_tree import BORDER_ROLES, Module
from app.graph_layout.ports import Folded
from app.graph_layout.ranking import back_links, ranks
from app.graph_layout.repeated_blocks import drawn_items
from compiler.model.diagrams.diagrams import DiagramEdge, DiagramNode
from compiler.model.ir.ids import NodeId

LONGEST_EDGE = 8
"""Items of one scope that an arrow may pass; a longer one is a stub."""

MOST_ROWS = 60
"""Rows of boxes that an arrow may pass, those in open modules on its way counted too."""

MOST_ROWS_TO_BORDER = 12
"""The same for what the graph as a whole takes and gives: many such arrows would run beside everything."""

BORDER = -1
"""In a piece: the border of the scope instead of an item."""

Value = tuple[BoxId, NodeId]
"""What flows: a box's result, or one getitem of it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of an arrow inside one scope, between two of its items or an item and its border."""

    source: int
    target: int
    value: Value


@dataclass
class Scope:
    """An open module (or a lane): its items are nodes, collapsed modules, and further scopes."""

    module: Module
    around: "weakref.ref[Scope] | None"
    """The scope it is an item of, which holds it: no cycle is left to Python's collector of what a large layout makes."""
    item_in_parent: int
    ids: list[BoxId] = field(default_factory=list)
    items: list[DiagramNode | Module] = field(default_factory=list)
    inner: "dict[int, Scope]" = field(default_factory=dict)
    rank: list[int] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    @property
    def parent(self) -> "Scope | None":
        """The scope it is an item of; None for a lane."""
        return self.around() if self.around is not None else None

    @property
    def last_rank(self) -> int:
        """The rank of the lowest row."""
        return max(self.rank, default=0)


@dataclass(frozen=True, slots=True)
class Arrow:
    """All of the diagram's edges between the same two visible ends."""

    source: BoxId
    target: BoxId
    value: Value
    edges: tuple[DiagramEdge, ...]


@dataclass(frozen=True)
class Wiring:
    """Scopes with their pieces, the arrows drawn (with the way each takes), and those that are stubs."""

    lanes: tuple[Scope, ...]
    drawn: tuple[tuple[Arrow, tuple[tuple[Scope, Piece], ...]], ...]
    cut: tuple[Arrow, ...]
    where: Mapping[NodeId, BoxId]


Step = tuple[Scope, int]
"""An item of a scope."""


def wire(folded: Folded, trees: Sequence[Module], collapsed: frozenset[str]) -> Wiring:
    """Build the scopes for what is open and lead every arrow through them."""
    locations: dict[BoxId, Step] = {}
    where: dict[NodeId, BoxId] = {}
    lanes = tuple(_scope(tree, None, 0, collapsed, locations, where) for tree in trees)
    arrows = _arrows(folded, where)
    for box, chips in folded.chips.items():
        where.update({chip.node: where[box] for chip in chips if chip.home})
    ways = [_way(locations[arrow.source], locations[arrow.target]) for arrow in arrows]
    _rank_scopes(lanes, ways)
    lengths = RowLengths(lanes)
    border = {node.id for node in folded.nodes if node.role in BORDER_ROLES}
    drawn: list[tuple[Arrow, tuple[tuple[Scope, Piece], ...]]] = []
    cut = []
    for arrow, way in zip(arrows, ways, strict=True):
        most = MOST_ROWS_TO_BORDER if arrow.source in border or arrow.target in border else MOST_ROWS
        if way is None or not lengths.short_enough(way, most):
            cut.append(arrow)
            continue
        pieces = tuple((scope, Piece(source, target, arrow.value)) for scope, source, target in way)
        drawn.append((arrow, pieces))
    for _, pieces in drawn:
        for scope, piece in pieces:
            scope.pieces.append(piece)
    for scope in {id(scope): scope for _, pieces in drawn for scope, _ in pieces}.values():
        scope.pieces = list(dict.fromkeys(scope.pieces))
    return Wiring(lanes, tuple(drawn), tuple(cut), where)


Way = list[tuple[Scope, int, int]]
"""Pieces of an arrow without its value: (scope, source item, target item)."""


def _scope(
    module: Module,
    parent: Scope | None,
    item: int,
    collapsed: frozenset[str],
    locations: dict[BoxId, Step],
    where: dict[NodeId, BoxId],
) -> Scope:
    scope = Scope(module, weakref.ref(parent) if parent is not None else None, item)
    for index, thing in enumerate(drawn_items(module, collapsed)):
        scope.ids.append(thing.id)
        scope.items.append(thing)
        if isinstance(thing, Module) and thing.repeats == 1 and thing.id not in collapsed:
            scope.inner[index] = _scope(thing, scope, index, collapsed, locations, where)
            continue
        locations[thing.id] = (scope, index)
        members = thing.nodes() if isinstance(thing, Module) else [thing]
        where.update({node.id: thing.id for node in members})
    return scope


def _arrows(folded: Folded, where: Mapping[NodeId, BoxId]) -> list[Arrow]:
    """Edges gathered by what they look like: one arrow for all edges between the same visible ends."""
    gathered: dict[tuple[BoxId, NodeId, BoxId], list[DiagramEdge]] = {}
    for edge in folded.edges:
        source, target = where[edge.source], where[edge.target]
        if source != target:
            chip = edge.chip if source == edge.source else ""
            gathered.setdefault((source, chip, target), []).append(edge.edge)
    return [
        Arrow(source, target, (source, chip), tuple(edges))
        for (source, chip, target), edges in gathered.items()
    ]


def _way(start: Step, end: Step) -> Way | None:
    """Out of the source's scopes to the one that holds both ends, and into the target's. None across lanes."""
    up, down = _chain(start), _chain(end)
    shared = 0
    while shared < min(len(up), len(down)) and up[shared][0] is down[shared][0]:
        shared += 1
    if shared == 0:
        return None
    out = [(scope, item, BORDER) for scope, item in reversed(up[shared:])]
    scope, source = up[shared - 1]
    into = [(scope, BORDER, item) for scope, item in down[shared:]]
    return [*out, (scope, source, down[shared - 1][1]), *into]


def _chain(location: Step) -> list[Step]:
    """The scopes around an item from the lane inwards, each with the item that leads on."""
    chain = [location]
    scope = location[0]
    while (parent := scope.parent) is not None:
        chain.append((parent, scope.item_in_parent))
        scope = parent
    return chain[::-1]


def _rank_scopes(lanes: Sequence[Scope], ways: Sequence[Way | None]) -> None:
    """Give every item its row from the links between the items of its own scope."""
    links: dict[int, dict[tuple[int, int], None]] = {}
    for way in ways:
        for scope, source, target in way or ():
            if BORDER not in (source, target):
                links.setdefault(id(scope), {})[source, target] = None
    stack = list(lanes)
    while stack:
        scope = stack.pop()
        own = list(links.get(id(scope), ()))
        back = back_links(len(scope.ids), own)
        scope.rank = ranks(len(scope.ids), [link for link in own if link not in back])
        stack.extend(scope.inner.values())


class RowLengths:
    """How many rows of boxes an arrow passes, with the rows of open modules on its way."""

    def __init__(self, lanes: Sequence[Scope]) -> None:
        self._starts: dict[int, list[int]] = {}
        """By scope: the first row of each rank, and last the number of all rows."""
        for lane in lanes:
            self._count(lane)

    def _count(self, scope: Scope) -> int:
        tallest = [1] * (scope.last_rank + 1)
        for item, inner in scope.inner.items():
            rank = scope.rank[item]
            tallest[rank] = max(tallest[rank], self._count(inner))
        starts = list(accumulate(tallest, initial=0))
        self._starts[id(scope)] = starts
        return starts[-1]

    def short_enough(self, way: "Way", most: int) -> bool:
        """Whether an arrow leads onwards in each scope, past few of its items and few rows in all."""
        rows = 0
        for scope, source, target in way:
            upper = -1 if source == BORDER else scope.rank[source]
            lower = scope.last_rank + 1 if target == BORDER else scope.rank[target]
            if not 1 <= lower - upper <= LONGEST_EDGE:
                return False
            starts = self._starts[id(scope)]
            rows += starts[lower] - starts[upper + 1]
        return rows <= most
