"""Graphs for networkx, GraphML and DOT."""

import io

import networkx
import pytest

from compiler.analysis.graph_export.networkx_graphs import link_graph, stage_graph
from compiler.analysis.graph_export.text_formats import dot, graphml
from tests.helpers.sample_capture import DYNAMO, JOINT, KERNELS, LOOPS, SOURCE
from tests.helpers.sample_capture import capture as sample_capture


@pytest.mark.parametrize("stage", [DYNAMO, JOINT])
def test_an_fx_graph_keeps_its_nodes_and_uses(stage: str) -> None:
    data = sample_capture().stage(stage)
    graph = stage_graph(data)
    assert list(graph) == [node.id for node in data.graph.nodes]
    assert {(first, second) for first, second in graph.edges} == {
        (used, node.id) for node in data.graph.nodes for used in node.inputs()
    }
    assert networkx.is_directed_acyclic_graph(graph)


def test_loop_ir_is_a_graph_and_text_is_none() -> None:
    assert stage_graph(sample_capture().stage(LOOPS)) is not None
    assert stage_graph(sample_capture().stage(SOURCE)) is None


def test_kernels_are_a_graph_in_the_order_they_run() -> None:
    data = sample_capture().stage(KERNELS)
    graph = stage_graph(data)
    assert graph is not None
    names = [kernel.id for kernel in data.kernels]
    assert len(names) > 1
    assert networkx.dag_longest_path(graph) == names
    assert networkx.read_graphml(io.BytesIO(graphml(graph).encode())).number_of_edges() == len(names) - 1


def test_links_are_counted_once_each() -> None:
    capture = sample_capture()
    graph = link_graph(capture)
    assert graph.number_of_edges() == capture.link_count
    assert {facts["proof"] for *_, facts in graph.edges(data=True)} == {
        table.proof for table in capture.links
    }


def test_graphml_reads_back_whatever_a_name_holds() -> None:
    graph = networkx.DiGraph(name="a\x00b")
    graph.add_node("x\x07<&", target='say "hi"', count=3)
    graph.add_edge("x\x07<&", "y", arguments="args.0")
    back = networkx.read_graphml(io.BytesIO(graphml(graph).encode()))
    assert len(back) == 2
    assert {facts.get("count") for _, facts in back.nodes(data=True)} == {3, None}


def test_dot_quotes_what_it_must() -> None:
    graph = networkx.DiGraph(name="g")
    graph.add_node('a"b\\', target="line\nline")
    graph.add_edge('a"b\\', "c", kind="traced")
    text = dot(graph)
    assert '"a\\"b\\\\" [label="a\\"b\\\\\\nline\\nline"];' in text
    assert '"a\\"b\\\\" -> "c" [label="traced"];' in text
