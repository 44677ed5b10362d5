"""Two stages as one diagram: what both have stands in it once, what one of them has is said to be its own."""

from collections import defaultdict

import msgspec

from compiler.analysis.diff.graph_matching import GraphMatch
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode
from compiler.model.ir.argument_substitution import mapped_mapping, mapped_sequence
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.ids import NodeId

ADDED, REMOVED = "added", "removed"
_INPUTS = ("input", "parameter", "tangent", "saved", "attribute")


class MergedNode(msgspec.Struct, frozen=True):
    """One box of the merged diagram."""

    id: NodeId
    state: str
    """``kept``, ``changed``, ``moved``, ``added`` or ``removed``."""
    before: NodeId = ""
    """The node in the stage before; empty for one that is added."""
    after: NodeId = ""
    what: tuple[str, ...] = ()
    """What is different, in words."""


class MergedDiagram(msgspec.Struct, frozen=True):
    """The diagram with what became of each node and arrow."""

    diagram: Diagram
    nodes: tuple[MergedNode, ...]
    """In the order of the diagram."""
    gone_edges: tuple[tuple[NodeId, NodeId], ...] = ()
    """Arrows that only the stage before has."""
    new_edges: tuple[tuple[NodeId, NodeId], ...] = ()


def merge(before: Diagram, after: Diagram, match: GraphMatch) -> MergedDiagram:
    """Put two diagrams together. Nodes that are gone stand behind the one that they stood behind."""
    name = {pair.before: pair.after for pair in match.pairs}
    taken = {node.id for node in after.nodes}
    for gone_name in match.removed:  # the graph after may have given the name to another
        name[gone_name] = f"{gone_name} (before)" if gone_name in taken else gone_name
    facts = {
        pair.after: MergedNode(pair.after, pair.kind, pair.before, pair.after, pair.what)
        for pair in match.pairs
    }
    facts.update({new: MergedNode(new, ADDED, "", new) for new in match.added})
    facts.update(
        {name[old_name]: MergedNode(name[old_name], REMOVED, old_name) for old_name in match.removed}
    )
    old = {node.id: node for node in before.nodes}
    gone: defaultdict[NodeId, list[DiagramNode]] = defaultdict(list)
    last = ""
    removed = set(match.removed)
    for node in before.nodes:
        if node.id in removed:
            gone[last].append(_renamed(node, name))
        else:
            last = name.get(node.id, last)
    boxes = list(gone[""])
    for node in after.nodes:
        fact = facts.get(node.id)
        boxes.append(_both(old[fact.before], node) if fact is not None and fact.before in old else node)
        boxes += gone[node.id]
    edges, gone_edges, new_edges = _edges(before, after, name)
    return MergedDiagram(
        Diagram(tuple(boxes), edges),
        tuple(facts.get(box.id) or MergedNode(box.id, ADDED, "", box.id) for box in boxes),
        gone_edges,
        new_edges,
    )


def _renamed(node: DiagramNode, name: dict[NodeId, NodeId]) -> DiagramNode:
    """A node of the graph before, with what it and those it uses are called in the merged diagram."""
    call = node.call
    if call is not None:

        def now(used: NodeId) -> NodeArgument:
            return NodeArgument(name.get(used, used))

        call = msgspec.structs.replace(
            call, args=mapped_sequence(call.args, now), kwargs=mapped_mapping(call.kwargs, now)
        )
    return msgspec.structs.replace(node, id=name[node.id], call=call)


def _both(old: DiagramNode, new: DiagramNode) -> DiagramNode:
    """One box for both, which says what it was and what it is. Inputs are titled by their names, which say nothing."""
    same = old.title == new.title or new.role in _INPUTS
    return msgspec.structs.replace(
        new,
        title=new.title if same else f"{old.title} → {new.title}",
        detail=new.detail if old.detail == new.detail else f"{old.detail} → {new.detail}",
    )


def _edges(
    before: Diagram, after: Diagram, name: dict[NodeId, NodeId]
) -> tuple[tuple[DiagramEdge, ...], tuple[tuple[NodeId, NodeId], ...], tuple[tuple[NodeId, NodeId], ...]]:
    known = {(edge.source, edge.target) for edge in after.edges}
    was = {(name.get(edge.source, ""), name.get(edge.target, "")): edge for edge in before.edges}
    gone = {ends: edge for ends, edge in was.items() if ends not in known and all(ends)}
    extra = tuple(
        DiagramEdge(*ends, edge.label, edge.saved, flight=edge.flight) for ends, edge in gone.items()
    )
    new = tuple((edge.source, edge.target) for edge in after.edges if (edge.source, edge.target) not in was)
    return (*after.edges, *extra), tuple(gone), new
