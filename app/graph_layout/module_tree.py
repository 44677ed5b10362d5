"""The nodes of one lane as a tree of module calls, which is what a person expands and collapses.

A module that is called again after something that depends on its first call is a second module here
(``relu`` and ``relu#2``), so that boxes for modules make no cycles where the program has none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.graph_layout.ports import Folded
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.diagrams.node_homes import SUMS, homes
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
    nodes = _lifted_first(folded.nodes, paths, inputs)
    backward = [node for node in nodes if node.lane == BACKWARD]
    forward = [node for node in nodes if node.lane != BACKWARD]
    lanes = [("forward" if backward else "", forward), (BACKWARD, backward)]
    return tuple(
        _dissolve(Module(lane, (), lane, _split(nodes, 0, lane, "", paths, inputs)))
        for lane, nodes in lanes
        if nodes
    )


def _paths(folded: Folded, inputs: Mapping[NodeId, list[NodeId]]) -> dict[NodeId, tuple[str, ...]]:
    """The module path of each node (`node_homes`)."""
    paths = {node.id: () if node.role in BORDER_ROLES else node.group for node in folded.nodes}
    lost = [node for node in folded.nodes if not node.group and node.role in ("operation", "collective")]
    sums = [node.id for node in lost if node.call is not None and node.call.target in SUMS]
    # of loops and kernels it is known already, and arrows between kernels are not uses
    fixed = [
        node.id
        for node in folded.nodes
        if node.call is None or not node.call.op.startswith("call") or node.role in BORDER_ROLES
    ]
    given = {node.id for node in folded.nodes if node.role in ("parameter", "attribute")}
    own = [box for box, chips in folded.chips.items() if any(chip.kind == "parameter" for chip in chips)]
    own += [edge.target for edge in folded.edges if edge.source in given]
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


def _split(
    nodes: Sequence[DiagramNode],
    depth: int,
    lane: str,
    parent: GroupId,
    paths: Mapping[NodeId, tuple[str, ...]],
    inputs: Mapping[NodeId, list[NodeId]],
) -> "list[DiagramNode | Module]":
    """Gather the nodes of each module call at this depth, in order."""
    found = [paths[node.id] for node in nodes]
    names = [path[depth] if len(path) > depth else "" for path in found]
    name = names[0]
    if names.count(name) < len(names):
        return _gathered(nodes, names, depth, lane, parent, paths, inputs)
    if not name:
        return list(nodes)
    only = Module(_group_id(parent, name, 1, lane), found[0][: depth + 1], lane)
    only.items = _split(nodes, depth + 1, lane, only.id, paths, inputs)
    return [only]


def _gathered(
    nodes: Sequence[DiagramNode],
    names: Sequence[str],
    depth: int,
    lane: str,
    parent: GroupId,
    paths: Mapping[NodeId, tuple[str, ...]],
    inputs: Mapping[NodeId, list[NodeId]],
) -> "list[DiagramNode | Module]":
    """The general case, with nodes of several modules; `names` says of each in which, empty for none.

    `above[i]` is a bit set of the groups that item `i` depends on. A node may join the open call of its module
    unless it depends on that call through something outside.
    """
    items: list[DiagramNode | Module] = []
    members: list[list[DiagramNode]] = []
    above: list[int] = []
    place_of: dict[NodeId, int] = {}
    open_call: dict[str, int] = {}
    calls: dict[str, int] = {}
    for node, name in zip(nodes, names, strict=True):
        index = open_call.get(name, -1) if name else -1
        sources = [place for source in inputs[node.id] if (place := place_of.get(source, index)) != index]
        if not sources and index >= 0:  # most: what they use is in the same call
            members[index].append(node)
            place_of[node.id] = index
            continue
        if index >= 0 and any(above[source] >> index & 1 for source in sources):
            index = -1
            sources = [place_of[source] for source in inputs[node.id] if source in place_of]
        if index < 0:
            index = len(items)
            above.append(0)
            members.append([])
            items.append(node)
            if name:
                open_call[name] = index
                calls[name] = calls.get(name, 0) + 1
                path = paths[node.id][: depth + 1]
                items[index] = Module(_group_id(parent, name, calls[name], lane), path, lane)
        members[index].append(node)
        place_of[node.id] = index
        for source in sources:
            above[index] |= above[source] | 1 << source
    for index, item in enumerate(items):
        if isinstance(item, Module):
            item.items = _split(members[index], depth + 1, lane, item.id, paths, inputs)
    return items


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
