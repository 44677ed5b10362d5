"""Parts of graphs become one node, and are put back in place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.text_format.parser import parse_graph
from compiler.model.edits.edits import ReplaceTarget, apply_graph_edit
from compiler.model.edits.subgraphs import body_hash, extract_submodule, inline, wrap_in_operator
from compiler.model.edits.validation import EditError
from compiler.model.export import EditedGraph, ExportError
from compiler.model.export.edit_function import function_lines
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.graph import Graph
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.analysis.text_format.test_parser import printed
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import args, aten_graph, graph_with, node, output, placeholder
from tests.helpers.thoroughness import examples

GRAPH = graph_with(
    placeholder("x"),
    node("a", "torch.sin", "x"),
    node("u", "torch.tanh", "a"),
    node("b", "torch.cos", "a"),
    node("c", "torch.add", "b", "x"),
    node("d", "torch.mul", "c", "u"),
    output("d"),
)


@given(st.data())
@settings(max_examples=examples(200), deadline=None)
def test_any_part_is_extracted_and_inlined_or_refused(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    calls = [node.id for node in graph.nodes if node.op == "call_function"]
    chosen = tuple(data.draw(st.lists(st.sampled_from(calls), min_size=1, unique=True)))
    try:
        edit = extract_submodule(STAGE, graph, chosen, "block")
    except EditError as error:
        assert "stands between" in str(error) or "Nothing uses" in str(error)  # noqa: PT017
        return
    edited, inverse = apply_graph_edit(graph, edit)
    assert list(check_graph(edited)) == []
    assert apply_graph_edit(edited, inverse)[0] == graph
    (holder,) = [node for node in edited.nodes if node.body]
    assert {node.id for node in holder.body if node.op == "call_function"} == set(chosen)
    assert list(check_graph(Graph(holder.body))) == []
    again, _ = apply_graph_edit(edited, inline(STAGE, edited, holder.id))
    assert list(check_graph(again)) == []
    assert sorted(_meaning(again)) == sorted(_meaning(graph))
    assert not any(node.body for node in again.nodes)


def _meaning(graph: Graph) -> list[str]:
    """Every node as an expression over the inputs: what it computes, whatever it is called."""
    written: dict[str, str] = {}
    for one in graph.nodes:
        renamed = [
            written.get(part.node, part.node) if isinstance(part, NodeArgument) else repr(part)
            for part in _leaves(one.args)
        ]
        written[one.id] = f"{one.target}({renamed}{one.kwargs})" if one.op != "placeholder" else one.id
    return [text for name, text in written.items()]


def _leaves(argument) -> list:
    from compiler.model.ir.arguments import children

    inner = list(children(argument))
    return [leaf for _, child in inner for leaf in _leaves(child)] if inner else [argument]


def test_a_part_with_one_result_is_one_node() -> None:
    edited, _ = apply_graph_edit(GRAPH, extract_submodule(STAGE, GRAPH, ("b", "c"), "block"))
    block = edited.node("block")
    assert (block.op, block.target, block.args) == ("call_module", "block", args("a", "x"))
    assert edited.node("d").args == args("block", "u")
    text = printed(edited)
    assert "    # def block(a, x):\n    #     b = torch.cos(a)" in text
    assert parse_graph(text, edited, as_printed=False).graph == edited


def test_results_of_a_part_keep_their_names() -> None:
    edited, _ = apply_graph_edit(GRAPH, extract_submodule(STAGE, GRAPH, ("a", "b"), "block"))
    assert [one.id for one in edited.nodes] == ["x", "block", "a", "b", "u", "c", "d", "output"]
    assert edited.node("b").target == "_operator.getitem"
    back, _ = apply_graph_edit(edited, inline(STAGE, edited, "block"))
    assert back.node("b").args == args("a")
    assert {one.id for one in back.nodes} == {one.id for one in GRAPH.nodes}


def test_an_operator_is_named_by_what_it_does() -> None:
    edit = wrap_in_operator(STAGE, GRAPH, ("b", "c"), "mine")
    edited, _ = apply_graph_edit(GRAPH, edit)
    node_ = edited.node("mine")
    assert node_.target == f"loupe_made.mine_{body_hash(node_.body)}.default"
    other, _ = apply_graph_edit(GRAPH, wrap_in_operator(STAGE, GRAPH, ("b",), "mine"))
    assert other.node("mine").target != node_.target


def test_what_cannot_be_one_node_is_refused() -> None:
    with pytest.raises(EditError, match="c, which is not selected, stands between: d needs it"):
        extract_submodule(STAGE, GRAPH, ("a", "d"), "block")
    with pytest.raises(EditError, match="calls no modules"):
        extract_submodule(STAGE, aten_graph(), ("relu",), "block")
    with pytest.raises(EditError, match="call something"):
        extract_submodule(STAGE, GRAPH, ("x",), "block")
    random = graph_with(placeholder("x"), node("r", "torch.rand_like", "x"), output("r"))
    with pytest.raises(EditError, match="random"):
        wrap_in_operator(STAGE, random, ("r",), "mine")
    edited, _ = apply_graph_edit(GRAPH, extract_submodule(STAGE, GRAPH, ("b", "c"), "block"))
    with pytest.raises(EditError, match="inline it first"):
        extract_submodule(STAGE, edited, ("block",), "outer")
    with pytest.raises(EditError, match="inline it first"):
        apply_graph_edit(edited, ReplaceTarget(STAGE, "block", "call_function", "torch.sin", args("a")))
    with pytest.raises(EditError, match="holds no part"):
        inline(STAGE, GRAPH, "a")


def test_what_only_torch_loupe_has_is_not_exported() -> None:
    edited, _ = apply_graph_edit(GRAPH, wrap_in_operator(STAGE, GRAPH, ("b", "c"), "mine"))
    with pytest.raises(ExportError, match="need Torch Loupe"):
        list(function_lines("edit", EditedGraph(STAGE, "dynamo", GRAPH, edited), ("Wrap",)))
