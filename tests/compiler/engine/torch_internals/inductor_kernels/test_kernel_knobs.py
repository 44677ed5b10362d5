"""Knobs of one kernel: tried by generating its code, turned for it alone, and right."""

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.patch.setting_comments import comment_on
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ChooseKnob, Edit, EditGroup
from compiler.model.edits.kernel_knobs import LOOP_ORDER, KernelKnobs
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import LoopStage, StageKind
from tests.compiler.engine.conftest import capture

LOOPS = "0/0:inference:loops"


@pytest.fixture(scope="module")
def mlp() -> EditedProgram:
    """The dropout MLP without dropout: two kernels, each after a matrix product."""
    return EditedProgram(capture("mlp_dropout.py:MLP", training=False))


def quiet(text: str) -> None:
    pass


def first_group(program: EditedProgram) -> tuple[NodeId, ...]:
    for stage in program.base.capture.of_kind(StageKind.FUSED_LOOP_IR):
        assert isinstance(stage.content, LoopStage)
        for node in stage.content.program.nodes:
            if "Extern" not in node.kind:
                return node.children or (node.id,)
    raise AssertionError


def sources(made: Capture) -> set[str]:
    return {
        kernel.source
        for stage in made.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
        if kernel.source
    }


def ask(program: EditedProgram, *edits: Edit) -> KernelKnobs:
    return program.try_knobs(LOOPS, first_group(program), edits, quiet)


@pytest.mark.thorough
def test_only_knobs_that_change_the_code_are_offered(mlp: EditedProgram) -> None:
    before = sources(mlp.base.capture)
    answer = ask(mlp)
    offered = {state.knob: dict(state.changes) for state in answer.knobs}
    assert "cpp.use_decompose_tanh" in answer.without_effect  # there is no tanh
    # with many cores Inductor takes one for so small a kernel, and asking for one changes nothing
    assert ({1, 2} - {torch.get_num_threads()}) & set(offered["cpp.threads"])
    made = mlp.recompile((), "capture-2", quiet)
    assert sources(made) == before


@pytest.mark.thorough
@pytest.mark.parametrize("knob", ["cpp.simdlen", "cpp.threads", "cpp.min_chunk_size", LOOP_ORDER])
def test_a_knob_changes_the_kernel_it_is_turned_for_and_nothing_it_computes(
    mlp: EditedProgram, knob: str
) -> None:
    offered = {state.knob: state.changes for state in ask(mlp).knobs}
    if knob not in offered:
        pytest.skip("on this machine it does nothing to this kernel")
    value, lines = offered[knob][0]
    group = first_group(mlp)
    nodes = group if knob == LOOP_ORDER else group[:1]
    edit = EditGroup("turn", tuple(ChooseKnob(LOOPS, node, knob, value) for node in nodes))
    before = mlp.base.stepper.compared_step(mlp.base.compiled)
    made = mlp.recompile((edit,), "capture-2", quiet)
    after = mlp.base.stepper.compared_step(mlp.base.compiled)
    mlp.recompile((), "capture-3", quiet)
    assert len(sources(made) - sources(mlp.base.capture)) == 1
    assert lines >= (knob != LOOP_ORDER)
    torch.testing.assert_close(after.tensors, before.tensors)
    content = made.stage(LOOPS).content
    assert isinstance(content, LoopStage)
    assert content.program.knob(nodes[0], knob) == value


def test_what_is_turned_already_is_reported_as_inductor_would_have_it(mlp: EditedProgram) -> None:
    plain = {state.knob: state for state in ask(mlp).knobs}
    edit = ChooseKnob(LOOPS, first_group(mlp)[0], "cpp.simdlen", 0)
    turned = {state.knob: state for state in ask(mlp, edit).knobs}
    assert turned["cpp.threads"] == plain["cpp.threads"]
    assert turned.get("cpp.simdlen") == plain.get("cpp.simdlen")


def test_library_calls_and_unknown_nodes_have_no_knobs(mlp: EditedProgram) -> None:
    content = mlp.base.capture.stage(LOOPS).content
    assert isinstance(content, LoopStage)
    extern = next(node.id for node in content.program.nodes if "Extern" in node.kind)
    for node in (extern, "op99"):
        with pytest.raises(EngineError, match="No C\\+\\+ kernel runs"):
            mlp.try_knobs(LOOPS, (node,), (), quiet)
    with pytest.raises(EngineError, match="There is no op99"):
        mlp.recompile((ChooseKnob(LOOPS, "op99", "cpp.threads", 1),), "capture-2", quiet)
    assert mlp.edits == ()


def test_torchs_own_comment_is_found() -> None:
    assert comment_on("cpp.threads") == "set to torch.get_num_threads()"
    assert comment_on("cpp.simdlen") == ""
