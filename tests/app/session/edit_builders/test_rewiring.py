"""Edges are moved wherever no cycle comes of it; what stands later is moved before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.session.edit_builders.from_selection import uses_of
from app.session.edit_builders.rewiring import duplicate, possible_sources, possible_users, rewire
from compiler.model.edits.edits import InsertNode, apply_graph_edit
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import NodeArgument
from compiler.model.session_file.stage_checks import check_graph
from tests.compiler.model.graphs import STAGE, graphs
from tests.helpers.sample_capture import dynamo_graph


@given(st.data())
def test_every_possible_source_can_be_used_and_no_other(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    user = data.draw(st.sampled_from([node for node in graph.nodes if node.inputs()]))
    _, path = data.draw(st.sampled_from(list(user.uses())))
    allowed = possible_sources(graph, user.id)
    for node in graph.nodes:
        if node.op == "output":
            continue
        if user.argument(path) == NodeArgument(node.id):
            continue
        if node.id not in allowed:
            with pytest.raises(EditError, match="needs"):
                rewire(STAGE, graph, user.id, (path,), node.id)
            continue
        edited, inverse = apply_graph_edit(graph, rewire(STAGE, graph, user.id, (path,), node.id))
        assert list(check_graph(edited)) == []
        assert edited.node(user.id).argument(path) == NodeArgument(node.id)
        assert apply_graph_edit(edited, inverse)[0] == graph
        assert user.id in possible_users(graph, node.id)


@given(st.data())
def test_a_duplicate_takes_over_the_uses_chosen(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    calls = [node for node in graph.nodes if node.op == "call_function"]
    node = data.draw(st.sampled_from(calls))
    uses = uses_of(graph, node.id)
    chosen = tuple(use for use in uses if data.draw(st.booleans()))
    edit = duplicate(STAGE, graph, node.id, chosen)
    assert isinstance(edit, InsertNode)
    edited, inverse = apply_graph_edit(graph, edit)
    assert list(check_graph(edited)) == []
    assert set(uses_of(edited, edit.node.id)) == set(chosen)
    assert edited.node(edit.node.id).args == node.args
    assert apply_graph_edit(edited, inverse)[0] == graph


def test_inputs_cannot_be_duplicated() -> None:
    with pytest.raises(EditError, match="only calls"):
        duplicate(STAGE, dynamo_graph(), "l_x_", ())
