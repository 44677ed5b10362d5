"""What a library remembers of the first call: the capture is of what later calls run."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from compiler.engine.guards.settled_capture import guard_left_behind, settled_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import failed_guards, ran_in_later_steps
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

pytestmark = pytest.mark.engine

REMEMBERS = """\
KNOWN = {int: 1.0}


def scale(x):
    if type(x) not in KNOWN:
        KNOWN[type(x)] = 2.0
    return x * KNOWN[type(x)]
"""
PROGRAM = """\
import torch
import loupe_remembers

OWN = {}


def forward(x):
    return loupe_remembers.scale(torch.sin(x))


def behind_a_break(x):
    x = torch.sin(x)
    torch._dynamo.graph_break()
    return loupe_remembers.scale(x)


def own(x):
    OWN[len(OWN)] = 1
    return torch.sin(x) * len(OWN)


def example_inputs():
    return (torch.randn(2, 4),)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program, and an installed module that keeps what it met."""
    library = tmp_path / "env" / "site-packages"
    library.mkdir(parents=True)
    (library / "loupe_remembers.py").write_text(REMEMBERS)
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(library))
    yield tmp_path
    sys.modules.pop("loupe_remembers", None)


def _spec(folder: Path, name: str) -> CaptureSpec:
    target = TargetSpec(f"program.py:{name}", str(folder))
    return CaptureSpec(target, CompileOptions(backend="eager"), RunOptions(False))


@pytest.mark.parametrize(("name", "frames"), [("forward", {"0/0"}), ("behind_a_break", {"0/0", "1/0"})])
def test_what_the_first_call_alone_compiles_is_captured_again_and_that_is_said(
    folder: Path, name: str, frames: set[str]
) -> None:
    reported: list[str] = []
    live = settled_capture(_spec(folder, name), "capture-1", lambda text: reported.append(str(text)), None)
    (note,) = (row.what for row in live.capture.problems if "second call" in row.what)
    assert "KNOWN" in note
    assert any("As the second call finds it" in text for text in reported)
    assert guard_left_behind(live) == ""
    assert ran_in_later_steps(EditedProgram(live), ()) == frames


def test_what_the_program_itself_counts_is_captured_once(folder: Path) -> None:
    """Its modules are loaded again for a capture, so that the next one would begin with the same."""
    reported: list[str] = []
    live = settled_capture(_spec(folder, "own"), "capture-1", lambda text: reported.append(str(text)), None)
    assert not any(
        "second call" in text for text in (*reported, *(row.what for row in live.capture.problems))
    )


def test_a_step_that_draws_another_shape_fails_no_question_for_a_guard(folder: Path) -> None:
    """Layers dropped at random (transformers' `layerdrop`): *failed when run: Detected recompile … 'fail_on_recompile'*, our own word."""
    live = settled_capture(_spec(folder, "forward"), "capture-1", lambda text: None, None)
    asked: list[object] = []

    def not_held() -> tuple[str, ...]:
        asked.append(live.compiled(torch.ones(3, 2)))
        return ()

    assert failed_guards(EditedProgram(live), None, not_held) == ()
    assert len(asked) == 1
