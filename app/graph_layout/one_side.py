"""One of two graphs out of a layout of both: what both have stands in the same place in either."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import msgspec

from app.graph_layout.geometry import Box, Frame, Layout
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.ir.ids import NodeId


def one_side(
    layout: Layout,
    absent: Collection[NodeId],
    absent_edges: Collection[tuple[NodeId, NodeId]],
    texts: Mapping[NodeId, DiagramNode],
) -> Layout:
    """The layout without these nodes and arrows. `texts` are the nodes of this side where they read otherwise."""
    gone, gone_edges = frozenset(absent), frozenset(absent_edges)
    kept = (_without(box, gone) for box in layout.boxes)
    boxes = tuple(_reported(box, texts) for box in kept if box is not None)
    there = {box.id for box in boxes}

    def stays(pair: tuple[NodeId, NodeId]) -> bool:
        return pair not in gone_edges and pair[0] not in gone and pair[1] not in gone

    edges = tuple(
        edge
        for edge in layout.edges
        if edge.source in there and edge.target in there and any(map(stays, edge.nodes))
    )
    stubs = []
    for stub in layout.stubs:
        ends = tuple(end for end in stub.ends if end.box in there and stays((end.source, end.target)))
        if stub.box in there and ends:
            stubs.append(msgspec.structs.replace(stub, ends=ends))
    frames = layout.frames
    if len(boxes) < len(layout.boxes):
        frames = tuple(frame for frame in frames if any(_inside(box, frame) for box in boxes))
    where = {node: box for node, box in layout.where.items() if node not in gone and box in there}
    return replace(layout, boxes=boxes, edges=edges, stubs=tuple(stubs), frames=frames, where=where)


def _without(box: Box, gone: frozenset[NodeId]) -> Box | None:
    if gone.isdisjoint(box.members) and all(chip.node not in gone for chip, _ in box.chips):
        return box
    members = tuple(node for node in box.members if node not in gone)
    if (box.node is not None and box.node.id in gone) or (box.node is None and not members):
        return None
    return msgspec.structs.replace(
        box, members=members, chips=tuple(row for row in box.chips if row[0].node not in gone)
    )


def _reported(box: Box, texts: Mapping[NodeId, DiagramNode]) -> Box:
    own = texts.get(box.node.id) if box.node is not None else None
    return box if own is None else msgspec.structs.replace(box, node=_under(own, box), title=own.title)


def _under(node: DiagramNode, box: Box) -> DiagramNode:
    """The node under the id of its box, which is the same on both sides."""
    return DiagramNode(
        box.id, node.title, node.name, node.detail, node.role, node.lane, node.group, node.bytes
    )


def _inside(box: Box, frame: Frame) -> bool:
    x, y = box.rect.center
    return frame.rect.x <= x <= frame.rect.right and frame.rect.y <= y <= frame.rect.bottom
