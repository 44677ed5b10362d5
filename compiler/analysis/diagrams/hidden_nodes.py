"""A diagram with nodes left out."""

from collections.abc import Iterable

from compiler.model.diagrams.diagrams import Diagram, DiagramEdge
from compiler.model.ir.ids import NodeId


def without(diagram: Diagram, hidden: Iterable[NodeId]) -> Diagram:
    """The diagram with nodes left out. What led through them leads on: from the nearest node that is left to the next.

    An arrow that stands for a way through hidden nodes is labelled with how many it passes at least.
    """
    gone = frozenset(hidden)
    if not gone:
        return diagram
    from_ = _left_sources(diagram, gone)
    edges = {}
    for edge in diagram.edges:
        if edge.target in gone:
            continue
        if edge.source not in gone:
            edges[edge.source, edge.target] = edge
            continue
        for source, passed in from_[edge.source].items():
            if (source, edge.target) not in edges:
                text = f"through {passed} hidden"
                edges[source, edge.target] = DiagramEdge(source, edge.target, text, edge.saved, indirect=True)
    nodes = tuple(node for node in diagram.nodes if node.id not in gone)
    left_out = tuple(node for node in diagram.nodes if node.id in gone)
    return Diagram(nodes, tuple(edges.values()), (*diagram.hidden, *left_out))


def _left_sources(diagram: Diagram, gone: frozenset[NodeId]) -> dict[NodeId, dict[NodeId, int]]:
    """For each hidden node the nodes left that lead to it, with how many hidden ones lie on the shortest such way."""
    found: dict[NodeId, dict[NodeId, int]] = {}
    producers: dict[NodeId, list[NodeId]] = {node.id: [] for node in diagram.nodes}
    for edge in diagram.edges:
        producers[edge.target].append(edge.source)
    for node in diagram.nodes:
        if node.id in gone:
            own: dict[NodeId, int] = {}
            for source in producers[node.id]:
                rows = found[source] if source in gone and source in found else {source: 0}
                for origin, passed in rows.items():
                    if origin not in gone:
                        own[origin] = min(own.get(origin, passed + 1), passed + 1)
            found[node.id] = own
    return found
