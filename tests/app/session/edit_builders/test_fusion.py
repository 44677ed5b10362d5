"""Choosing fusions from what is picked, and why nodes are apart."""

import msgspec
import pytest

from app.actions.selection_queries import picked_loops
from app.session.edit_builders.fusion import (
    bring_together,
    describe,
    forbid_fusion,
    groups_of,
    leave_to_inductor,
    why_unfused_reasons,
)
from compiler.model.edits.edits import ChooseFusion, EditError, EditGroup, apply_edit
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import LoopProgram
from tests.helpers.sample_capture import FUSED, LOOPS, loop_program


def test_a_fused_node_is_taken_apart_and_put_together_again():
    program, fused = loop_program(False), loop_program(True)
    edit = forbid_fusion(LOOPS, program, ("op1", "op2"))
    assert edit == ChooseFusion(LOOPS, "op1", "op2", False)
    edited, _ = apply_edit(program, edit)
    assert isinstance(edited, LoopProgram)
    with pytest.raises(EditError, match="chosen already"):
        forbid_fusion(LOOPS, edited, ("op1", "op2"))
    assert leave_to_inductor(LOOPS, edited, ("op1", "op2")) == ChooseFusion(LOOPS, "op1", "op2", None)
    with pytest.raises(EditError, match="in one kernel already"):
        bring_together(LOOPS, program, groups_of(fused, ("op1", "op2")))
    three = forbid_fusion(LOOPS, program, ("op0", "op1", "op2"))
    assert isinstance(three, EditGroup)
    assert len(three.edits) == 3


def test_groups_are_asked_for_by_one_pair_each():
    program, fused = loop_program(False), loop_program(True)
    groups = groups_of(fused, ("op0", "op1", "op2"))
    assert groups == (("op0",), ("op1", "op2"))
    assert bring_together(LOOPS, program, groups) == ChooseFusion(LOOPS, "op0", "op1", True)


def test_reasons_are_found_for_parts_and_put_in_plain_words():
    fused = msgspec.structs.replace(loop_program(True), not_fused=(("op0", "op1_op2", "no shared data"),))
    (reason,) = why_unfused_reasons(fused, (("op0",), ("op2",)))
    assert reason.startswith("They read and write nothing in common")
    assert "(torch: no shared data)" in reason
    assert "never came to consider" in why_unfused_reasons(loop_program(True), (("op0",), ("op2",)))[0]
    assert describe("something new") == "Torch says: something new."


def test_what_is_picked_in_either_loop_stage(open_session):
    captured = open_session
    captured.show_stage(FUSED)
    captured.selection.select(place(FUSED, "op1_op2"))
    picked = picked_loops(captured)
    assert (picked.stage, picked.nodes, picked.groups) == (LOOPS, ("op1", "op2"), (("op1", "op2"),))
    captured.make_edit(forbid_fusion(picked.stage, picked.program, picked.nodes))
    assert captured.has_uncompiled_edits
    assert captured.stage_with_edits(LOOPS).content.program.chosen("op2", "op1") is False
    assert captured.edited_nodes(LOOPS) == {"op1", "op2"}
    captured.undo()
    assert captured.stage_with_edits(LOOPS).content.program.chosen("op1", "op2") is None
    captured.show_stage("0/0:dynamo")
    assert picked_loops(captured) is None
