"""``loupe run``: each signal comes as often as without us, what is ignored stays so, and the end is the program's."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from compiler.installation import python_path

_COUNTS = """
import os, signal, sys, time
count = {}
def on_signal(number, _):
    name = signal.Signals(number).name
    count[name] = count.get(name, 0) + 1
for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1"):
    if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
        signal.signal(getattr(signal, name), on_signal)
print("ready", flush=True)
until = time.monotonic() + 60
while not os.path.exists("enough") and time.monotonic() < until:
    time.sleep(0.02)
print(sorted(count.items()), flush=True)
if len(sys.argv) > 1:
    signal.signal(int(sys.argv[1]), signal.SIG_DFL)
    os.kill(os.getpid(), int(sys.argv[1]))
"""


@contextmanager
def _running(folder: Path, *words: str, ignored: tuple[int, ...] = ()) -> Iterator["subprocess.Popen[str]"]:
    (folder / "counts.py").write_text(_COUNTS)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ignored}
    try:
        started = subprocess.Popen(
            [sys.executable, "-P", "-m", "torch_loupe", "run", "--no-window", "counts.py", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": python_path(None)},
            start_new_session=True,
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    with started:
        assert started.stdout.readline() == "ready\n"
        yield started


def _said(folder: Path, started: "subprocess.Popen[str]") -> str:
    time.sleep(0.5)  # what was sent has come
    (folder / "enough").touch()
    said, _ = started.communicate(timeout=60)
    return said


@pytest.mark.thorough
@pytest.mark.parametrize("to_all", [True, False])
def test_each_signal_comes_once(tmp_path: Path, to_all: bool) -> None:
    """To the whole group as from a terminal or ``timeout``, or to us alone as from an IDE's stop button."""
    with _running(tmp_path) as started:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            (os.killpg if to_all else os.kill)(started.pid, number)
            time.sleep(0.2)
        said = _said(tmp_path, started)
    assert said == "[('SIGHUP', 1), ('SIGINT', 1), ('SIGTERM', 1), ('SIGUSR1', 1)]\n"
    assert started.returncode == 0


def test_what_is_ignored_when_we_are_started_the_program_ignores(tmp_path: Path) -> None:
    """Under nohup, and of jobs that a script starts in the background."""
    with _running(tmp_path, ignored=(signal.SIGINT, signal.SIGHUP)) as started:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            os.kill(started.pid, number)
            os.killpg(started.pid, number)
        said = _said(tmp_path, started)
    assert "SIGINT" not in said
    assert "SIGHUP" not in said
    assert "SIGTERM" in said


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGTERM])
def test_a_signal_that_ends_the_program_ends_us(tmp_path: Path, number: int) -> None:
    with _running(tmp_path, str(int(number))) as started:
        _said(tmp_path, started)
    assert started.returncode == -number
