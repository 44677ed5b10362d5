"""Whatever a person throws at it: one message that says what happened, in which line of theirs, and what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.engine.user_program.loaded_program import LoadedProgram
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.messages import (
    CaptureMade,
    DescribeTarget,
    Done,
    EventBody,
    MakeCapture,
    Recompile,
    Recompiled,
    TargetDescribed,
)
from compiler.model.protocol.process_changes import ProcessChanged
from compiler.worker import compared_process
from tests.helpers.sample_capture import capture as sample_capture

pytestmark = [pytest.mark.engine, pytest.mark.worker]

Write = Callable[[str, str], Path]

_INPUTS = "\n\ndef example_inputs():\n    return (torch.randn(2, 8),)\n"


def _capture(client: WorkerClient, folder: Path, name: str, inputs: str | None = None) -> CaptureMade:
    return client.ask(
        MakeCapture(CaptureSpec(TargetSpec(name, str(folder), inputs)), "capture-1"), CaptureMade
    )


def _refusal(client: WorkerClient, folder: Path, name: str, inputs: str | None = None) -> Problem:
    with pytest.raises(CommandFailedError) as refused:
        _capture(client, folder, name, inputs)
    return refused.value.problem


@pytest.mark.parametrize(
    ("name", "text", "target", "words", "line"),
    [
        ("a.py", "import torch\ndef f(x)\n    return x\n", "f", "SyntaxError", 2),
        ("b.py", "import torch\nimport not_there_at_all\n", "f", "not_there_at_all", 2),
        ("c.py", "import torch\nvalue = 5\n", "value", "int, which cannot be captured", None),
        ("d.py", "import torch\ndef f(x):\n    return x\n", "g", "no 'g'", None),
        ("e.py", "import torch\ndef f(x):\n    raise ValueError('mine')\n", "f", "ValueError: mine", 3),
        (
            "f.py",
            "import torch\ndef f(x):\n    return x @ torch.ones(3, 3)\n",
            "f",
            "cannot be multiplied",
            3,
        ),
        ("g.py", "import sys\nsys.exit(4)\n", "f", "SystemExit", 2),
        ("h.py", "import torch\ndef f(x):\n    raise SystemExit(3)\n", "f", "sys.exit", 3),
        (
            "i.py",
            "from torch import nn\nclass N(nn.Module):\n    def __init__(self, n):\n        pass\n",
            "N",
            "N()",
            None,
        ),
        ("j.py", "import torch\ndef f(x):\n    return f(x)\n", "f", "RecursionError", 3),
        (
            "l.py",
            "import torch\ndef f(x):\n    raise KeyboardInterrupt\n",
            "f",
            "raised KeyboardInterrupt, though nobody cancelled",
            3,
        ),
        (
            "k.py",
            "import torch\nclass E(Exception):\n    def __str__(self):\n        raise ValueError\n\ndef f(x):\n    raise E\n",
            "f",
            "__str__ raises ValueError",
            7,
        ),
    ],
)
def test_programs_that_do_not_work(
    worker: WorkerClient, write: Write, name: str, text: str, target: str, words: str, line: int | None
) -> None:
    path = write(name, text + ("" if "import torch\n" not in text or "f(x)\n" in text else _INPUTS))
    problem = _refusal(worker, path.parent, f"{name}:{target}", "torch.randn(2, 8)")
    assert words in problem.what
    assert problem.remedy
    if line is not None:
        assert problem.path == str(path)
        assert problem.line == line
        assert f"line {line}" not in problem.what  # `message` says it
        assert problem.written == text.split("\n")[line - 1].strip()


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("nothing.py:f", None, "no file"),
        ("no_colon.py", None, "names no target"),
        ("made.loupe", None, "is a session file and no program"),
        ("no.such.module:f", None, "no module"),
        ("ok.py:f", "torch.randn(", "could not be evaluated"),
        ("ok.py:f", "undefined_name", "could not be evaluated"),
        ("ok.py:f", None, "no example_inputs"),
        ("values.py:f", None, "example_inputs is no function but a tuple."),
    ],
)
def test_targets_and_inputs_that_do_not_exist(
    worker: WorkerClient, write: Write, name: str, inputs: str | None, words: str
) -> None:
    text = "import torch\ndef f(x):\n    return x.sin()\n"
    path = write("ok.py", text)
    write("values.py", f"{text}example_inputs = (torch.ones(2),)\n")
    problem = _refusal(worker, path.parent, name, inputs)
    assert words in problem.what
    assert problem.remedy


def test_a_file_without_a_name_is_answered_with_the_names_it_has(worker: WorkerClient, write: Write) -> None:
    path = write(
        "names.py", "import torch\nclass Net(torch.nn.Module):\n    pass\ndef step(x):\n    return x\n"
    )
    problem = _refusal(worker, path.parent, "names.py", None)
    assert problem.remedy == "Write names.py:Net or names.py:step."


def test_a_folder_called_torch_is_reported(worker: WorkerClient, write: Write) -> None:
    path = write("model.py", "import torch\ndef f(x):\n    return x\n")
    (path.parent / "torch").mkdir()
    problem = _refusal(worker, path.parent, "model.py:f", "torch.randn(2)")
    assert "hides the real torch" in problem.what
    assert problem.path == str(path.parent / "torch")


@pytest.mark.thorough
def test_a_project_with_our_package_names_loads(worker: WorkerClient, write: Write) -> None:
    write("compiler/__init__.py", "FACTOR = 3\n")
    write("compiler/ops.py", "def scale(x):\n    return x * 2\n")
    write("app/__init__.py", "OFFSET = 1\n")
    write("resources/__init__.py", "")
    path = write(
        "model.py",
        "import torch\nimport app, resources, compiler\nfrom compiler.ops import scale\n"
        "def f(x):\n    return scale(x) * compiler.FACTOR + app.OFFSET\n",
    )
    made = _capture(worker, path.parent, "model.py:f", "torch.randn(4)")
    assert made.capture.problems == ()
    assert any(stage.id.endswith("compiler/ops.py") for stage in made.capture.stages)


@pytest.mark.thorough
def test_printing_does_not_break_the_protocol(
    worker: WorkerClient, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        "loud.py",
        "import os, torch\ndef f(x):\n    print('printed by the program')\n    os.write(1, b'\\x00\\x00\\xff raw\\n')\n    return x.sin()\n",
    )
    assert _capture(worker, path.parent, "loud.py:f", "torch.randn(4)").capture.stages
    assert _capture(worker, path.parent, "loud.py:f", "torch.randn(4)").capture.breaks


def test_a_target_describes_its_arguments(worker: WorkerClient, write: Write) -> None:
    path = write(
        "d.py",
        "import torch\ndef f(x, scale=2.0, *, mask=None):\n    return x\n"
        "def example_inputs():\n    return (torch.zeros(2, 3, dtype=torch.float64, requires_grad=True), 1.5), {'mask': None}\n",
    )
    reply = worker.ask(DescribeTarget(TargetSpec("d.py:f", str(path.parent))), TargetDescribed)
    first, second, third = reply.description.arguments
    assert (first.name, first.shape, first.dtype, first.requires_grad) == ("x", (2, 3), "float64", True)
    assert (second.name, second.text) == ("scale", "1.5")
    assert third.keyword


@pytest.mark.thorough
def test_the_worker_still_works_after_all_that(worker: WorkerClient, write: Write) -> None:
    path = write("fine.py", "import torch\ndef f(x):\n    return x.sin()\n")
    assert _capture(worker, path.parent, "fine.py:f", "torch.randn(4)").capture.problems == ()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    import os\n    os._exit(3)\n", "exit code 3"),
        ("    import ctypes\n    ctypes.string_at(0)\n", "SIGSEGV"),
        ("    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"),
    ],
)
def test_programs_that_kill_the_process(write: Write, body: str, words: str) -> None:
    path = write("deadly.py", f"import torch\ndef f(x):\n{body}    return x\n")
    with WorkerClient(lambda event: None, timeout=120, gate=TrustGate()) as client:
        problem = _refusal(client, path.parent, "deadly.py:f", "torch.randn(4)")
    assert words in problem.what
    assert "Running the program" in problem.what
    if words != "SIGKILL":
        assert (problem.path, problem.line) == (str(path), 4)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "body", ["    while True:\n        pass\n", "    import time\n    time.sleep(1000)\n"]
)
def test_programs_that_never_end_are_stopped_and_reported_where(write: Write, body: str) -> None:
    path = write("endless.py", f"import torch\ndef f(x):\n{body}    return x\n")
    with WorkerClient(lambda event: None, timeout=4, gate=TrustGate()) as client:
        problem = _refusal(client, path.parent, "endless.py:f", "torch.randn(4)")
    assert "Stopped after 4 s" in problem.what
    assert "endless.py" in problem.message()


@pytest.mark.thorough
def test_a_program_that_swallows_the_cancel_is_killed(write: Write) -> None:
    path = write(
        "stubborn.py",
        "import torch\ndef f(x):\n    while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass\n",
    )
    with WorkerClient(lambda event: None, timeout=4, gate=TrustGate()) as client:
        problem = _refusal(client, path.parent, "stubborn.py:f", "torch.randn(4)")
    assert problem.path == str(path)


_LOSES_ITS_GPU = """
import os, pathlib, torch
_FIRST = pathlib.Path(__file__).with_name("first")
if not _FIRST.exists():
    _FIRST.write_text(str(os.getpid()))
