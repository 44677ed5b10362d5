"""Under every rule of the kind "as near as eager": a fault that was planted is found, also where random numbers are drawn."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.experiments.ab_trial import try_changes
from compiler.engine.experiments.backend_smoke_test import try_backend
from compiler.engine.experiments.compile_option_trials import measure_choices
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.engine.verdicts import reference_runs
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetCompileOption
from compiler.model.edits.edits import Edit
from compiler.model.experiments.compile_choices import choice_of
from compiler.model.ir.stage import StageKind
from compiler.model.timing.verdicts import Comparison
from tests.compiler.engine.torch_internals.inductor.test_stage_edits import negation
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine
DRAWING = Path(__file__).parents[3] / "data" / "drawing_programs.py"
CHANGE = SetCompileOption("epilogue_fusion", False)


def _spec(name: str, backend: str = "inductor") -> CaptureSpec:
    run = RunOptions(training=True, gradients=True)
    return CaptureSpec(TargetSpec(f"{DRAWING}:{name}"), CompileOptions(backend=backend), run)


def _quiet(_text: str) -> None:
    pass


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Everything but the program itself gives results that are one per cent off, once this is called."""
    real = Stepper.compared_step

    def compared_step(self: Stepper, function: Callable[..., object], *within: object) -> Results:
        results = real(self, function, *within)
        if function is self.program.callable:
            return results
        return _off(results)

    return lambda: monkeypatch.setattr(Stepper, "compared_step", compared_step)


def _off(results: Results) -> Results:
    return Results({name: value * 1.01 for name, value in results.tensors.items()})


@pytest.mark.thorough
def test_what_cannot_draw_eagers_numbers_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    program = EditedProgram(make_capture(_spec("Drops"), "c1", _quiet))
    edits = _edits(program)
    program.recompile(edits, "c2", _quiet)
    monkeypatch.setattr(EditedProgram, "random_as_eager", lambda self, edits, report_progress: ())
    verdict = judge_edits(program, edits, 0.0, _quiet)
    assert all(row.agrees is None for row in verdict.comparisons)
    assert "it draws random numbers of its own" in verdict.summary


@pytest.mark.parametrize("name", some(("Drops", "Samples", "Branches")))
def test_an_edited_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = EditedProgram(make_capture(_spec(name), "c1", _quiet))
    edits = _edits(program)
    program.recompile(edits, "c2", _quiet)
    right = judge_edits(program, edits, 0.0, _quiet).comparisons
    assert _agreed(right, "unedited", "float64") is True
    assert {
        _agreed(right, "edited", row.reference) for row in right if "graph, float64" in row.reference
    } <= {True}

    real = reference_runs.interpreted_graph

    def interpreted(*given: object) -> Callable[..., object]:
        run = real(*given)
        return lambda *args: tuple(
            value * 1.01 if value.is_floating_point() else value for value in run(*args)
        )

    monkeypatch.setattr(reference_runs, "interpreted_graph", interpreted)
    wrong = judge_edits(program, edits, 0.0, _quiet).comparisons
    judged = [row for row in wrong if row.reference.startswith("edited graph, float64")]
    assert judged
    assert all(row.agrees is False for row in judged)


@pytest.mark.thorough
def test_an_unedited_program(faulty: Callable[[], None]) -> None:
    program = EditedProgram(make_capture(_spec("Samples"), "c1", _quiet))
    faulty()
    assert _agreed(judge_edits(program, (), 0.0, _quiet).comparisons, "unedited", "float64") is False


@pytest.mark.thorough
def test_a_trial(faulty: Callable[[], None]) -> None:
    right = try_changes(_spec("Drops", "aot_eager"), (CHANGE,), None, _quiet).comparisons
    assert _agreed(right, "changed", "float64, unchanged") is True
    faulty()
    wrong = try_changes(_spec("Drops", "aot_eager"), (CHANGE,), None, _quiet).comparisons
    assert _agreed(wrong, "changed", "float64, unchanged") is False


@pytest.mark.thorough
def test_a_measured_choice(faulty: Callable[[], None]) -> None:
    spec = _spec("Drops", "aot_eager")
    choice = choice_of("epilogue_fusion", False, frozenset())
    assert measure_choices(spec, (choice,), _quiet).outcomes[0].same_results is True
    faulty()
    outcome = measure_choices(spec, (choice,), _quiet).outcomes[0]
    assert outcome.same_results is False
    assert "off by" in outcome.results


def test_a_backend() -> None:
    def off(module: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> Callable[..., object]:
        return lambda *args: tuple(value * 1.01 for value in module(*args))

    torch._dynamo.register_backend(off, "one_per_cent_off")
    try:
        tried = try_backend("one_per_cent_off", _quiet)
    finally:
        torch._dynamo.reset()
    assert not tried.works
    assert "off by" in tried.why


def _edits(program: EditedProgram) -> tuple[Edit, ...]:
    stage = next(stage for stage in program.base.capture.stages if stage.kind is StageKind.DYNAMO_GRAPH)
    return (negation(program, stage.id),)


def _agreed(rows: tuple[Comparison, ...], what: str, against: str) -> bool | None:
    return next(row.agrees for row in rows if (row.what, row.reference) == (what, against))
