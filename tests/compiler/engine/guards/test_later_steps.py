"""Programs that guard on what their own step changes: captured once they compile once, in use at every step."""

from pathlib import Path

import pytest

from compiler.command_line.reports.break_reports import break_report
from compiler.command_line.reports.guard_reports import recompile_report
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.costs import recompiles
from compiler.engine.costs.find_cost import find_cost
from compiler.engine.guards.later_steps import STEPS, repeat_steps
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing import graph_break_cost
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.experiments.costs import RECOMPILES, FindCost
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]
PROGRAMS = """
import torch


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        self.seen += 1
        x = torch.relu(x) + self.seen
        torch._dynamo.graph_break()
        return x.sin()


class Steady(torch.nn.Module):
    def forward(self, x):
        x = torch.relu(x)
        torch._dynamo.graph_break()
        return x.sin()
"""
COUNTED = next(number for number, text in enumerate(PROGRAMS.splitlines(), 1) if "seen += 1" in text)


def captured(folder: Path, name: str) -> LiveCapture:
    (folder / "programs.py").write_text(PROGRAMS)
    target = TargetSpec(f"programs.py:{name}", str(folder), "torch.ones(3)")
    return make_capture(CaptureSpec(target, CompileOptions(backend="eager")), "capture-1", lambda text: None)


def test_a_counter_compiles_every_further_step_again(tmp_path: Path) -> None:
    live = captured(tmp_path, "Counting")
    assert not live.capture.recompiles
    found = repeat_steps(live)
    first = [record for record in found.recompiles if record.name == "forward"]
    assert len(first) == STEPS
    failed = first[0].entries[0].failed[0]
    assert (failed.line.path, failed.line.line) == (str(tmp_path / "programs.py"), COUNTED)
    printed = recompile_report(live.capture, found)
    assert f"programs.py:{COUNTED}" in printed
    assert live.program.callable.seen == 0, "the program is left as it was"


def test_a_steady_program_compiles_nothing_again(tmp_path: Path) -> None:
    live = captured(tmp_path, "Steady")
    found = repeat_steps(live)
    assert not found.recompiles
    assert f"Nor in {STEPS} further steps" in recompile_report(live.capture, found)


@pytest.mark.parametrize(("name", "again"), [("Counting", True), ("Steady", False)])
def test_what_compiles_is_not_timed_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, again: bool
) -> None:
    monkeypatch.setattr(graph_break_cost, "_MOST_STEPS", 24)
    monkeypatch.setenv("LOUPE_MEASURING_TIME", "10")
    live = captured(tmp_path, name)
    costs = graph_break_cost.measure_breaks(live)
    assert (costs.compiled_again > 0) is again
    timed = 24 - graph_break_cost._WARM_UP
    assert (costs.step.count < timed) is again
    printed = break_report(live.capture, ranked_breaks(live.capture, costs), costs)
    assert ("Further steps compiled" in printed) is again


@pytest.mark.thorough
def test_what_helps_a_counter_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompiles, "_SWITCHES", recompiles._SWITCHES[:1])
    monkeypatch.setenv("LOUPE_MEASURING_TIME", "0.1")
    program = EditedProgram(captured(tmp_path, "Counting"))
    found = find_cost(program, FindCost("capture-1", RECOMPILES), lambda text: None)
    assert found.lines[0].line == COUNTED
    assert [trial.what for trial in found.trials if trial.helps]
