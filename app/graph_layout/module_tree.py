"""The nodes of one lane as a tree of module calls, which is what a person expands and collapses.

A module that is called again after something that depends on its first call is a second module here
(``relu`` and ``relu#2``), so that boxes for modules make no cycles where the program has none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from app.graph_layout.ports import Folded
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.diagrams.node_homes import SUMS, homes
from compiler.model.ir.ids import NodeId

GroupId = str
"""A module's id: its dotted path, ``#2`` for its second call, ``@backward`` in the backward lane."""

BACKWARD = "backward"

BORDER_ROLES = frozenset(("input", "parameter", "tangent", "saved", "output"))
"""What the graph as a whole takes and gives belongs to no module, even where torch wrote one on it."""


@dataclass
class Module:
    """One module call: nodes and modules in it, in the diagram's order. The root of a lane has the empty path."""

    id: GroupId
    path: tuple[str, ...]
    lane: str = ""
    items: "list[DiagramNode | Module]" = field(default_factory=list)
    shape: int = -1
    """The same as the module before where the two are equal (`repeated_blocks`); -1 where nobody asked."""
    link: int = -1
    """The same as of the module before where the same stands before each."""
    repeats: int = 1
    """More than one for a run of equal modules drawn as one; then the items are these modules."""

    @cached_property
    def inside(self) -> "tuple[Module, ...]":
        """The modules among its items; to be asked for when the tree stands."""
        return tuple(item for item in self.items if isinstance(item, Module))

    def modules(self) -> "Iterator[Module]":
        """All modules inside, from the outside in."""
        for item in self.inside:
            yield item
            yield from item.modules()

    def nodes(self) -> Iterator[DiagramNode]:
        """All nodes inside."""
        if not self.inside:
            yield from cast("list[DiagramNode]", self.items)
            return
        for item in self.items:
            if isinstance(item, Module):
                yield from item.nodes()
            else:
                yield item


def module_trees(folded: Folded) -> tuple[Module, ...]:
    """One tree a lane: all in one, or forward and backward where a diagram has a backward lane."""
    inputs: dict[NodeId, list[NodeId]] = {node.id: [] for node in folded.nodes}
    for edge in folded.edges:
        inputs[edge.target].append(edge.source)
    paths = _paths(folded, inputs)
    nodes = _lifted_first(folded.nodes, paths, inputs)
    backward = [node for node in nodes if node.lane == BACKWARD]
    forward = [node for node in nodes if node.lane != BACKWARD]
    lanes = [("forward" if backward else "", forward), (BACKWARD, backward)]
    return tuple(_dissolve(_Gathering(lane, paths, inputs).tree(nodes)) for lane, nodes in lanes if nodes)


def _paths(folded: Folded, inputs: Mapping[NodeId, list[NodeId]]) -> dict[NodeId, tuple[str, ...]]:
    """The module path of each node (`node_homes`)."""
    paths: dict[NodeId, tuple[str, ...]] = {}
    lost, fixed = [], []
    for node in folded.nodes:
        border = node.role in BORDER_ROLES
        paths[node.id] = () if border else node.group
        if not node.group and node.role in ("operation", "collective"):
            lost.append(node)
        # of loops and kernels it is known already, and arrows between kernels are not uses
        if border or node.call is None or not node.call.op.startswith("call"):
            fixed.append(node.id)
    sums = [node.id for node in lost if node.call is not None and node.call.target in SUMS]
    given = {node.id for node in folded.nodes if node.role in ("parameter", "attribute")}
    own = [box for box, chips in folded.chips.items() if any(chip.kind == "parameter" for chip in chips)]
    own += [edge.target for edge in folded.edges if edge.source in given] if given else []
    return homes(paths, inputs, [node.id for node in lost], sums, fixed, own)


