"""A draft is edited as graphs are, one after another, and knows of itself what they do."""

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.model.edits import graph_draft
from compiler.model.edits.edits import (
    BypassNode,
    ChooseSaved,
    Edit,
    EditGroup,
    apply_edit,
    apply_graph_edit,
    edit_draft,
)
from compiler.model.edits.graph_draft import GraphDraft
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from tests.compiler.model.graphs import STAGE, edits_for, graphs, replaced


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    """So that blocks are cut, and become empty."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph_draft, "_BLOCK", 2)
        yield


def same(draft: GraphDraft, graph: Graph) -> None:
    """Each question that a draft answers."""
    for node in graph.nodes:
        assert draft.node(node.id) is not None
        assert draft.index(node.id) == graph.index(node.id)
        assert draft.op_at(graph.index(node.id)) == node.op
        assert draft.users_of(node.id) == graph.users()[node.id]
        assert draft.is_used(node.id) == bool(graph.users()[node.id])
        uses = [(user.id, path) for user in graph.nodes for used, path in user.uses() if used == node.id]
        assert list(draft.uses_of(node.id)) == uses
    assert draft.size == graph.size
    assert draft.of_gradients == graph.of_gradients
    assert draft.unused_name("relu") == unused_name(graph, "relu")
    assert draft.graph() == graph
    assert draft.graph().of_gradients == Graph(graph.nodes).of_gradients


@given(st.data())
def test_it_is_what_the_graph_is_after_every_edit(data: st.DataObject) -> None:
    first = data.draw(graphs())
    with_tangent = data.draw(st.sampled_from([None, *(node.id for node in first.nodes)]))
    first = replaced(first, with_tangent, role="tangent") if with_tangent else first
    graph, draft = first, GraphDraft(first)
    for _ in range(data.draw(st.integers(0, 8))):
        saved = st.builds(
            ChooseSaved, st.just(STAGE), st.sampled_from(graph.ids), st.sampled_from([True, False, None])
        )
        edit: Edit = data.draw(edits_for(graph) | saved)
        try:
            after, inverse = apply_graph_edit(graph, edit)
        except EditError as error:
            with pytest.raises(EditError) as refused:
                edit_draft(draft, edit)
            assert str(refused.value) == str(error)  # noqa: PT017  both say the same
            after = graph
        else:
            assert edit_draft(draft, edit) == inverse
        graph = after
        same(draft, graph)
    assert first == Graph(first.nodes)


@given(st.data())
def test_a_group_that_does_not_fit_leaves_it_as_it_was(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    draft, now, parts = GraphDraft(graph), graph, []
    for _ in range(data.draw(st.integers(0, 4))):
        edit = data.draw(edits_for(now))
        with contextlib.suppress(EditError):
            now, _ = apply_graph_edit(now, edit)
            parts.append(edit)
    nothing = EditGroup("nothing", tuple(parts))
    whole, inverse = apply_edit(graph, nothing)
    assert whole == now
    assert apply_edit(whole, inverse)[0] == graph
    bad = BypassNode(STAGE, "nowhere", None)
    with pytest.raises(EditError, match="no node nowhere"):
        edit_draft(draft, EditGroup("bad", (*parts, bad)))
    same(draft, graph)


def test_names_that_become_free_are_taken_again() -> None:
    node = _attribute("relu")
    draft = GraphDraft(Graph((node,)))
    assert draft.unused_name("relu") == "relu_1"
    draft.without(node, {}, None)
    assert draft.unused_name("relu") == "relu"


def test_two_nodes_of_one_name_are_refused() -> None:
    node = _attribute("relu")
    with pytest.raises(EditError, match="Two nodes"):
        apply_edit(Graph((node, node)), EditGroup("nothing", ()))


def _attribute(name: str) -> Node:
    return Node(name, "get_attr", name, SequenceArgument("tuple", ()))
