"""What is said of an edit that does not fit names the edits that may be why, and none where there are none."""

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.graph_editing.stage_editor import applied
from compiler.model.edits.edits import BypassNode, Edit, ReplaceTarget
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph

JOINT = "0/0:joint"
GONE = ReplaceTarget(JOINT, "relu", "call_function", "aten.tanh.default", SequenceArgument("tuple", ()))


def _said(*edits: Edit) -> str:
    with pytest.raises(EngineError) as caught:
        applied(Graph(()), edits, JOINT)
    return caught.value.problem.message()


def test_a_single_edit_of_a_missing_node_blames_no_other_edit() -> None:
    assert _said(GONE).endswith("Undo this edit or change it.")
    assert "before" not in _said(GONE)


@pytest.mark.parametrize("stage", ["0/0:dynamo", "0/0:pre_grad"])
def test_an_edit_of_a_graph_it_is_made_from_is_named(stage: str) -> None:
    earlier = BypassNode(stage, "mul", "x")
    assert "What was edited before may be why: “Remove mul" in _said(earlier, GONE)
    assert _said(GONE, earlier).endswith("Undo this edit, or an edit before it.")


def test_edits_of_what_is_made_of_it_or_after_it_are_not_why() -> None:
    later = BypassNode("0/0:forward:post_grad", "mul", "x"), BypassNode(JOINT, "mul", "x")
    assert "before" not in _said(GONE, *later)
    assert "mul" in does_not_fit("It is not there.", (later[1], GONE), JOINT, GONE).what
