"""Choosing what is saved and recomputed, with torch's real partitioner."""

from collections.abc import Callable

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing.memory_budget_timing import measure_budgets
from compiler.engine.verdicts import judge_edits as judging
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture import Capture
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.ir.stage import JointStage, Partition, StageKind, TensorDecision
from compiler.model.session_file.checks import consistent
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine
Maker = Callable[[str], EditedProgram]
JOINT = "0/0:joint"


@pytest.fixture(autouse=True)
def briefly_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "_SECONDS", 0.01)


def _quiet(text: str) -> None:
    return None


def _partition(capture: Capture) -> Partition:
    content = capture.stage(JOINT).content
    assert isinstance(content, JointStage)
    assert content.partition is not None
    return content.partition


def _row(capture: Capture, node: str) -> TensorDecision:
    return next(row for row in _partition(capture).decisions if row.node == node)


def _saved_by_forward(capture: Capture) -> set[str]:
    """What the backward graph is handed, beside tangents."""
    graph = capture.stage("0/0:backward:aot").graph
    return {node.id for node in graph.nodes if node.op == "placeholder" and node.role != "tangent"}


def _right(program: EditedProgram, edits: tuple[ChooseSaved | ChooseMemoryBudget, ...]) -> None:
    verdict = judge_edits(program, edits, 0.0, _quiet)
    assert all(row.agrees is not False for row in verdict.comparisons), verdict.summary
    assert ("edited", "eager") in {(row.what, row.reference) for row in verdict.comparisons}, verdict.notes


@pytest.mark.thorough
def test_decisions_have_reasons_bytes_and_bases(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    partition = _partition(edited.base.capture)
    rows = {row.node: row for row in partition.decisions}
    assert {row.node for row in partition.decisions if row.fate == "saved"} == _saved_by_forward(
        edited.base.capture
    )
    assert rows["addmm"].barred == "cannot recompute: not in recomputable allowlist"
    assert rows["primals_4"].barred == "cannot recompute: primal input"
    assert rows["gt"].bytes == 32 * 128
    assert rows["permute_1"].base == "primals_4", "a view counts with what it is a view of"
    kept = [row for row in partition.decisions if row.fate == "saved" and not row.node.startswith("primals")]
    assert partition.saved_bytes == sum(row.bytes or 0 for row in kept)


@pytest.mark.thorough
def test_a_tensor_is_saved_recomputed_and_left_to_torch_again(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    before = _saved_by_forward(edited.base.capture)
    base = edited.base.stepper.compared_step(edited.base.compiled).tensors
    again = (ChooseSaved(JOINT, "gt", False),)
    found = edited.recompile(again, "c2", _quiet)
    assert not consistent(found)[1]
    assert "gt" in before
    assert "gt" not in _saved_by_forward(found)
    assert _row(found, "gt").fate == "recomputed"
    assert found.stage(JOINT).graph.node("gt").chosen == "recomputed"  # type: ignore[union-attr]
    _right(edited, again)
    kept = (*again, ChooseSaved(JOINT, "gt", True), ChooseSaved(JOINT, "relu", True))
    found = edited.recompile(kept, "c3", _quiet)
    assert {"gt", "relu"} <= _saved_by_forward(found)
    assert "le_1" not in _saved_by_forward(found), "what follows from a kept tensor need not be kept"
    _right(edited, kept)
    edited.recompile((), "c4", _quiet)
    after = edited.base.stepper.compared_step(edited.base.compiled).tensors
    assert all(torch.equal(value, base[name]) for name, value in after.items())


def test_what_cannot_be_is_refused_with_the_reason(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    for node, saved, reason in (
        ("permute", True, "the backward needs neither it nor anything computed from it"),
        ("inductor_seeds_default", False, "draws random numbers"),
        ("primals_3", False, "inputs live anyway"),
        ("nobody", True, "no node nobody"),
    ):
        with pytest.raises(EngineError, match=reason):
            edited.recompile((ChooseSaved(JOINT, node, saved),), "c2", _quiet)
        assert edited.edits == ()
    with pytest.raises(EngineError, match="between 0 and 1"):
        edited.recompile((ChooseMemoryBudget(JOINT, 1.5),), "c3", _quiet)
    assert edited.base.stepper.step(edited.base.compiled).tensors


@pytest.mark.thorough
def test_the_budget_the_curve_and_measured_times(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    points = edited.explore(JOINT, (), _quiet)
    assert [point.budget for point in points] == [number / 20 for number in range(21)]
    assert points[-1].bytes == _partition(edited.base.capture).saved_bytes
    kept = [point.bytes or 0 for point in points]
    assert kept == sorted(kept)
    assert points[0].flops > points[-1].flops
    half = (ChooseMemoryBudget(JOINT, 0.5),)
    found = edited.recompile(half, "c2", _quiet)
    assert not consistent(found)[1]
    assert _partition(found).saved_bytes == points[10].bytes, "the curve told what the partitioner then did"
    _right(edited, half)
    (none, whole) = measure_budgets(edited, JOINT, (0.0, 1.0), half, _quiet)
    assert (none.bytes, whole.bytes) == (0, points[-1].bytes)
    assert none.low <= none.median <= none.high
    assert edited.edits == half
    assert StageKind.JOINT_GRAPH in {stage.kind for stage in found.stages}


@pytest.mark.thorough
@pytest.mark.parametrize("word", some(("1 (2 of 2)", "Timing")))
def test_cancelling_the_measurement_leaves_what_ran_before(program: Maker, word: str) -> None:
    """A cancel is a KeyboardInterrupt wherever Python is: while the second budget compiles, and while steps are timed."""
    edited = program("mlp_dropout.py:MLP")
    half = (ChooseMemoryBudget(JOINT, 0.5),)
    edited.recompile(half, "c2", _quiet)
    expected = edited.base.stepper.compared_step(edited.base.compiled)
    saved = _saved_by_forward(edited.recompile(half, "c3", _quiet))

    def report_progress(text: str) -> None:
        if word in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_budgets(edited, JOINT, (0.0, 1.0), half, report_progress)
    assert edited.edits == half
    again = edited.base.stepper.compared_step(edited.base.compiled)
    assert all(torch.equal(again.tensors[name], value) for name, value in expected.tensors.items())
    assert _saved_by_forward(edited.recompile(half, "c4", _quiet)) == saved
