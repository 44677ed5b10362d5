"""A verdict is of code that ran: what a program does at its first call only is put back, and where it cannot be that is said."""

import contextlib
from collections.abc import Callable

import pytest
import torch

import torch_loupe
from compiler.analysis.text_format.verdict_headline import headline
from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.slow_search import find_slowness
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program import stepper
from compiler.engine.user_program.program_state import ProgramState
from compiler.engine.verdicts import judge_edits, reference_runs
from compiler.engine.verdicts.first_divergence import first_differences
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import Edit, ReplaceTarget
from compiler.model.experiments.causes import FindCause
from compiler.model.experiments.slowness import FindSlowness
from compiler.model.timing.verdicts import Comparison

pytestmark = pytest.mark.engine


class Cached(torch.nn.Module):
    """Its grid is made at the first call; a guard of the first graph says that there is none."""

    grid: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.grid is None:
            self.grid = torch.sin(torch.arange(4.0)) + x.sum().detach() * 0
        return x * self.grid


@pytest.fixture
def verdict_on() -> Callable[[Cached], torch_loupe.Verdict]:
    """A sine is a cosine from then on."""

    def judge(module: Cached) -> torch_loupe.Verdict:
        captured = torch_loupe.capture(module, torch.ones(4, 4), train=False, grad=False)
        stage = next(stage for stage in captured.stages if stage.id == "0/0:dynamo")
        (sine,) = (node for node in stage.nodes if node.target == "torch.sin")
        edited = captured.edit(stage.replace(sine.id, torch.cos)).recompile()
        assert edited[1] is not None
        return edited[1]

    return judge


@pytest.mark.thorough
def test_a_recompile_leaves_the_program_as_it_was_and_sees_what_the_first_call_does(
    verdict_on: Callable[[Cached], torch_loupe.Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = Cached().eval()
    verdict = verdict_on(module)
    assert module.grid is None
    assert verdict.right is True
    assert "No times" in str(verdict)  # no second step runs it
    assert "Torch names the guard that does not hold: 0/0: " in str(verdict)
    assert "grid" in str(verdict)

    real = reference_runs.interpreted_graph

    def interpreted(*given: object) -> Callable[..., object]:
        run = real(*given)  # type: ignore[arg-type]
        return lambda *args: tuple(value * 1.01 for value in run(*args))

    monkeypatch.setattr(reference_runs, "interpreted_graph", interpreted)
    assert verdict_on(Cached().eval()).right is False


def test_code_that_does_not_run_is_not_judged(
    verdict_on: Callable[[Cached], torch_loupe.Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here nothing of the program is put back, as where what it keeps lies where Python cannot."""
    monkeypatch.setattr(stepper, "unchanged_state", lambda owner: contextlib.nullcontext(ProgramState()))
    wrong = Comparison(
        "the call that compiled", "float64", (), agrees=False
    )  # it is held against what the program is now
    monkeypatch.setattr(judge_edits, "judge_compiling_call", lambda *_: wrong)
    verdict = verdict_on(Cached().eval())
    assert verdict.right is None
    assert "no step after the call that compiled runs graph 0/0" in str(verdict)
    card = headline(verdict.data)
    assert (card.right, card.moved) == (None, "")
    assert "no step after the call that compiled" in card.meaning
    assert not [row for row in verdict.data.comparisons if row.agrees is not None]


UNSEEN = "no step after the call that compiled runs graph 0/0"


def test_no_search_and_no_first_difference_is_answered_by_code_that_does_not_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = CaptureSpec(
        TargetSpec(f"{__file__}:Cached", inputs="torch.ones(4, 4)"),
        run=RunOptions(training=False, gradients=False),
    )
    program = EditedProgram(make_capture(spec, "c1", lambda text: None))
    (sine,) = (node for node in program.base_graph("0/0:dynamo", ()).nodes if node.target == "torch.sin")
    cosine = ReplaceTarget("0/0:dynamo", sine.id, sine.op, "torch.cos", sine.args, sine.kwargs)
    program.recompile((cosine,), "c2", lambda text: None)
    assert (
        find_cause(program, FindCause("c2", (cosine,)), lambda text: None).kind == ""
    )  # what it keeps is put back
    monkeypatch.setattr(stepper, "unchanged_state", lambda owner: contextlib.nullcontext(ProgramState()))
    program.base.stepper.step(program.base.compiled)
    edits: tuple[Edit, ...]
    for edits in ((cosine,), ()):
        program.recompile(edits, "c3", lambda text: None)
        with pytest.raises(EngineError, match=UNSEEN):
            find_cause(program, FindCause("c3", edits), lambda text: None)
        with pytest.raises(EngineError, match=UNSEEN):
            find_slowness(program, FindSlowness("c3", edits, anyway=True), lambda text: None)
        (problem,) = first_differences(program, edits)
        assert UNSEEN in problem.what


class BehindZeros(torch.nn.Module):
    """As a new LoRA layer, or a head that begins with zeros, which lets no gradient through."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
        torch.nn.init.zeros_(self.head.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(torch.relu(self.first(x)))


@pytest.mark.thorough
def test_what_zeros_hide_is_said() -> None:
    captured = torch_loupe.capture(BehindZeros(), torch.ones(2, 4), train=True)
    _, verdict = captured.edit(captured["dynamo"].replace("relu", torch.nn.functional.gelu)).recompile()
    (note,) = (note for note in verdict.data.notes if note.startswith("0 throughout"))
    assert note.endswith("does not show: grad of first.weight, grad of first.bias.")