def _lifted_first(
    nodes: Sequence[DiagramNode],
    paths: Mapping[NodeId, tuple[str, ...]],
    inputs: Mapping[NodeId, list[NodeId]],
) -> list[DiagramNode]:
    """The nodes with those that were lifted out of the layer that made them, and what these are made of, as early as can be:
    before all layers that use them.
    """
    lifted = [node.id for node in nodes if node.call is not None and len(paths[node.id]) < len(node.group)]
    if not lifted:
        return list(nodes)
    moved = _with_ancestors(lifted, inputs).difference(node.id for node in nodes if node.role in BORDER_ROLES)
    place = {node.id: at for at, node in enumerate(nodes)}
    behind: dict[NodeId, list[DiagramNode]] = {}
    for node in nodes:
        if node.id in moved:
            last = max(inputs[node.id], key=place.__getitem__, default="")
            behind.setdefault(last, []).append(node)
    order: list[DiagramNode] = []
    waiting = [node for node in reversed(nodes) if node.id not in moved] + behind.get("", [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(behind.get(order[-1].id, ()))
    return order


def _with_ancestors(names: Sequence[NodeId], inputs: Mapping[NodeId, list[NodeId]]) -> set[NodeId]:
    found, ahead = set(names), list(names)
    while ahead:
        fresh = [used for used in inputs[ahead.pop()] if used not in found]
        found.update(fresh)
        ahead += fresh
    return found


@dataclass(eq=False)
class _Call:
    """A module call while its nodes are gathered."""

    module: Module
    around: "_Call | None" = None
    index: int = 0
    """Its number among the items of the call around it."""
    above: list[int] = field(default_factory=list)
    """`above[i]` is a bit set of the items that item `i` depends on; nothing as long as there are only nodes."""
    inside: "dict[int, _Call]" = field(default_factory=dict)
    """The calls among the items."""
    open: dict[str, int] = field(default_factory=dict)
    """The item that is the call of a module that nodes still join."""
    counts: dict[str, int] = field(default_factory=dict)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    """What stands in `_Gathering.open` for it, and for what is in it."""


class _Gathering:
    """Gathers the nodes of each module call, in order.

    A node may join the open call of its module unless it depends on that call through something outside.
    """

    def __init__(
        self, lane: str, paths: Mapping[NodeId, tuple[str, ...]], inputs: Mapping[NodeId, list[NodeId]]
    ) -> None:
        self._lane, self._paths, self._inputs = lane, paths, inputs
        self._root = _Call(Module(lane, (), lane))
        self._open: dict[tuple[str, ...], _Call] = {(): self._root}
        """By path the innermost call that is open now, where all around it are."""
        self._calls: list[_Call] = []
        self._call_of: dict[NodeId, _Call] = {}
        self._place_of: dict[NodeId, int] = {}
        """The innermost call that a node stands in, and its number among the items there."""

    def tree(self, nodes: Sequence[DiagramNode]) -> Module:
        """All of them in one module."""
        paths, inputs, call_of, place_of = self._paths, self._inputs, self._call_of, self._place_of
        for node in nodes:
            name = node.id
            call = self._open.get(paths[name])
            if call is None:
                call = self._joined(name)
            else:
                for source in inputs[name]:
                    if call_of.get(source, call) is not call:  # most use what is in the same call
                        call = self._joined(name)
                        break
            items = call.module.items
            call_of[name], place_of[name] = call, len(items)
            items.append(node)
            if call.inside:
                call.above.append(0)
                self._depend(call, len(items) - 1, self._sources(call, name))
        for call in self._calls:
            call.around = None  # no cycles are left behind
        return self._root.module

    def _joined(self, name: NodeId) -> _Call:
        """The innermost call for a node, with those around it opened as far as need be."""
        call, path = self._root, self._paths[name]
        for depth, part in enumerate(path):
            sources = self._sources(call, name)
            index = call.open.get(part, -1)
            others = [source for source in sources if source != index]
            if index >= 0 and any(call.above[source] >> index & 1 for source in others):
                for closed in call.inside[index].paths:
                    self._open.pop(closed, None)
                index, others = -1, sources
            if index < 0:
                index = self._begun(call, path[: depth + 1])
            self._depend(call, index, others)
            call = call.inside[index]
        if self._open.get(path) is not call:
            self._open[path] = call
            around: _Call | None = call
            while around is not None:
                around.paths.append(path)
                around = around.around
        return call

    def _begun(self, call: _Call, path: tuple[str, ...]) -> int:
        if not call.inside:  # what stands there already depends on no call
            call.above = [0] * len(call.module.items)
        name, index = path[-1], len(call.module.items)
        call.open[name] = index
        call.counts[name] = call.counts.get(name, 0) + 1
        parent = call.module.id if call.around is not None else ""
        made = Module(_group_id(parent, name, call.counts[name], self._lane), path, self._lane)
        call.module.items.append(made)
        call.above.append(0)
        call.inside[index] = _Call(made, call, index)
        self._calls.append(call.inside[index])
        return index

    def _sources(self, call: _Call, name: NodeId) -> list[int]:
        """The items of a call that a node uses."""
        depth, found = len(call.module.path), []
        for source in self._inputs[name]:
            inner = self._call_of.get(source)
            if inner is None:
                continue
            place = self._place_of[source]
            while inner is not call and inner.around is not None and len(inner.module.path) > depth:
                place, inner = inner.index, inner.around
            if inner is call:
                found.append(place)
        return found

    def _depend(self, call: _Call, index: int, sources: Sequence[int]) -> None:
        above = call.above[index]
        for source in sources:
            above |= call.above[source] | 1 << source
        call.above[index] = above


def _group_id(parent: GroupId, name: str, call: int, lane: str) -> GroupId:
    base = parent.removesuffix(f"@{BACKWARD}")
    text = f"{base}.{name}" if base else name
    text = f"{text}#{call}" if call > 1 else text
    return f"{text}@{BACKWARD}" if lane == BACKWARD else text


def _dissolve(module: Module) -> Module:
    """Modules that hold one thing only are that thing: a box around one box says nothing."""
    items: list[DiagramNode | Module] = []
    for item in module.items:
        if isinstance(item, Module):
            inner = _dissolve(item)
            items.append(inner.items[0] if len(inner.items) == 1 else inner)
        else:
            items.append(item)
    module.items = items
    return module
