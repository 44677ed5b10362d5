"""Takes small nodes out of the layout: parameters become ports of their users, getitems of their producers."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from app.graph_layout.geometry import Chip
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode
from compiler.model.ir.ids import NodeId

FEW_USES = 3
"""A parameter with more uses than this stays a box of its own, else it would be repeated all over."""

MANY_SAVED = 60
"""So many tensors saved for the backward, and more, are ports as well: a large model has thousands."""

_LEAVES = ("parameter", "attribute")


class FoldedEdge(msgspec.Struct, frozen=True, gc=False):
    """An arrow between two boxes, from a chip of the first (a getitem) or from the box itself (empty chip)."""

    source: NodeId
    target: NodeId
    chip: NodeId
    edge: DiagramEdge


@dataclass(frozen=True)
class Folded:
    """A diagram whose small nodes are chips."""

    nodes: tuple[DiagramNode, ...]
    """The nodes that are boxes, in the diagram's order."""
    chips: Mapping[NodeId, tuple[Chip, ...]]
    """By box, parameters first."""
    edges: tuple[FoldedEdge, ...]


def fold(diagram: Diagram) -> Folded:
    """Fold parameters with few uses and getitems into their neighbours."""
    saved = sum(node.role == "saved" for node in diagram.nodes)
    roles = (*_LEAVES, "saved") if saved >= MANY_SAVED else _LEAVES
    users: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes if node.role in roles}
    producers: dict[NodeId, list[NodeId]] = {node_id: [] for node_id in users}
    producers |= {node.id: [] for node in diagram.nodes if node.role == "getitem"}
    for edge in diagram.edges:
        if (found := users.get(edge.source)) is not None:
            found.append(edge.target)
        if (found := producers.get(edge.target)) is not None:
            found.append(edge.source)
    root = _getitem_roots(diagram, producers)
    leaves = {
        leaf
        for leaf, uses in users.items()
        if not producers[leaf] and 0 < len(uses) <= FEW_USES and root.keys().isdisjoint(uses)
    }
    edges = tuple(_folded_edges(diagram, leaves, root))
    kept = tuple(node for node in diagram.nodes if node.id not in leaves and node.id not in root)
    return Folded(kept, _chips(diagram, leaves, root, users), edges)


def _chips(
    diagram: Diagram,
    leaves: Collection[NodeId],
    root: Mapping[NodeId, NodeId],
    users: Mapping[NodeId, list[NodeId]],
) -> dict[NodeId, tuple[Chip, ...]]:
    chips: dict[NodeId, list[Chip]] = {}
    for node in diagram.nodes:
        if node.id in leaves:
            label = short_parameter_name(node.name)
            kind = "saved" if node.role == "saved" else "parameter"
            for index, user in enumerate(users[node.id]):
                chips.setdefault(user, []).append(Chip(node.id, label, kind, home=index == 0))
    for node in diagram.nodes:
        if node.id in root:
            chips.setdefault(root[node.id], []).append(Chip(node.id, node.name, "getitem"))
    return {box: tuple(items) for box, items in chips.items()}


def _folded_edges(
    diagram: Diagram, leaves: Collection[NodeId], root: Mapping[NodeId, NodeId]
) -> Iterator[FoldedEdge]:
    for edge in diagram.edges:
        source, target = edge.source, edge.target
        if source not in leaves and target not in root:
            box = root.get(source)
            yield FoldedEdge(box or source, target, source if box else "", edge)


def short_parameter_name(name: str) -> str:
    """``l_self_modules_fc1_parameters_weight_`` as ``weight``, ``primals_3`` as it is."""
    for mark in ("_parameters_", "_buffers_"):
        if mark in name:
            return name.rpartition(mark)[2].strip("_") or name
    return name.rpartition(".")[2] or name


def _getitem_roots(diagram: Diagram, producers: Mapping[NodeId, list[NodeId]]) -> dict[NodeId, NodeId]:
    """For each getitem that stands in a box that box (a getitem of a getitem goes to the first). `producers` of getitems."""
    root: dict[NodeId, NodeId] = {}
    before: set[NodeId] = set()
    for node in diagram.nodes:
        if node.role == "getitem":
            inputs = producers[node.id]
            if len(inputs) == 1 and inputs[0] in before:
                root[node.id] = root.get(inputs[0], inputs[0])
        before.add(node.id)
    return root
