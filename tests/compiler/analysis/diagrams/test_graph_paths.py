"""Ways through random graphs, by what the words mean."""

from itertools import pairwise

import networkx
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.diagrams.graph_paths import between, dominators, longest, shortest
from compiler.analysis.diagrams.hidden_nodes import without
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode


@st.composite
def graphs(draw: st.DrawFn) -> Diagram:
    count = draw(st.integers(2, 14))
    pairs = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=40))
    nodes = tuple(DiagramNode(f"n{index}", "op", f"n{index}") for index in range(count))
    return Diagram(nodes, tuple(DiagramEdge(f"n{a}", f"n{b}") for a, b in sorted(pairs) if a < b))


def as_networkx(diagram: Diagram) -> "networkx.DiGraph[str]":
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(node.id for node in diagram.nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in diagram.edges)
    return graph


@given(graphs(), st.data())
def test_between_is_what_lies_on_any_way(diagram: Diagram, data: st.DataObject):
    names = [node.id for node in diagram.nodes]
    first, second = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    graph = as_networkx(diagram)
    start, end = (first, second) if networkx.has_path(graph, first, second) else (second, first)
    expected = {node for way in networkx.all_simple_paths(graph, start, end) for node in way}
    if start == end:
        expected = {start}
    assert set(between(diagram, first, second)) == expected
    if expected:
        assert len(shortest(diagram, first, second)) == networkx.shortest_path_length(graph, start, end) + 1
    else:
        assert shortest(diagram, first, second) == ()


@given(graphs(), st.data())
def test_dominators_are_what_cannot_be_gone_round(diagram: Diagram, data: st.DataObject):
    node = data.draw(st.sampled_from([node.id for node in diagram.nodes]))
    graph = as_networkx(diagram)
    beginnings = [name for name in graph if graph.in_degree(name) == 0]

    def reached_without(name: str) -> bool:
        left = graph.subgraph(set(graph) - {name})
        return any(start in left and networkx.has_path(left, start, node) for start in beginnings)

    expected = {name for name in graph if name == node or not reached_without(name)}
    chain = dominators(diagram, node)
    assert set(chain) == expected
    assert all(networkx.has_path(graph, first, second) for first, second in pairwise(chain))


def test_a_graph_of_thousands_is_answered_too():
    """What was computed in quadratic time took half a minute, on the window's thread."""
    count = 20_000
    nodes = tuple(DiagramNode(f"n{index}", "op", "") for index in range(count))
    edges = tuple(DiagramEdge(f"n{index // 2}", f"n{index}") for index in range(1, count))
    assert (
        len(dominators(Diagram(nodes, edges), f"n{count - 1}")) == (count - 1).bit_length() + 1
    )  # n0 itself too


@given(graphs(), st.data())
def test_the_longest_way_weighs_most(diagram: Diagram, data: st.DataObject):
    weights = {node.id: data.draw(st.floats(0, 10)) for node in diagram.nodes}
    way, total = longest(diagram, weights)
    graph = as_networkx(diagram)
    for source, target in graph.edges:
        graph.edges[source, target]["weight"] = weights[target]
    assert abs(sum(weights[node] for node in way) - total) < 1e-9
    assert all(graph.has_edge(a, b) for a, b in pairwise(way))
    best = max(
        (sum(weights[node] for node in path) for start in graph for end in graph
         for path in ([[start]] if start == end else networkx.all_simple_paths(graph, start, end))),
        default=0.0,
    )  # fmt: skip
    assert abs(best - total) < 1e-6


@given(graphs(), st.data())
def test_hiding_keeps_what_leads_where(diagram: Diagram, data: st.DataObject):
    hidden = data.draw(st.sets(st.sampled_from([node.id for node in diagram.nodes])))
    left = without(diagram, hidden)
    assert {node.id for node in left.nodes} == {node.id for node in diagram.nodes} - hidden
    graph = as_networkx(diagram)
    for first in left.nodes:
        others = {node.id for node in left.nodes} - {first.id}
        direct = {edge.target for edge in left.edges if edge.source == first.id}
        inner = graph.subgraph([*hidden, first.id, *others])
        for other in others:
            ways = networkx.has_path(
                networkx.subgraph_view(
                    inner, filter_node=lambda n, a=first.id, b=other: n in hidden or n in (a, b)
                ),
                first.id,
                other,
            )
            assert (other in direct) == ways
    if not hidden:
        assert left is diagram
