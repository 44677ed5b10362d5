"""Fusions forbidden and asked for, with the real Inductor."""

import itertools
from collections.abc import Callable

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ChooseFusion
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.stage import LoopStage
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine
LOOPS, FUSED = "0/0:forward:loops", "0/0:forward:fused"


def _quiet(text: str) -> None:
    return None


def _kernels(capture: Capture) -> list[tuple[str, ...]]:
    content = capture.stage(FUSED).content
    assert isinstance(content, LoopStage)
    return [node.children or (node.id,) for node in content.program.nodes]


Maker = Callable[[str], EditedProgram]
NAME = "mlp_dropout.py:MLP"


@pytest.mark.thorough
def test_a_forbidden_fusion_makes_two_kernels_that_compute_the_same(program: Maker) -> None:
    edited = program(NAME)
    base = edited.base.capture
    pair = next(group for group in _kernels(base) if len(group) > 1)[:2]
    edits = (ChooseFusion(LOOPS, *pair, False),)
    capture = edited.recompile(edits, "c2", _quiet)
    assert not consistent(capture)[1]
    assert not any(set(pair) <= set(group) for group in _kernels(capture))
    content = capture.stage(FUSED).content
    assert isinstance(content, LoopStage)
    assert any("forbidden by hand" in reason for _, _, reason in content.program.not_fused)
    verdict = judge_edits(edited, edits, 1.0, _quiet)
    assert verdict.comparisons[-1].agrees, verdict.comparisons[-1]
    assert verdict.comparisons[-1].what == "edited"
    assert "does what the graph says" in verdict.summary
    again = edited.recompile((), "c3", _quiet)
    assert _kernels(again) == _kernels(base)


def test_a_fusion_that_would_be_wrong_is_refused_with_the_reason_and_nothing_changes(program: Maker) -> None:
    edited = program(NAME)
    base = edited.base.capture
    extern = next(
        group[0] for group, node in zip(_kernels(base), _nodes(base), strict=True) if "Extern" in node.kind
    )
    other = next(group[0] for group in _kernels(base) if group[0] != extern)
    with pytest.raises(EngineError, match=r"Inductor cannot fuse .* extern"):
        edited.recompile((ChooseFusion(LOOPS, extern, other, True),), "c2", _quiet)
    assert edited.edits == ()
    edited.base.stepper.step(edited.base.compiled)
    with pytest.raises(EngineError, match="There is no op99"):
        edited.recompile((ChooseFusion(LOOPS, "op0", "op99", True),), "c3", _quiet)


def _nodes(capture: Capture) -> tuple[LoopNode, ...]:
    content = capture.stage(FUSED).content
    assert isinstance(content, LoopStage)
    return content.program.nodes


@pytest.mark.thorough
def test_a_fusion_asked_for_is_made_where_it_can_be(program: Maker) -> None:
    edited = program(NAME)
    base = edited.base.capture
    loose = [
        group for group, node in zip(_kernels(base), _nodes(base), strict=True) if "Extern" not in node.kind
    ]
    made = 0
    for first, second in itertools.pairwise(loose):
        edits = (ChooseFusion(LOOPS, first[0], second[0], True),)
        try:
            capture = edited.recompile(edits, "c2", _quiet)
        except EngineError:
            continue
        assert any({first[0], second[0]} <= set(group) for group in _kernels(capture))
        assert edited.base.stepper.compared_step(edited.base.compiled).tensors
        made += 1
    assert made
