"""Memory traffic in words: what a fusion saves, would save, or that nobody knows."""

import msgspec

from app.session.edit_builders.fusion_traffic_text import joined_by, saves_text, steps_into, would_save_text
from compiler.model.ir.loop_ir import Dependency, LoopNode, LoopProgram, SharedTraffic
from compiler.model.ir.passes import FusionStep


def fused(**facts: object) -> LoopProgram:
    row = Dependency("buf0", "c0", "256", 1024)
    return LoopProgram(
        (
            LoopNode("op0", "SchedulerNode", "Pointwise", writes=(row,)),
            LoopNode("op1_op2", "FusedSchedulerNode", "Pointwise", (row,), children=("op1", "op2")),
            LoopNode("op3", "SchedulerNode", "Pointwise", (Dependency("buf0", "256*c0", "1", 1024),)),
            LoopNode("op4", "SchedulerNode", "Pointwise", (Dependency("arg0", "c0", "256", 1024),)),
        ),
        **facts,  # type: ignore[arg-type]
    )


def test_torchs_score_is_reported_with_what_both_touch() -> None:
    program = fused(shared=(SharedTraffic("op0", "op1_op2", 1024),), all_shared=True)
    text = would_save_text(program, (("op2",), ("op0",)))
    assert text.startswith("One kernel would save 1.0 KiB of memory traffic, by torch's own score.")
    assert "buf0 (1.0 KiB)" in text


def test_nothing_saved_is_distinguished_from_nothing_known() -> None:
    program = fused(all_shared=True)
    assert "no memory traffic" in would_save_text(program, (("op0",), ("op3",)))
    assert "not element by element in the same order" in would_save_text(program, (("op0",), ("op3",)))
    assert "no buffer in common" in would_save_text(program, (("op0",), ("op4",)))
    assert "was not read" in would_save_text(fused(), (("op0",), ("op3",)))


def test_the_fusion_that_joined_two_nodes_is_found() -> None:
    step = FusionStep(
        "1", "s", "fuse", 1, ("op0", "op1"), "op0_op1", saved_bytes=2048, relation="side by side"
    )
    later = msgspec.structs.replace(step, parts=("op0_op1", "op2"), result="op0_op1_op2", saved_bytes=None)
    other = msgspec.structs.replace(step, parts=("op5", "op6"), result="op5_op6")
    steps = (other, step, later)
    assert joined_by(steps, "op1", "op0") is step
    assert joined_by(steps, "op1", "op2") is later
    assert joined_by(steps, "op0", "op5") is None
    assert "saves 2.0 KiB" in saves_text(steps, "op0", "op1")
    assert "saves" not in saves_text(steps, "op0", "op2")
    node = LoopNode("op0_op1_op2", "FusedSchedulerNode", "", children=("op0", "op1", "op2"))
    assert steps_into(steps, node) == (step, later)
