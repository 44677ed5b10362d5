"""``loupe bisect``: what is wrong, the file that shows it, the report; and exit statuses."""

import json
from pathlib import Path

import pytest
import torch

from compiler.analysis.session_file.session_reading import read_session
from compiler.command_line.main import main
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.experiments.costs import CostTrialDone
from compiler.model.experiments.slowness import SpeedTrialDone
from compiler.model.protocol.messages import EventBody, RequestBody

pytestmark = [pytest.mark.engine, pytest.mark.worker]

WRONG = """
import torch
from torch._inductor import lowering

sine = lowering.lowerings[torch.ops.aten.sin.default]
lowering.lowerings[torch.ops.aten.sin.default] = lambda x: lowering.mul(sine(x), 1.5)

def program(x):
    return torch.sin(x) + 1

def right(x):
    return torch.cos(x) + 1

def acosh(x):
    h = x.abs() * 1e20 + 1
    y = torch.acosh(h)
    return (y - y.mean()) / 7

def example_inputs():
    return (torch.randn(64),)
"""
FAILS = """
import torch

shift = torch.randn(4)

def program(x):
    y = torch.cos(x)
    return torch._higher_order_ops.map(lambda row, more: row.sin() + more, y, shift)

def example_inputs():
    return (torch.randn(2, 4, requires_grad=True),)
"""
COSTS = """
import torch

def program(x):
    return torch.relu(x) * 2

def example_inputs():
    return (torch.randn(8, 4),)
"""


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "wrong.py").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.thorough
def test_a_cause_is_reported_with_its_line_and_the_least_program_is_tried_by_itself(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["bisect", "wrong.py:program", "--shrink", "least.py", "--report", "report.md"])
    reported = capsys.readouterr()
    assert status == 1
    assert reported.out.startswith(
        "What Inductor makes of sin (wrong.py:9) in kernel cpp_fused_add_sin_0 is wrong"
    )
    assert "wrong with it and right without, 3 times in turn" in reported.out
    assert "1 operation of 2" in reported.out
    # the fault is in the file of the program, so the least program, which has nothing of it, is right
    assert "something that your program does when it is loaded is part of the cause" in reported.out
    assert "Looking for the cause" in reported.err
    report = (wrong / "report.md").read_text()
    assert "### What is wrong" in report
    assert "```python" in report
    assert f"torch {torch.__version__}" in report
    assert "| wrong |" in report
    assert read_session(wrong / "report.loupe").captures[0].stages


@pytest.mark.thorough
def test_a_program_that_cannot_be_compiled_is_made_smaller(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is planted: torch 2.13 cannot compile this."""
    (wrong / "fails.py").write_text(FAILS)
    arguments = [
        "bisect",
        "fails.py:program",
        "--hangs-after",
        "60",
        "--shrink",
        "least.py",
        "--report",
        "report.md",
    ]
    status = main(arguments)
    reported = capsys.readouterr().out
    if status == 0:
        pytest.skip("this torch compiles it")
    assert "Compiling fails in the backend inductor, which raises DataDependentOutputException" in reported
    assert "  fails  compiled with inductor" in reported
    assert "In a fresh process it fails for the same reason" in reported
    least = (wrong / "least.py").read_text()
    assert "map_body_0_body" in least
    assert "torch.cos" not in least
    assert "### What fails" in (wrong / "report.md").read_text()


def test_right_results_end_with_0_and_json_is_whole(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bisect", "wrong.py:right", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == ""
    assert "right on 4 inputs" in found["sentence"]


@pytest.mark.thorough
def test_a_bad_expression_and_a_place_that_cannot_be_written(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", "wrong.py:right", "--check", "outputs["]) == 1
    assert "The check is no expression" in capsys.readouterr().err
    assert main(["bisect", "wrong.py:right", "--shrink", "nowhere/least.py"]) == 1
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.skipif(not torch.__version__.startswith("2.13"), reason="a fault of torch 2.13")
def test_a_fault_that_torch_has(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Inductor's vectorised acosh overflows for numbers above 1e19; scalar code and eager do not."""
    assert main(["bisect", "wrong.py:acosh", "--shrink", "least.py"]) == 1
    reported = capsys.readouterr().out
    assert reported.startswith("What Inductor makes of acosh (wrong.py:16)")
    assert "cpp.simdlen = 1" in reported
    assert "In a fresh process it is wrong for the same reason: code generation." in reported
    assert "torch.acosh(" in (wrong / "least.py").read_text()


@pytest.mark.thorough
def test_costs_are_reported_by_line_and_with_what_saves_some(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (wrong / "costs.py").write_text(COSTS)
    assert main(["bisect", "costs.py:program", "--costs", "recompiles", "--sizes", "x:0=4,5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == 2
    assert "L['x']" in found["lines"][0]["detail"]
    assert main(["bisect", "costs.py:program", "--costs", "memory"]) == 0
    reported = capsys.readouterr().out
    assert reported.startswith("A step takes ")
    assert "by line:" in reported


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--costs", "memory", "--sizes", "x:0=4"), "--sizes tells nothing of memory"),
        (("--costs", "recompiles", "--sizes", "x=4"), "no series of sizes"),
        (("--costs", "memory", "--check", "True"), "--check is about wrong ones"),
        (("--costs", "memory", "--slower-than", "eager"), "two questions"),
    ],
)
def test_what_cannot_be_asked_of_costs_is_refused(
    options: tuple[str, ...], said: str, wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", "wrong.py:right", *options]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("question", [("--costs", "memory"), ("--slower-than", "1ns")])
def test_what_was_tried_before_it_was_stopped_is_reported(
    question: tuple[str, str],
    wrong: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Seven measured trials of ten were lost with --timeout: here it stops at the first that ends."""
    real = WorkerClient._asked

    def asked(client: WorkerClient, body: RequestBody, deadline: float | None) -> object:
        hear = client._on_event

        def heard(event: EventBody) -> None:
            hear(event)
            if isinstance(event, CostTrialDone | SpeedTrialDone):
                raise CommandFailedError("Stopped.", "Give more time.")

        client._on_event = heard
        return real(client, body, deadline)

    monkeypatch.setattr(WorkerClient, "_asked", asked)
    (wrong / "costs.py").write_text(COSTS)
    assert main(["bisect", "costs.py:program", *question]) != 0
    reported = capsys.readouterr()
    assert "Stopped before the end. 1 trial that ended before:\n  " in reported.out
    assert "Stopped. Give more time." in reported.err
