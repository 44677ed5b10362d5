"""What cannot be captured, or not now, is reported at once and changes nothing."""

import contextlib
import importlib.util
import os
import runpy
import threading
from pathlib import Path

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.registry import listening

pytestmark = pytest.mark.engine


class Halved(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / 2


def test_a_class_is_no_program_and_is_left_as_it_is() -> None:
    """torch.compile would compile the method of the class, and then no object of it could be compiled."""
    with pytest.raises(torch_loupe.LoupeError, match=r"is a class.*capture\(Halved\(…\)"):
        torch_loupe.capture(Halved, torch.ones(2))
    assert torch_loupe.capture(Halved(), torch.ones(2), backend="eager").breaks == ()


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_what_torch_jit_made_and_what_cannot_be_called_is_refused() -> None:
    traced = torch.jit.trace(Halved(), torch.ones(2))  # type: ignore[no-untyped-call]
    with pytest.raises(torch_loupe.LoupeError, match=r"what torch\.jit made"):
        torch_loupe.capture(traced, torch.ones(2))
    with pytest.raises(torch_loupe.LoupeError, match="int cannot be called"):
        torch_loupe.capture(3)  # type: ignore[arg-type]


def test_only_one_listens_at_a_time_and_what_listens_goes_on() -> None:
    with torch_loupe.record() as found:
        with pytest.raises(torch_loupe.LoupeError, match="already"):
            torch_loupe.capture(torch.sin, torch.ones(2))
        with pytest.raises(torch_loupe.LoupeError, match="already"), torch_loupe.record():
            pass
        with pytest.raises(
            EngineError, match="already"
        ):  # as in a program of `loupe run`, which has its own copies of ours
            runpy.run_path(listening.__file__, run_name=listening.__name__)["require_nobody_listens"]()
        torch.compile(lambda x: x * 3, backend="eager")(torch.ones(2))
    assert len(found.capture.data.frames) == 1


def test_threads_take_turns() -> None:
    """Each has its whole capture; what is captured is not taken away before it is compiled again."""
    made: list[object] = []
    both_at_work = threading.Barrier(2)

    def meet(text: str) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            both_at_work.wait(0.3)

    def work() -> None:
        try:
            captured = torch_loupe.capture(lambda x: x.relu() + 1, torch.ones(2), grad=False, progress=meet)
            edited = captured.edit(captured["dynamo"].replace("relu", torch.sigmoid))
            made.append(len(edited.recompile(judge=False)[0].kernels))
        except Exception as error:
            made.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1, 1]


def test_what_is_no_edit_is_refused() -> None:
    captured = torch_loupe.capture(torch.sin, torch.ones(2), backend="eager")
    with pytest.raises(torch_loupe.LoupeError, match="no edit"):
        captured.edit("relu")  # type: ignore[arg-type]


def test_no_device_or_pipe_is_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    captured = torch_loupe.capture(torch.sin, torch.ones(2), backend="eager")
    with pytest.raises(torch_loupe.LoupeError, match="no file but a device"):
        captured.save(pipe)
    assert pipe.is_fifo()
    with pytest.raises(torch_loupe.LoupeError, match="no file but a device"), torch_loupe.record(pipe):
        pass


def test_a_gpu_that_a_plug_in_or_file_describes_is_known_as_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "gpu.json").write_text('{"id": "mine"}')
    with pytest.raises(torch_loupe.LoupeError, match=r"gpu\.json describes no GPU"):
        torch_loupe.capture("a.py:Net", gpu=str(tmp_path / "gpu.json"))
    with pytest.raises(torch_loupe.LoupeError, match=r'write it as mesh="dp=8,tp=8"'):
        torch_loupe.capture("a.py:Net", mesh="dp")


def test_a_window_without_qt_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process of the window would say so where a notebook shows nothing."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(torch_loupe.LoupeError, match="The window needs PySide6"):
        torch_loupe.show(tmp_path / "a.loupe")
