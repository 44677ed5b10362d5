"""TorchScript's IR changed as text and run in a process of its own; the saved program run in C++."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = [pytest.mark.engine, pytest.mark.worker]


def run(worker: WorkerClient, text: str | None, way: str = "jit.script", **more: object) -> ScriptRun:
    spec = CaptureSpec(TargetSpec("trace_forgets.py:Net", str(EXAMPLES)), front_end=way)
    return worker.ask(RunScript(spec, text, **more), ScriptRun)  # type: ignore[arg-type]


def test_a_text_is_run_and_compared_with_the_program(worker: WorkerClient, tmp_path: Path):
    own = run(worker, None, save=str(tmp_path / "net.pt"))
    assert "gives the program's results" in own.summary
    assert "%w.conv.weight : Tensor" in own.text
    assert (tmp_path / "net.pt").stat().st_size > 1000
    assert any("lite interpreter" in note for note in own.notes)
    changed = run(worker, own.text.replace("aten::relu", "aten::sigmoid"))
    assert "other results than the program" in changed.summary
    assert changed.comparison is not None
    wrong = run(worker, own.text.replace("aten::relu", "aten::nope"))
    assert "no operator aten::nope" in wrong.problem.what
    lines = own.text.split("\n")
    assert wrong.problem.line == next(n for n, line in enumerate(lines, 1) if "aten::relu" in line)


def test_a_trace_with_tensors_in_its_graph_stands_alone_too(worker: WorkerClient):
    assert "gives the program's results" in run(worker, None, "jit.trace").summary


@pytest.mark.slow
def test_cpp_gives_what_python_gives(worker: WorkerClient):
    ran = run(worker, None, in_cpp=True)
    assert "float [2, 6, 6]" in ran.cpp
    assert "bit for bit" in ran.cpp or "differs from Python's eager result by up to" in ran.cpp
