"""A worker behind a command: ``env``, which leads to this machine. Everything but the network is as with ssh."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.installation import python_path
from compiler.remote.machine import MARK, Machine
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.worker

_NET = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 16)
    def forward(self, x):
        print("the program speaks")
        return torch.relu(self.a(x))
def example_inputs():
    return (torch.randn(4, 8),)
"""


def _loupe(
    folder: Path, *words: str, through: str = "env", python: str = sys.executable
) -> "subprocess.CompletedProcess[str]":
    way = ("--through", through, "--python", python, "--folder", str(folder)) if through else ()
    command = [sys.executable, "-P", "-m", "torch_loupe", *words, *way]
    return ran(command, folder, _environment(folder), timeout=280)


def _environment(folder: Path) -> dict[str, str]:
    own = {"TMPDIR": str(folder / "t"), "LOUPE_CACHE_DIR": str(folder / "cache")}
    return {**os.environ, "PYTHONPATH": python_path(None), **own}


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a program in it. The place of temporary files is its own, so that what is left behind is seen; with a long name it
    would not be taken.
    """
    with tempfile.TemporaryDirectory(prefix="r") as name:
        place = Path(name)
        (place / "t").mkdir()
        (place / "net.py").write_text(_NET)
        yield place


@pytest.mark.thorough
def test_a_capture_there_is_the_capture_here(folder: Path) -> None:
    there = _loupe(folder, "capture", "net.py:Net", "-o", "there.loupe")
    assert there.returncode == 0, there.stderr
    assert "the program speaks" in there.stderr
    here = _loupe(folder, "capture", "net.py:Net", "-o", "here.loupe", through="")
    assert here.returncode == 0, here.stderr
    first, second = (read_session(folder / name).captures[0] for name in ("there.loupe", "here.loupe"))
    assert [stage.id for stage in first.stages] == [stage.id for stage in second.stages]
    kernels = [
        [kernel.source for stage in capture.stages for kernel in stage.kernels] for capture in (first, second)
    ]
    assert kernels[0]
    assert kernels[0] == kernels[1]
    assert not list((folder / "t").glob("loupe-*"))


@pytest.mark.thorough
def test_commands_on_a_file_run_there_where_the_environment_says_so(folder: Path) -> None:
    assert _loupe(folder, "capture", "net.py:Net", "-o", "there.loupe").returncode == 0
    machine = Machine(through="env LOUPE_TEST_THERE=yes", python=sys.executable)
    (folder / "net.py").write_text(
        _NET.replace("the program speaks", "{os.environ['LOUPE_TEST_THERE']} there").replace(
            'print("', 'import os; print(f"'
        )
    )
    done = ran(
        [sys.executable, "-P", "-m", "torch_loupe", "time", "there.loupe"],
        folder,
        _environment(folder) | machine.environment(),
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert "yes there" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("python", "said"),
    [
        ("/nowhere/python", "There is no /nowhere/python"),
        ("false", "did not answer"),
    ],
)
def test_what_is_missing_there_is_said(folder: Path, python: str, said: str) -> None:
    done = _loupe(folder, "capture", "net.py:Net", "-o", "there.loupe", python=python)
    assert done.returncode == 1
    assert said in done.stderr
    assert not (folder / "there.loupe").exists()


@pytest.mark.thorough
def test_another_version_there_is_refused(folder: Path) -> None:
    fake = folder / "python"
    greeting = f'{MARK}{{"version":"9.9","protocol":"other","python":"3"}}'
    fake.write_text(f"#!/bin/sh\necho Welcome to the machine\necho '{greeting}'\nsleep 100\n")
    fake.chmod(0o755)
    done = _loupe(folder, "capture", "net.py:Net", "-o", "there.loupe", python=str(fake))
    assert done.returncode == 1
    assert "has Torch Loupe 9.9" in done.stderr
    assert "pip install -U torch-loupe" in done.stderr


@pytest.mark.thorough
def test_a_relative_file_needs_a_folder(folder: Path) -> None:
    command = [
        sys.executable,
        "-P",
        "-m",
        "torch_loupe",
        "capture",
        "net.py:Net",
        "-o",
        "x.loupe",
        "--on",
        "me@box",
    ]
    done = ran(command, folder, _environment(folder))
    assert done.returncode == 2
    assert "give --folder" in done.stderr


def test_nothing_is_left_there_when_we_are_killed(folder: Path) -> None:
    (folder / "net.py").write_text(
        _NET.replace("print(", f"open({str(folder / 'ready')!r}, 'w'); import time; time.sleep(100); print(")
    )
    command = [sys.executable, "-P", "-m", "torch_loupe", "capture", "net.py:Net", "-o", "x.loupe"]
    command += ["--through", "env", "--python", sys.executable, "--folder", str(folder)]
    with subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _until(lambda: bool(_ours(folder, "compiler.worker")) and (folder / "ready").exists())
        process.send_signal(signal.SIGKILL)
    _until(lambda: not _ours(folder, "compiler.worker") and not _ours(folder, "torch_loupe.there"))
    _until(
        lambda: len(list((folder / "t").glob("loupe-*"))) <= 1
    )  # that of the one who was killed: swept by the next


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come to that")


def _ours(folder: Path, what: str) -> list[int]:
    """Processes of ours with the temporary files of this test."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words, surroundings = (path / "cmdline").read_bytes(), (path / "environ").read_bytes()
        except OSError:
            continue
        if what.encode() in words and f"TMPDIR={folder / 't'}".encode() in surroundings:
            found.append(int(path.name))
    return found
