"""A program that is right in later calls and wrong in the one that compiles is called wrong, and the other way round."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from compiler.engine.capture import capture
from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import Stepper
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.engine.verdicts.verdict_text import COMPILING, NOT_JUDGED
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.experiments.causes import FindCause
from compiler.model.timing.verdicts import SAME_NUMBERS, Comparison, Verdict

pytestmark = pytest.mark.engine
DATA = Path(__file__).parents[3] / "data"
BACKEND = "off_in_some_calls"


class Off:
    """A backend whose nth graph, where `wrong` says so of the number of the call, is one per cent off."""

    def __init__(self) -> None:
        self.wrong: Callable[[int, int], bool] = lambda graph, call: False
        self.graphs = 0

    def __call__(self, module: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> Callable[..., object]:
        graph, calls = self.graphs, [0]
        self.graphs += 1

        def run(*args: torch.Tensor) -> object:
            calls[0] += 1
            factor = 1.01 if self.wrong(graph, calls[0]) else 1.0
            return tuple(value * factor for value in module(*args))

        return run


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[Off]:
    off = Off()
    torch._dynamo.register_backend(off, BACKEND)
    yield off
    torch._dynamo.reset()
    torch._dynamo.backends.registry._COMPILER_FNS.pop(BACKEND, None)


def _quiet(_text: str) -> None:
    pass


def _captured(target: str, backend: str = BACKEND, train: bool = True) -> EditedProgram:
    run = RunOptions(training=train, gradients=train)
    spec = CaptureSpec(TargetSpec(str(DATA / target)), CompileOptions(backend=backend), run)
    return EditedProgram(make_capture(spec, "c1", _quiet))


def _judged(
    target: str, backend: str = BACKEND, train: bool = True
) -> tuple[Verdict, Comparison, Comparison]:
    """(verdict, its row of later calls, its row of the call that compiled)."""
    verdict = judge_edits(_captured(target, backend, train), (), 0.0, _quiet)
    rows = {row.what: row for row in verdict.comparisons}  # the last of each is the one that is judged
    return verdict, rows["unedited"], rows[COMPILING]


@pytest.mark.thorough
@pytest.mark.parametrize("target", ["compiling_programs.py:Small", "compiling_programs.py:Again"])
def test_what_is_right_is_called_right(backend: Off, target: str) -> None:
    verdict, later, compiling = _judged(target)
    assert later.agrees
    assert compiling.agrees
    assert {row.tensor for row in compiling.differences} > {"output 0", "grad of one.weight"}
    assert COMPILING not in verdict.summary


def test_wrong_in_the_compiling_call_alone(backend: Off) -> None:
    backend.wrong = lambda graph, call: call == 1
    verdict, later, compiling = _judged("compiling_programs.py:Small")
    assert later.agrees
    assert compiling.agrees is False
    off = {row.tensor: row.max_relative for row in compiling.differences}
    assert off["output 0"] == pytest.approx(0.01, rel=0.1)
    assert off["grad of one.weight"] == pytest.approx(0.01, rel=0.1)
    assert f"{COMPILING} gave wrong results" in verdict.summary


@pytest.mark.thorough
def test_wrong_in_what_was_compiled_a_second_time_in_it(backend: Off) -> None:
    graphs = _graphs_of(backend)
    backend.wrong = lambda graph, call: graph == graphs - 1 and call == 1
    backend.graphs = 0
    _, later, compiling = _judged("compiling_programs.py:Again")
    assert later.agrees
    assert compiling.agrees is False


def _graphs_of(backend: Off) -> int:
    program = _captured("compiling_programs.py:Again")
    assert program.base.capture.recompiles, "a function is compiled again in the one call"
    return backend.graphs


def test_wrong_in_later_calls_alone(backend: Off) -> None:
    backend.wrong = lambda graph, call: call > 1
    verdict, later, compiling = _judged("compiling_programs.py:Small")
    assert later.agrees is False
    assert compiling.agrees
    assert "not as near" in verdict.summary


def test_it_is_seen_by_the_search_for_the_cause(backend: Off) -> None:
    right = find_cause(_captured("compiling_programs.py:Small"), FindCause("c1"), _quiet)
    assert not right.wrong
    backend.wrong = lambda graph, call: call == 1
    found = find_cause(_captured("compiling_programs.py:Small"), FindCause("c1"), _quiet)
    assert found.wrong
    assert found.sentence.startswith("Only the call that compiled gave wrong results")
    assert found.off == pytest.approx(0.01, rel=0.1)


@pytest.mark.thorough
def test_one_that_draws_is_judged_by_later_calls_from_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, later, compiling = _judged("drawing_programs.py:Drops", "inductor")
    assert later.agrees
    assert (compiling.reference, compiling.agrees) == (SAME_NUMBERS, True)
    real = Stepper.step

    def off(self: Stepper, *args: object) -> object:
        results = real(self, *args)
        for tensor in results.tensors.values():
            tensor.mul_(1.01)
        return results

    monkeypatch.setattr(Stepper, "step", off)
    verdict, _, compiling = _judged("drawing_programs.py:Drops", "inductor")
    assert compiling.agrees is None
    assert f"{COMPILING} was not judged: it gave something else" in verdict.summary


@pytest.mark.thorough
def test_what_gives_something_else_at_each_call_is_not_judged() -> None:
    _, _, compiling = _judged("compiling_programs.py:EachOther", "inductor", train=False)
    assert compiling.agrees is None
    assert NOT_JUDGED in compiling.note


@pytest.mark.thorough
def test_the_program_runs_no_more_often_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    real = Stepper._step

    def counted(self: Stepper, *args: object) -> object:
        steps.append("step")
        return real(self, *args)

    monkeypatch.setattr(Stepper, "_step", counted)
    program = _captured("compiling_programs.py:Small", "inductor")
    assert len(steps) == 1
    assert program.base.compiling is not None


def test_no_copy_is_kept_of_what_is_too_large_for_one(backend: Off, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "_MOST_KEPT", 16)
    _, later, compiling = _judged("compiling_programs.py:Small")
    assert later.agrees
    assert compiling.agrees is None
    assert "too much for a copy" in compiling.note