_IS_FIRST = _FIRST.read_text() == str(os.getpid())
def lost():
    raise RuntimeError("CUDA error: device-side assert triggered\\nSearch for cudaErrorAssert.")
def f(x):
    if _IS_FIRST:
        torch.cuda.is_initialized = lambda: True
        torch.cuda.synchronize = lost
        lost()
    return x.relu()
"""


def test_a_lost_gpu_is_reported_and_the_process_loads_no_other_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost() -> None:
        raise RuntimeError("CUDA error: device-side assert triggered\nSearch for cudaErrorAssert.")

    monkeypatch.setattr(compared_process, "THIS_PROCESS", here := LoadedProgram())
    monkeypatch.setattr("torch.cuda.is_initialized", lambda: True)
    monkeypatch.setattr("torch.cuda.synchronize", lambda: None)
    reported: list[EventBody] = []
    compared_process.compared(DescribeTarget(target := TargetSpec("a.py:f")), Done, reported.append)
    assert reported == []
    monkeypatch.setattr("torch.cuda.synchronize", lost)
    compared_process.compared(DescribeTarget(target), Done, reported.append)
    (event,) = reported
    assert isinstance(event, ProcessChanged)
    assert (
        event.problem.what
        == "The GPU can be used no more in this process: CUDA error: device-side assert triggered."
    )
    here._key = ("a.py:f", str(Path.cwd()), ())
    assert here.why_not(target, {}) == "it changed the process"


@pytest.mark.thorough
def test_a_process_whose_gpu_is_lost_captures_nothing_more(
    worker: WorkerClient, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("lost.py", _LOSES_ITS_GPU + _INPUTS)
    assert "device-side assert" in _refusal(worker, path.parent, "lost.py:f").what
    reported = "The GPU can be used no more in this process: CUDA error: device-side assert triggered."
    assert f"{reported} Capture again: that begins in a fresh process." in capsys.readouterr().err
    assert _capture(worker, path.parent, "lost.py:f").capture.stages
    assert reported not in capsys.readouterr().err


def test_what_the_program_changed_is_reported_of_its_edited_captures_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A comparison of the two said that it was gone."""
    monkeypatch.setattr(compared_process, "THIS_PROCESS", here := LoadedProgram())
    here.note_changed(note := Problem("The program changed the process: a.", severity=Severity.NOTE))
    made = Recompiled(sample_capture(), None)
    reply = compared_process.compared(Recompile("capture-1", (), "capture-2"), lambda: made, lambda _: None)
    assert isinstance(reply, Recompiled)
    assert reply.capture.problems[-1] == note
