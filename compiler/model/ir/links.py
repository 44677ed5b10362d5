"""Links between stages, and following a selection along them.

A link is one that torch recorded, or one we can prove; `proof` says which. Links join neighbouring stages
only; everything farther is found by walking, so there is one truth and it is small.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

import msgspec

from compiler.model.ir.ids import NodeId, Place, StageId, place

Ends: TypeAlias = dict[NodeId, NodeId | tuple[NodeId, ...]]
"""Node → the nodes it is linked with. Most have one, and a tuple of one takes more memory than all else of a link."""
GUESS = "guess"
"""The proof of a link that has none."""


class LinkTable(msgspec.Struct, frozen=True, dict=True):
    """All links of one kind from one stage to the next."""

    source: StageId
    target: StageId
    kind: str
    """What the step did: ``traced``, ``entered`` (a line called the frame), ``decomposed``, ``partitioned``, ``same``, ``rewritten``, ``lowered``,
    ``fused``, ``generated``, ``emitted``, ``called``."""
    proof: str
    """Where it comes from: ``torch`` (recorded by torch, or noted while torch did it), ``python`` (recorded by Python),
    ``debug`` (debug locations that Triton and LLVM carry along),
    ``tag`` (carried through torch by our mark on the node), ``name`` (a node torch moved without renaming); or ``guess``:
    likely, shown as a guess, and never counted as certain."""
    pairs: tuple[tuple[NodeId, NodeId], ...]
    ends: bool = False
    """Followed only from a selection at one of its own two ends, and no farther: another table joins the stages beyond
    more finely. A loop node has lines of many FX nodes, so the way from an FX node to its lines is not through it."""
    equal_locations: bool = msgspec.field(default=False, name="twins")
    """Source and target are the same lines of a program in two forms: what is selected in one form is selected in all."""

    @cached_property
    def down(self) -> Ends:
        """For each node of the source those of the target. Gathered when it is first asked for: a large capture has many links
        that nobody ever follows.
        """
        return _ends(self.pairs)

    @cached_property
    def up(self) -> Ends:
        """For each node of the target those of the source."""
        return _ends((target, source) for source, target in self.pairs)


def _ends(pairs: Iterable[tuple[NodeId, NodeId]]) -> Ends:
    ends: Ends = {}
    several: dict[NodeId, list[NodeId]] = {}
    for near, far in pairs:
        first = ends.setdefault(near, far)
        if first is not far and first != far:
            several.setdefault(near, [str(first)]).append(far)
    ends.update((near, tuple(dict.fromkeys(nodes))) for near, nodes in several.items())
    return ends


class _Edges:
    """Links in one direction."""

    def __init__(self, tables: tuple[LinkTable, ...], up: bool) -> None:
        self._up = up
        self._tables: dict[StageId, list[LinkTable]] = {}
        for table in tables:
            self._tables.setdefault(table.target if up else table.source, []).append(table)
        self._known: dict[StageId, tuple[tuple[StageId, bool, Ends], ...]] = {}

    def of(self, stage: StageId) -> tuple[tuple[StageId, bool, Ends], ...]:
        """The links that begin at a stage, table by table: (where they lead, whether they end there, the links)."""
        found = self._known.get(stage)
        if found is None:
            found = self._known[stage] = tuple(
                (table.source, table.ends, table.up) if self._up else (table.target, table.ends, table.down)
                for table in self._tables.get(stage, ())
            )
        return found


class Provenance:
    """An index over link tables. Immutable once made; cheap to ask.

    ``follow(place)`` gives the counterparts of a selection in every stage: everything it was made from (walking
    up) and everything made from it (walking down), never both in turn, so that brothers do not light up.
    """

    def __init__(self, tables: Iterable[LinkTable]) -> None:
        tables = tuple(tables)
        self._down = _Edges(tables, up=False)
        self._up = _Edges(tables, up=True)
        self._equal_locations: dict[StageId, dict[NodeId, set[tuple[StageId, NodeId]]]] = {}
        for table in tables:
            if table.equal_locations:
                equal_locations = self._equal_locations.setdefault(table.target, {})
                for source, target in table.pairs:
                    equal_locations.setdefault(target, set()).add((table.source, source))

    def ancestors(self, start: Place) -> dict[StageId, set[NodeId]]:
        """Everything the nodes were made from, by stage; the start is not in it."""
        return _walk(self._up, start)

    def descendants(self, start: Place) -> dict[StageId, set[NodeId]]:
        """Everything made from the nodes, by stage; the start is not in it."""
        return _walk(self._down, start)

    def follow(self, start: Place) -> dict[StageId, Place]:
        """The selection in every stage it reaches, its own included."""
        found: dict[StageId, set[NodeId]] = defaultdict(set)
        if start:
            found[start.stage] |= set(start.nodes)
        other_forms = (self.descendants(equal) for equal in self._equal_locations_of(start))
        for reached in (self.ancestors(start), self.descendants(start), *other_forms):
            for stage, nodes in reached.items():
                found[stage] |= nodes
        return {stage: place(stage, *nodes) for stage, nodes in found.items()}

    def make_ready(self, stage: StageId) -> None:
        """Gather the links that a selection in a stage may follow. Following them does it too."""
        for edges in (self._up, self._down):
            left, seen = [stage], {stage}
            while left:
                beyond = {farther for farther, _, _ in edges.of(left.pop())} - seen
                seen |= beyond
                left += beyond

    def _equal_locations_of(self, start: Place) -> Iterator[Place]:
        equal_locations = self._equal_locations.get(start.stage, {})
        locations: dict[StageId, set[NodeId]] = defaultdict(set)
        for node in start.nodes:
            for stage, equal in equal_locations.get(node, ()):
                locations[stage].add(equal)
        return (place(stage, *nodes) for stage, nodes in locations.items())

    def linked(self, stage: StageId) -> set[NodeId]:
        """Nodes of a stage that have a link in either direction."""
        return {node for edges in (self._down, self._up) for _, _, ends in edges.of(stage) for node in ends}


def _walk(edges: _Edges, start: Place) -> dict[StageId, set[NodeId]]:
    found: dict[StageId, set[NodeId]] = defaultdict(set)
    first = {(start.stage, node) for node in start.nodes}
    stack, gone_on = list(first), set(first)
    while stack:
        stage, node = stack.pop()
        for next_stage, ends, links in edges.of(stage):
            reached = links.get(node)
            if reached is None or (ends and (stage, node) not in first):
                continue
            for next_node in (reached,) if isinstance(reached, str) else reached:
                found[next_stage].add(next_node)
                if not ends and (next_stage, next_node) not in gone_on:
                    gone_on.add((next_stage, next_node))
                    stack.append((next_stage, next_node))
    return dict(found)
