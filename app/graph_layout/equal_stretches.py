"""Equal parts of a merged diagram taken together, so that what differs is seen with its surroundings and no more."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import msgspec

from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode
from compiler.model.diagrams.joined_parts import joined_parts
from compiler.model.diagrams.node_homes import common_start
from compiler.model.ir.ids import NodeId

EQUAL = "… "
"""Before the name of the first node of a stretch: the id of the box that stands for it, which no node has."""

_AROUND = 2
"""So many steps around a difference stay open."""
_FEWEST = 4
"""Fewer nodes are shown as they are."""
_SMALL = 30
"""A diagram with fewer boxes has no need of this."""
_LEAVES = ("parameter", "attribute", "input", "tangent", "saved")


@dataclass(frozen=True)
class Shortened:
    """A diagram with stretches folded away."""

    diagram: Diagram
    stretches: Mapping[NodeId, tuple[NodeId, ...]]
    """The nodes of each box that stands for several."""

    def stands_for(self, node: NodeId) -> tuple[NodeId, ...]:
        """The nodes behind a box."""
        return self.stretches.get(node, (node,))


def shorten(diagram: Diagram, differing: Collection[NodeId], unfolded: Collection[NodeId] = ()) -> Shortened:
    """Fold what is far from every difference, but for the stretches that are named. Linear in the size.

    The diagram must be in running order. A stretch never stands above and below one node, so no circle comes about.
    """
    if len(diagram.nodes) <= _SMALL or not differing:
        return Shortened(diagram, {})
    inputs: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes}
    users: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes}
    for edge in diagram.edges:
        inputs[edge.target].append(edge.source)
        users[edge.source].append(edge.target)
    shown = _near(diagram, set(differing), inputs, users)
    groups = _groups(diagram, shown, inputs, users)
    stretches = {
        f"{EQUAL}{members[0].id}": members
        for members in groups
        if len(members) >= _FEWEST and f"{EQUAL}{members[0].id}" not in unfolded
    }
    return _folded(diagram, stretches)


def _near(
    diagram: Diagram,
    differing: set[NodeId],
    inputs: Mapping[NodeId, list[NodeId]],
    users: Mapping[NodeId, list[NodeId]],
) -> set[NodeId]:
    """What differs and what is around it. Steps do not lead through what the whole graph takes and gives."""
    hubs = {node.id for node in diagram.nodes if node.role in (*_LEAVES, "output")}
    near, edge = set(differing), differing - hubs
    for _ in range(_AROUND):
        edge = {other for node in edge for other in (*inputs[node], *users[node])} - near
        near |= edge
        edge -= hubs
    near |= {node for node in hubs if any(user in near for user in users[node])}
    return near


def _groups(
    diagram: Diagram,
    shown: set[NodeId],
    inputs: Mapping[NodeId, list[NodeId]],
    users: Mapping[NodeId, list[NodeId]],
) -> list[list[DiagramNode]]:
    """What is not shown, in parts that hang together and have as many shown nodes above them in their lane."""
    lane = {node.id: node.lane for node in diagram.nodes}
    ends = {node.id for node in diagram.nodes if node.role == "output"}
    level: dict[NodeId, int] = {}
    for node in diagram.nodes:
        above = [used for used in inputs[node.id] if used in level and lane[used] == node.lane]
        level[node.id] = max((level[used] + (used in shown) for used in above), default=0)
    for node in reversed(
        diagram.nodes
    ):  # as far down as may be, so that side branches go with what they lead to
        below = [user for user in users[node.id] if lane[user] == node.lane and user not in ends]
        if node.id not in shown and below:
            level[node.id] = min(level[user] for user in below)
    hidden = {node.id: node for node in diagram.nodes if node.id not in shown}
    ends_of = ((edge.source, edge.target) for edge in diagram.edges)
    same = (
        (a, b)
        for a, b in ends_of
        if a in hidden and b in hidden and (level[a], lane[a]) == (level[b], lane[b])
    )
    return [[hidden[name] for name in part] for part in joined_parts(hidden, same)]


def _folded(diagram: Diagram, stretches: Mapping[NodeId, list[DiagramNode]]) -> Shortened:
    owner = {node.id: box for box, members in stretches.items() for node in members}
    last = {members[-1].id: box for box, members in stretches.items()}
    nodes = []
    for node in diagram.nodes:
        if node.id not in owner:
            nodes.append(node)
        elif node.id in last:
            nodes.append(_box(last[node.id], stretches[last[node.id]]))
    edges: dict[tuple[NodeId, NodeId], DiagramEdge] = {}
    for edge in diagram.edges:
        ends = owner.get(edge.source, edge.source), owner.get(edge.target, edge.target)
        if ends[0] != ends[1] and ends not in edges:
            edges[ends] = msgspec.structs.replace(edge, source=ends[0], target=ends[1])
    members = {box: tuple(node.id for node in nodes) for box, nodes in stretches.items()}
    return Shortened(Diagram(tuple(nodes), tuple(edges.values())), members)


def _box(name: NodeId, members: list[DiagramNode]) -> DiagramNode:
    title = f"… {len(members):,} equal nodes"
    return DiagramNode(
        name,
        title,
        title,
        "",
        "equal",
        members[0].lane,
        common_start([node.group for node in members if node.group]),
    )
