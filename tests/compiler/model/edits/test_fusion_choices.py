"""Fusions chosen by hand: edits of the loop IR with an inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.model.edits.edits import (
    ChooseFusion,
    EditError,
    EditGroup,
    apply_edit,
    describe_edit,
    fusion_choices,
)
from compiler.model.ir.graph import Graph
from compiler.model.ir.loop_ir import FusionChoice, LoopNode, LoopProgram

STAGE = "0/0:forward:loops"
NAMES = ("op0", "op1", "op2", "op3")
PROGRAM = LoopProgram(tuple(LoopNode(name, "SchedulerNode", "Pointwise") for name in NAMES))


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from((True, False, None))))
)
def test_undo_gives_the_very_same_program_and_all_edits_fold_to_its_choices(
    wishes: list[tuple[str, str, bool | None]],
) -> None:
    trail, made, inverses = [PROGRAM], [], []
    for first, second, fuse in wishes:
        edit = ChooseFusion(STAGE, first, second, fuse)
        try:
            edited, inverse = apply_edit(trail[-1], edit)
        except EditError:
            continue
        assert isinstance(edited, LoopProgram)
        assert edited.chosen(second, first) == fuse
        trail.append(edited)
        made.append(edit)
        inverses.append(inverse)
    assert fusion_choices(made, STAGE) == trail[-1].choices
    assert fusion_choices((EditGroup("all", tuple(made)),), STAGE) == trail[-1].choices
    current = trail[-1]
    for before, inverse in zip(reversed(trail[:-1]), reversed(inverses), strict=True):
        current, _ = apply_edit(current, inverse)  # type: ignore[assignment]
        assert current == before


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(EditError, match="no node op9"):
        apply_edit(PROGRAM, ChooseFusion(STAGE, "op0", "op9", False))
    with pytest.raises(EditError, match="with itself"):
        apply_edit(PROGRAM, ChooseFusion(STAGE, "op0", "op0", True))
    with pytest.raises(EditError, match="chosen already"):
        apply_edit(PROGRAM, ChooseFusion(STAGE, "op0", "op1", None))
    with pytest.raises(EditError, match="no fusions"):
        apply_edit(Graph(()), ChooseFusion(STAGE, "op0", "op1", True))


def test_choices_of_other_loops_are_left_out() -> None:
    edits = (ChooseFusion(STAGE, "op1", "op0", False), ChooseFusion("0/0:backward:loops", "op0", "op2", True))
    assert fusion_choices(edits, STAGE) == (FusionChoice("op0", "op1", fuse=False),)
    assert describe_edit(edits[0]) == "Do not fuse op1 and op0"
