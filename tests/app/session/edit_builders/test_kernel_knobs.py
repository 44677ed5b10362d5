"""Knobs of a kernel become one edit: settings on the first node of each fused one, a loop order on all."""

import pytest

from app.actions.selection_queries import picked_knobs
from app.session.edit_builders.kernel_knobs import turn, turned
from app.session.facade.session import Session
from compiler.model.edits.edits import ChooseKnob, EditError, EditGroup, apply_edit
from compiler.model.edits.kernel_knobs import LOOP_ORDER
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import LoopProgram
from tests.helpers.sample_capture import FUSED, KERNELS, LOOPS, loop_program

GROUPS = (("op1", "op2"),)


def applied(program: LoopProgram, wanted: dict[str, object]) -> LoopProgram:
    edited, inverse = apply_edit(program, turn(LOOPS, program, GROUPS, wanted, "k"))  # type: ignore[arg-type]
    assert apply_edit(edited, inverse)[0] == program
    assert isinstance(edited, LoopProgram)
    return edited


def test_a_setting_stands_on_the_first_node_and_an_order_on_all() -> None:
    program = loop_program(False)
    assert turn(LOOPS, program, GROUPS, {"cpp.threads": 1}, "k") == ChooseKnob(LOOPS, "op1", "cpp.threads", 1)
    edit = turn(LOOPS, program, GROUPS, {LOOP_ORDER: "1, 0", "cpp.simdlen": 0}, "k")
    assert isinstance(edit, EditGroup)
    assert edit.label == "k: loop order 1, 0, vectorisation 0"
    edited = applied(program, {LOOP_ORDER: "1, 0", "cpp.simdlen": 0})
    assert turned(edited, GROUPS, LOOP_ORDER) == "1, 0"
    assert edited.knob("op2", LOOP_ORDER) == "1, 0"
    assert edited.knob("op2", "cpp.simdlen") is None


def test_what_is_turned_on_another_node_of_the_kernel_is_taken_over() -> None:
    program, _ = apply_edit(loop_program(False), ChooseKnob(LOOPS, "op2", "cpp.threads", 4))
    assert isinstance(program, LoopProgram)
    assert turned(program, GROUPS, "cpp.threads") == 4
    assert applied(program, {"cpp.threads": None}).knobs == ()
    assert turned(applied(program, {"cpp.threads": 1}), GROUPS, "cpp.threads") == 1
    with pytest.raises(EditError, match="already"):
        turn(LOOPS, loop_program(False), GROUPS, {"cpp.threads": None}, "k")


def test_a_kernel_is_picked_in_the_loop_ir_and_among_the_kernels(open_session: Session) -> None:
    for stage, node in ((LOOPS, "op2"), (FUSED, "op1_op2")):
        open_session.show_stage(stage)
        open_session.selection.select(place(stage, node))
        picked = picked_knobs(open_session)
        assert (picked.stage, picked.groups) == (LOOPS, GROUPS)
    open_session.show_stage(KERNELS)
    open_session.selection.select(place(KERNELS, picked.kernel))
    assert picked_knobs(open_session) == picked
    open_session.show_stage(LOOPS)
    open_session.selection.select(place(LOOPS, "op0"))
    assert picked_knobs(open_session) is None
