"""Choices of a joint graph are edits with inverses."""

import msgspec
import pytest

from compiler.model.edits.edits import (
    EditError,
    EditGroup,
    apply_graph_edit,
    describe_edit,
    partition_choices,
)
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved, choices_of, with_choices
from tests.helpers.sample_capture import JOINT, capture


def _joint():
    graph = capture().stage(JOINT).graph
    assert graph is not None
    return graph


def test_choices_are_taken_back_exactly() -> None:
    graph = _joint()
    for edit in (
        ChooseSaved(JOINT, "relu", True),
        ChooseSaved(JOINT, "relu", False),
        ChooseMemoryBudget(JOINT, 0.25),
    ):
        after, inverse = apply_graph_edit(graph, edit)
        assert after != graph
        back, again = apply_graph_edit(after, inverse)
        assert (back, again) == (graph, edit)
        assert msgspec.json.decode(msgspec.json.encode(edit), type=type(edit)) == edit


def test_choices_add_up_in_order_and_stand_on_their_nodes() -> None:
    edits = (
        ChooseSaved(JOINT, "relu", True),
        EditGroup("two", (ChooseSaved(JOINT, "le", False), ChooseMemoryBudget(JOINT, 0.5))),
        ChooseSaved(JOINT, "relu", None),
        ChooseSaved("1/0:joint", "relu", True),
    )
    saved, budget = choices_of(partition_choices(edits, JOINT))
    assert (saved, budget) == ({"le": False}, 0.5)
    graph = with_choices(_joint(), saved, budget)
    assert graph.node("le").chosen == "recomputed"
    assert graph.nodes[-1].chosen == "budget 0.5"
    assert describe_edit(edits[0]) == "Save relu"


def test_what_makes_no_sense_is_refused() -> None:
    graph = _joint()
    inputs = next(node.id for node in graph.nodes if node.op == "placeholder")
    gradient = next(node for node in graph.nodes if node.role == "tangent")
    user = graph.users()[gradient.id][0]
    for edit, reason in (
        (ChooseSaved(JOINT, inputs, True), "inputs live anyway"),
        (ChooseSaved(JOINT, user, True), "comes from a gradient"),
        (ChooseSaved(JOINT, "relu", None), "chosen already"),
        (ChooseMemoryBudget(JOINT, -0.1), "between 0 and 1"),
    ):
        with pytest.raises(EditError, match=reason):
            apply_graph_edit(graph, edit)
