"""Parts of graphs are copied as text and pasted elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.edits.clipboard import (
    copy_fragment,
    counterparts,
    fragment_from_text,
    fragment_text,
    obvious,
    paste,
)
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.edits.validation import EditError
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import aten_graph, dynamo_graph, graph_with, node, output, placeholder


@given(st.data())
def test_what_is_copied_is_pasted_with_its_own_inputs(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    calls = [node.id for node in graph.nodes if node.op == "call_function"]
    chosen = tuple(data.draw(st.lists(st.sampled_from(calls), min_size=1, unique=True)))
    fragment = copy_fragment(graph, chosen)
    assert fragment_from_text(fragment_text(fragment)) == fragment
    stands = {item.name: item.name for item in fragment.inputs}
    edited, inverse = apply_graph_edit(graph, paste(STAGE, graph, fragment, stands, {}))
    assert list(check_graph(edited)) == []
    assert len(edited.nodes) == len(graph.nodes) + len(chosen)
    assert apply_graph_edit(edited, inverse)[0] == graph


@given(st.data())
def test_pasted_nodes_stand_behind_whatever_is_chosen_for_their_inputs(data: st.DataObject) -> None:
    graph, other = data.draw(graphs()), data.draw(graphs())
    calls = [node.id for node in graph.nodes if node.op == "call_function"]
    fragment = copy_fragment(graph, tuple(data.draw(st.lists(st.sampled_from(calls), min_size=1))))
    stands = {item.name: data.draw(st.sampled_from(counterparts(other, item))) for item in fragment.inputs}
    edited, inverse = apply_graph_edit(other, paste(STAGE, other, fragment, stands, {}))
    assert list(check_graph(edited)) == []
    assert apply_graph_edit(edited, inverse)[0] == other


def test_a_result_takes_the_place_of_a_node() -> None:
    graph = dynamo_graph()
    fragment = copy_fragment(graph, ("z",))
    assert [item.name for item in fragment.inputs] == ["y"]
    edited, _ = apply_graph_edit(graph, paste(STAGE, graph, fragment, {"y": "y"}, {"z": "z"}))
    assert edited.node("mul").inputs() == ("z_1",)
    with pytest.raises(EditError, match="Nothing behind"):
        paste(STAGE, graph, copy_fragment(graph, ("mul",)), {"z": "z"}, {"mul": "l_x_"})


def test_inputs_find_their_counterparts_by_name_and_type() -> None:
    fragment = copy_fragment(dynamo_graph(), ("y",))
    x, w = fragment.inputs
    assert obvious(dynamo_graph(), x) == "l_x_"
    other = graph_with(
        placeholder("a"), placeholder("b", "parameter"), node("t", "torch.tanh", "a"), output("t")
    )
    assert obvious(other, x) is None
    assert counterparts(other, x)[0] == "a"
    assert counterparts(other, w)[0] == "b"


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(EditError, match="Inputs and outputs"):
        copy_fragment(dynamo_graph(), ("l_x_", "output"))
    with pytest.raises(EditError, match="holds no nodes"):
        fragment_from_text("hello")
    fragment = copy_fragment(dynamo_graph(), ("z",))
    with pytest.raises(EditError, match="operators of aten"):
        paste(STAGE, aten_graph(), fragment, {"y": "mm"}, {})
    with pytest.raises(EditError, match="Nothing stands for y"):
        paste(STAGE, dynamo_graph(), fragment, {}, {})
    broken = fragment_text(fragment).replace('"y"', '"elsewhere"', 1)
    with pytest.raises(EditError, match="do not fit together"):
        fragment_from_text(broken)
