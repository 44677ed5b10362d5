"""Takes small nodes out of the layout: parameters become ports of their users, getitems of their producers."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.graph_layout.geometry import Chip
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode
from compiler.model.ir.ids import NodeId

FEW_USES = 3
"""A parameter with more uses than this stays a box of its own, else it would be repeated all over."""

MANY_SAVED = 60
"""So many tensors saved for the backward, and more, are ports as well: a large model has thousands."""

_LEAVES = ("parameter", "attribute")


@dataclass(frozen=True, slots=True)
class FoldedEdge:
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
    nodes = {node.id: node for node in diagram.nodes}
    producers: dict[NodeId, list[NodeId]] = {node_id: [] for node_id in nodes}
    users: dict[NodeId, list[NodeId]] = {node_id: [] for node_id in nodes}
    for edge in diagram.edges:
        producers[edge.target].append(edge.source)
        users[edge.source].append(edge.target)
    root = _getitem_roots(diagram, producers)
    saved = sum(node.role == "saved" for node in diagram.nodes)
    roles = (*_LEAVES, "saved") if saved >= MANY_SAVED else _LEAVES
    leaves = {
        node.id
        for node in diagram.nodes
        if node.role in roles
        and not producers[node.id]
        and 0 < len(users[node.id]) <= FEW_USES
        and all(root[user] == user for user in users[node.id])
    }
    chips: dict[NodeId, list[Chip]] = {}
    for leaf in (node.id for node in diagram.nodes if node.id in leaves):
        for index, user in enumerate(users[leaf]):
            label = short_parameter_name(nodes[leaf].name)
            kind = "saved" if nodes[leaf].role == "saved" else "parameter"
            chips.setdefault(user, []).append(Chip(leaf, label, kind, home=index == 0))
    for node in diagram.nodes:
        if root[node.id] != node.id:
            chips.setdefault(root[node.id], []).append(Chip(node.id, node.name, "getitem"))
    edges = tuple(
        FoldedEdge(
            root[edge.source], edge.target, edge.source if root[edge.source] != edge.source else "", edge
        )
        for edge in diagram.edges
        if edge.source not in leaves and root[edge.target] == edge.target
    )
    kept = tuple(node for node in diagram.nodes if node.id not in leaves and root[node.id] == node.id)
    return Folded(kept, {box: tuple(items) for box, items in chips.items()}, edges)


def short_parameter_name(name: str) -> str:
    """``l_self_modules_fc1_parameters_weight_`` as ``weight``, ``primals_3`` as it is."""
    for mark in ("_parameters_", "_buffers_"):
        if mark in name:
            return name.rpartition(mark)[2].strip("_") or name
    return name.rpartition(".")[2] or name


def _getitem_roots(diagram: Diagram, producers: Mapping[NodeId, list[NodeId]]) -> dict[NodeId, NodeId]:
    """For each node the box it stands in as far as getitems go (a getitem of a getitem goes to the first)."""
    root: dict[NodeId, NodeId] = {}
    for node in diagram.nodes:
        inputs = producers[node.id]
        foldable = node.role == "getitem" and len(inputs) == 1 and inputs[0] in root
        root[node.id] = root[inputs[0]] if foldable else node.id
    return root
