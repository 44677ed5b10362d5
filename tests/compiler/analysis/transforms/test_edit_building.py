"""What an edit builder knows between edits is what its graph says; looking whether there is anything to do makes no edit."""

import contextlib
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.transforms import EditBuilder, Transform, edit_building, found_transforms, why_nothing
from compiler.model.edits.edits import Edit, apply_edit, apply_edits
from compiler.model.edits.validation import EditError
from compiler.model.ir.graph import Graph
from tests.compiler.model.graphs import STAGE, edits_for, graphs


def _uses(graph: Graph, node: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(user.id, path) for user in graph.nodes for used, path in user.uses() if used == node]


@given(st.data())
def test_it_knows_who_uses_what_after_every_edit(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    builder = EditBuilder(STAGE, graph)
    for _ in range(4):
        edit: Edit = data.draw(edits_for(builder.graph))
        try:
            builder.make(edit)
        except EditError:
            continue
        for node in builder.graph.nodes:
            assert sorted(builder.uses_of(node.id)) == sorted(_uses(builder.graph, node.id))
            assert builder.is_used(node.id) == bool(_uses(builder.graph, node.id))
            assert builder.graph.node(node.id) is node
        assert list(builder.graph.by_id()) == [node.id for node in builder.graph.nodes]
    with contextlib.suppress(EditError):  # none was made
        group = builder.group("all", "nothing")
        made, inverse = apply_edit(graph, group)
        assert made is builder.graph
        assert made == apply_edits(graph, group.edits, STAGE)
        assert apply_edits(made, (inverse,), STAGE) == graph


@given(graphs(), st.sampled_from(found_transforms().rows))
def test_looking_says_what_making_would(graph: Graph, transform: Transform) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edit_building, "edit_draft", lambda *_: pytest.fail("an edit was made"))
        reason = why_nothing(partial(transform.make, STAGE, graph, ()))
    assert reason == _why_not_made(transform, graph)


def _why_not_made(transform: Transform, graph: Graph) -> str:
    try:
        transform.make(STAGE, graph, ())
    except EditError as error:
        return str(error)
    return ""
