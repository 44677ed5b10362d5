"""Patterns are taken from graphs, explained where they do not match, and replaced where they do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.text_format.parser import parse_graph
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.edits.pattern_explanation import candidates, explain
from compiler.model.edits.patterns import (
    NearMiss,
    PatternMatch,
    pattern_of,
    replace_matches,
    results_of,
    spots_of,
)
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import ConstantArgument, NodeArgument
from compiler.model.ir.graph import Graph
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.analysis.text_format.test_parser import printed
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import graph_with, node, output, placeholder
from tests.helpers.thoroughness import examples

DROPOUT = "torch.nn.functional.dropout"
GRAPH = graph_with(
    placeholder("x"),
    node("a", "torch.relu", "x"),
    node("b", DROPOUT, "a", 0.5),
    node("c", "torch.relu", "b"),
    node("d", DROPOUT, "c", 0.1),
    node("e", "torch.tanh", "d"),
    node("f", DROPOUT, "e", 0.5),
    node("g", "torch.relu", "f"),
    node("h", DROPOUT, "g", 0.5),
    node("i", "torch.add", "h", "g"),
    output("i"),
)


def found(pattern: Graph, graph: Graph = GRAPH) -> tuple[list[PatternMatch], list[NearMiss]]:
    reported = [explain(STAGE, pattern, graph, end) for end in candidates(pattern, graph)]
    return [one for one in reported if isinstance(one, PatternMatch)], [
        one for one in reported if isinstance(one, NearMiss)
    ]


def test_near_misses_name_the_node_and_the_argument() -> None:
    pattern = pattern_of(GRAPH, ("a", "b"))
    matches, near = found(pattern)
    assert [match.nodes for match in matches] == [("a", "b")]
    assert [(miss.pattern_node, miss.node, miss.path, miss.why) for miss in near] == [
        ("b", "d", ("args", "1"), "argument 1 of d is 0.1, the pattern wants 0.5"),
        ("a", "e", (), "e calls torch.tanh, the pattern torch.relu"),
        ("a", "g", (), "g is also used by i, outside the pattern"),
        ("b", "i", (), "i calls torch.add, the pattern torch.nn.functional.dropout"),
    ]


def test_arguments_are_made_general() -> None:
    pattern = pattern_of(GRAPH, ("a", "b"), frozenset({("b", ("args", "1"))}))
    matches, _ = found(pattern)
    assert [dict(match.inputs)["any"] for match in matches] == [
        ConstantArgument("float", "0.5"), ConstantArgument("float", "0.1"),
    ]  # fmt: skip
    shorter = pattern_of(GRAPH, ("a", "b"), frozenset({("b", ("args", "0"))}))
    assert [one.id for one in shorter.nodes] == ["any", "b", "output"]
    assert len(found(shorter)[0]) == 3
    assert [(one.id, path) for one, path, _ in spots_of(pattern)] == [
        ("a", ("args", "0")), ("b", ("args", "0")), ("b", ("args", "1")),
    ]  # fmt: skip


def test_one_placeholder_is_one_thing() -> None:
    graph = graph_with(
            placeholder("x"), placeholder("y"), node("both", "torch.mul", "x", "x"),
            node("other", "torch.mul", "x", "y"), node("sum", "torch.add", "both", "other"), output("sum"),
        )  # fmt: skip
    _, near = found(pattern_of(graph, ("both",)), graph)
    assert near[0].why == "argument 1 of other is y, where x is x elsewhere"


def test_matches_are_replaced_and_undone() -> None:
    pattern = pattern_of(GRAPH, ("a", "b"), frozenset({("b", ("args", "1"))}))
    text = printed(pattern).replace(
        "torch.nn.functional.dropout(a, any)", "torch.nn.functional.gelu(x) * any"
    )
    replacement = parse_graph(text, pattern).graph
    assert replacement is not None
    matches, _ = found(pattern)
    group = replace_matches(STAGE, GRAPH, pattern, tuple(matches), replacement)
    edited, inverse = apply_graph_edit(GRAPH, group)
    assert list(check_graph(edited)) == []
    assert [one.target for one in edited.nodes if one.op.startswith("call")][:6] == [
        "torch.relu", "torch.nn.functional.gelu", "_operator.mul", "torch.relu", "torch.nn.functional.gelu", "_operator.mul",
    ]  # fmt: skip
    factors = [one.args.items[1] for one in edited.nodes if one.target == "_operator.mul"]
    assert factors == [ConstantArgument("float", "0.5"), ConstantArgument("float", "0.1")]
    assert apply_graph_edit(edited, inverse)[0] == GRAPH


@given(st.data())
@settings(max_examples=examples(150), deadline=None)
def test_any_part_of_a_graph_is_found_where_it_is_and_replaced_by_itself(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    calls = [one.id for one in graph.nodes if one.op == "call_function"]
    chosen = tuple(data.draw(st.lists(st.sampled_from(calls), min_size=1, unique=True)))
    try:
        pattern = pattern_of(graph, chosen)
    except EditError as error:
        assert "ends in one call" in str(error)  # noqa: PT017
        return
    assert list(check_graph(pattern)) == []
    end = results_of(pattern)[0]
    reported = explain(STAGE, pattern, graph, end)
    assert isinstance(reported, PatternMatch)
    assert dict(reported.pairs) == {name: name for name, _ in reported.pairs}
    assert reported.inputs == tuple(
        (one.id, NodeArgument(one.id)) for one in pattern.nodes if one.op == "placeholder"
    ) or set(dict(reported.inputs)) == {one.id for one in pattern.nodes if one.op == "placeholder"}
    try:
        group = replace_matches(STAGE, graph, pattern, (reported,), pattern)
    except EditError as error:
        assert "needs a node that needs the match" in str(error) or "already" in str(error)  # noqa: PT017
        return
    edited, inverse = apply_graph_edit(graph, group)
    assert list(check_graph(edited)) == []
    assert len(edited.nodes) == len(graph.nodes)
    assert apply_graph_edit(edited, inverse)[0] == graph


def test_what_is_no_pattern_or_no_replacement_is_refused() -> None:
    with pytest.raises(EditError, match="ends in one call; this selection ends in b, d"):
        pattern_of(GRAPH, ("b", "d"))
    with pytest.raises(EditError, match="Select the calls"):
        pattern_of(GRAPH, ("x",))
    two = pattern_of(GRAPH, ("g", "h"))
    assert results_of(two) == ("h", "g")
    one = graph_with(placeholder("f"), node("r", "torch.sin", "f"), output("r"))
    matches, _ = found(two)
    with pytest.raises(EditError, match="must give 2 results"):
        replace_matches(STAGE, GRAPH, two, tuple(matches), pattern_of(one, ("r",)))
