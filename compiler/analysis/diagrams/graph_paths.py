"""Ways through a diagram: between two nodes, what every way must pass, and the longest one.

networkx is slow to load: the window imports this when it is asked.
"""

from collections.abc import Mapping

import networkx

from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.ids import NodeId

_BEGINNING: NodeId = ""
"""Before all nodes that have no producer; no node has this name."""


def between(diagram: Diagram, first: NodeId, second: NodeId) -> tuple[NodeId, ...]:
    """Every node on any way from one to the other, both ends included, in the diagram's order; empty where there is no
    way in either direction.
    """
    graph = _graph(diagram)
    for start, end in ((first, second), (second, first)):
        after = networkx.descendants(graph, start) | {start}
        if end in after:
            on_way = after & (networkx.ancestors(graph, end) | {end})
            return tuple(node.id for node in diagram.nodes if node.id in on_way)
    return ()


def shortest(diagram: Diagram, first: NodeId, second: NodeId) -> tuple[NodeId, ...]:
    """One shortest way from one to the other, in either direction; empty where there is none."""
    graph = _graph(diagram)
    for start, end in ((first, second), (second, first)):
        try:
            return tuple(networkx.shortest_path(graph, start, end))
        except networkx.NetworkXNoPath:
            continue
    return ()


def dominators(diagram: Diagram, node: NodeId) -> tuple[NodeId, ...]:
    """Nodes that every way from the diagram's beginnings to this node passes, the node itself included, in order.

    Parameters and other beginnings count as beginnings, so what is left is where all that leads here comes together.
    """
    graph = _graph(diagram)
    graph = graph.subgraph(networkx.ancestors(graph, node) | {node}).copy()
    graph.add_edges_from((_BEGINNING, name) for name, count in list(graph.in_degree()) if not count)
    above = networkx.immediate_dominators(graph, _BEGINNING)
    chain = []
    while node != _BEGINNING:
        chain.append(node)
        node = above[node]
    return tuple(reversed(chain))


def longest(diagram: Diagram, weights: Mapping[NodeId, float]) -> tuple[tuple[NodeId, ...], float]:
    """The way with the most weight, and how much: the critical path where weights are times."""
    if not diagram.nodes:
        return (), 0.0
    graph = _graph(diagram)
    for _, target, values in graph.edges(data=True):
        values["weight"] = weights.get(target, 0.0)
    graph.add_edges_from(
        (_BEGINNING, node.id, {"weight": weights.get(node.id, 0.0)}) for node in diagram.nodes
    )
    way = networkx.dag_longest_path(graph)[1:]
    return tuple(way), sum(weights.get(node, 0.0) for node in way)


def _graph(diagram: Diagram) -> "networkx.DiGraph":
    graph = networkx.DiGraph()
    graph.add_nodes_from(node.id for node in diagram.nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in diagram.edges)
    return graph
