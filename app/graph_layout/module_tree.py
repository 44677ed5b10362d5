"""The nodes of one lane as a tree of module calls, which is what a person expands and collapses.

A module that is called again after something that depends on its first call is a second module here
(``relu`` and ``relu#2``), so that boxes for modules make no cycles where the program has none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.graph_layout.ports import Folded
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.ir.ids import NodeId

GroupId = str
"""A module's id: its dotted path, ``#2`` for its second call, ``@backward`` in the backward lane."""

BACKWARD = "backward"

BORDER_ROLES = ("input", "parameter", "tangent", "saved", "output")
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

    def modules(self) -> "Iterator[Module]":
        """All modules inside, from the outside in."""
        for item in self.items:
            if isinstance(item, Module):
                yield item
                yield from item.modules()

    def nodes(self) -> Iterator[DiagramNode]:
        """All nodes inside."""
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
    backward = [node for node in folded.nodes if node.lane == BACKWARD]
    forward = [node for node in folded.nodes if node.lane != BACKWARD]
    lanes = [("forward" if backward else "", forward), (BACKWARD, backward)]
    return tuple(
        _dissolve(Module(lane, (), lane, _split(nodes, 0, lane, "", paths, inputs)))
        for lane, nodes in lanes
        if nodes
    )


def _paths(folded: Folded, inputs: Mapping[NodeId, list[NodeId]]) -> dict[NodeId, tuple[str, ...]]:
    """The module path of each node. An operation that lost its own (decompositions do that, and sums of gradients
    have none) belongs to the innermost module that holds all that it is made from and all that it goes into.
    """
    paths = {node.id: () if node.role in BORDER_ROLES else node.group for node in folded.nodes}
    users: dict[NodeId, list[NodeId]] = {node.id: [] for node in folded.nodes}
    for target, sources in inputs.items():
        for source in sources:
            users[source].append(target)
    lost = [node.id for node in folded.nodes if not node.group and node.role in ("operation", "collective")]
    above, below = _shared_paths(lost, inputs, paths), _shared_paths(lost[::-1], users, paths)
    paths.update({node: _common_start((above[node], below[node])) for node in lost})
    return paths


def _shared_paths(
    lost: Iterable[NodeId],
    neighbours: Mapping[NodeId, list[NodeId]],
    paths: Mapping[NodeId, tuple[str, ...]],
) -> dict[NodeId, tuple[str, ...]]:
    """For each node that lost its module the innermost one that holds all neighbours on one side. A neighbour that
    lost its own as well, and so comes earlier among `lost`, stands for its own neighbours.
    """
    shared: dict[NodeId, tuple[str, ...]] = {}
    for node in lost:
        around = [shared.get(other, paths[other]) for other in neighbours[node]]
        shared[node] = _common_start(around) if around else ()
    return shared


def _common_start(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The longest path that all of them begin with."""
    first, last = min(paths), max(paths)
    length = next(
        (index for index, name in enumerate(first) if last[index : index + 1] != (name,)), len(first)
    )
    return first[:length]


def _split(
    nodes: Sequence[DiagramNode],
    depth: int,
    lane: str,
    parent: GroupId,
    paths: Mapping[NodeId, tuple[str, ...]],
    inputs: Mapping[NodeId, list[NodeId]],
) -> "list[DiagramNode | Module]":
    """Gather the nodes of each module call at this depth, in order."""
    name = _only_name(nodes, depth, paths)
    if name is None:
        return _gathered(nodes, depth, lane, parent, paths, inputs)
    if name == "":
        return list(nodes)
    only = Module(_group_id(parent, name, 1, lane), paths[nodes[0].id][: depth + 1], lane)
    only.items = _split(nodes, depth + 1, lane, only.id, paths, inputs)
    return [only]


def _gathered(
    nodes: Sequence[DiagramNode],
    depth: int,
    lane: str,
    parent: GroupId,
    paths: Mapping[NodeId, tuple[str, ...]],
    inputs: Mapping[NodeId, list[NodeId]],
) -> "list[DiagramNode | Module]":
    """The general case, with nodes of several modules.

    `above[i]` is a bit set of the groups that item `i` depends on. A node may join the open call of its module
    unless it depends on that call through something outside.
    """
    items: list[DiagramNode | Module] = []
    members: list[list[DiagramNode]] = []
    above: list[int] = []
    place_of: dict[NodeId, int] = {}
    open_call: dict[str, int] = {}
    calls: dict[str, int] = {}
    for node in nodes:
        sources = [place_of[source] for source in inputs[node.id] if source in place_of]
        path = paths[node.id]
        name = path[depth] if len(path) > depth else ""
        index = open_call.get(name) if name else None
        if index is not None and any(above[source] >> index & 1 for source in sources if source != index):
            index = None
        if index is None:
            index = len(items)
            above.append(0)
            members.append([])
            items.append(node)
            if name:
                open_call[name] = index
                calls[name] = calls.get(name, 0) + 1
                items[index] = Module(_group_id(parent, name, calls[name], lane), path[: depth + 1], lane)
        members[index].append(node)
        place_of[node.id] = index
        for source in sources:
            if source != index:
                above[index] |= above[source] | 1 << source
    for index, item in enumerate(items):
        if isinstance(item, Module):
            item.items = _split(members[index], depth + 1, lane, item.id, paths, inputs)
    return items


def _only_name(
    nodes: Sequence[DiagramNode], depth: int, paths: Mapping[NodeId, tuple[str, ...]]
) -> str | None:
    """The name of the one module that all of these nodes are a call of, empty where none of them is in any; None
    where there are several.
    """
    names = {paths[node.id][depth : depth + 1] for node in nodes}
    return next(iter(next(iter(names))), "") if len(names) == 1 else None


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
