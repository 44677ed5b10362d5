"""What a person keeps when a worker dies, a program never ends, or a project looks like ours."""

import os
import signal
from pathlib import Path

import pytest

from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.ir.ids import place
from tests.end_to_end.conftest import EXAMPLES, Desk

DYNAMO = "0/0:dynamo"

ENDLESS = """
import torch

def spin(x):
    while True:
        x = x + 1
        if x.sum() < -1e30:
            return x

def example_inputs():
    print("about to spin", flush=True)
    WAIT
    return (torch.zeros(2),)
"""

REFUSED = """
import torch

def f(x):
    y = torch.sin(x)
    return y * 2 if y.sum() > 0 else y

def example_inputs():
    return (torch.ones(4),)
"""

ODD_PROJECT = """
import torch
from app.layers import width
from compiler.passes import scale
from resources import NAME

def model(x):
    return torch.relu(x) * scale

def example_inputs():
    print("inputs of", NAME)
    return (torch.randn(width, width, requires_grad=True),)
"""


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc").exists(), reason="the worker's process id is read from /proc")
def test_a_killed_worker_takes_nothing_with_it(desk: Desk) -> None:
    session = desk.session
    desk.capture("mlp.py:MLP", EXAMPLES)
    graph = session.stage_with_edits(DYNAMO).graph
    relu = next(node.id for node in graph.nodes if node.target == "torch.relu")
    session.selection.select(place(DYNAMO, relu))
    desk.act("edit.this_relu_to_gelu")
    desk.until(desk.settled)
    capture, edits, worker = session.capture, session.edits, desk.worker()
    # the same program with other options, since another one would begin in another process
    session.capture_target(CaptureSpec(TargetSpec("mlp.py:MLP", str(EXAMPLES))))
    desk.until(lambda: session.busy)
    os.kill(worker, signal.SIGKILL)
    desk.until(lambda: desk.settled() and desk.worker() != worker)
    assert any("SIGKILL" in text for text in desk.problem_texts())
    assert desk.window.isVisible()
    assert session.capture is capture
    assert session.edits == edits

    desk.act("edit.recompile")
    desk.until(lambda: len(session.captures) == 2 and desk.settled())
    assert session.verdict is not None


def begin_to_spin(desk: Desk, folder: Path, wait: str) -> None:
    (folder / "endless.py").write_text(ENDLESS.replace("WAIT", wait))
    printed: list[str] = []
    desk.session.output_arrived.connect(printed.append)
    desk.session.capture_target(CaptureSpec(TargetSpec("endless.py:spin", str(folder))))
    desk.until(lambda: "about to spin" in "".join(printed))


@pytest.mark.thorough
def test_a_program_that_never_begins_is_cancelled(desk: Desk, tmp_path: Path) -> None:
    begin_to_spin(desk, tmp_path, "while True: pass")
    desk.act("engine.cancel")
    desk.until(desk.settled)
    assert desk.session.capture is None
    assert desk.session.capturing is None
    assert not desk.window.welcome.choices.isHidden()


@pytest.mark.thorough
def test_an_endless_program_is_cancelled_and_what_was_seen_of_it_stays(desk: Desk, tmp_path: Path) -> None:
    begin_to_spin(desk, tmp_path, "pass")
    desk.until(lambda: desk.session.early.shown is not None)
    desk.act("engine.cancel")
    desk.until(desk.settled)
    assert desk.session.capture.stages
    assert desk.session.capturing is None
    assert desk.window.welcome.isHidden()


@pytest.mark.thorough
def test_a_project_with_packages_named_like_ours_loads_and_prints(desk: Desk, tmp_path: Path) -> None:
    for name, text in (
        ("app/__init__.py", ""),
        ("app/layers.py", "width = 4"),
        ("compiler/__init__.py", ""),
        ("compiler/passes.py", "scale = 2.0"),
        ("resources/__init__.py", "NAME = 'their resources'"),
        ("model.py", ODD_PROJECT),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    desk.capture("model.py:model", tmp_path)
    assert desk.session.capture is not None, desk.problem_texts()
    assert "torch.relu" in {node.target for node in desk.session.capture.stage(DYNAMO).graph.nodes}
    output = desk.pane("output").text
    desk.until(lambda: "inputs of their resources" in output.toPlainText())


@pytest.mark.thorough
def test_a_program_that_does_not_compile_is_taken_apart(desk: Desk, tmp_path: Path) -> None:
    """Nothing is open: the search needs what was tried, no capture."""
    session = desk.session
    (tmp_path / "refused.py").write_text(REFUSED)
    options = CompileOptions(fullgraph=True)
    session.capture_target(CaptureSpec(TargetSpec("refused.py:f", str(tmp_path)), options))
    desk.until(lambda: not session.busy and bool(session.problems))
    desk.act("engine.find_failure")
    assert desk.window.pages.currentWidget() is desk.window.dock_area
    session.causes.failures.search()
    desk.until(lambda: session.causes.failures.found is not None and not session.busy)
    found = session.causes.failures.found
    assert found.failure is not None
    assert found.level == "eager"
    assert "Dynamo" in found.sentence
