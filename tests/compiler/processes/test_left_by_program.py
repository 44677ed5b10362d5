"""Only what a program started is said to be left by it: tools of ours and compilers of torch's own workers are not its."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.processes import spare_time
from compiler.processes.spare_time import run_in_spare_time
from compiler.processes.started import MARK, left_by_program, started_by

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
_WAITS = "import subprocess, sys; subprocess.run(['sleep', '300'])"


@pytest.fixture
def socket(tmp_path: Path) -> str:
    """As a worker's, which what it starts carries in its environment."""
    return str(tmp_path / "socket")


@pytest.fixture
def start(socket: str) -> Iterator[Callable[..., None]]:
    """Start something that carries the mark, and end it afterwards."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*command: str) -> None:
        started.append(subprocess.Popen(command, env=os.environ | {MARK: socket}, start_new_session=True))

    yield run
    for process in started:
        os.killpg(process.pid, 9)
        process.wait()


def _until_seen(socket: str, command: str) -> None:
    end = time.monotonic() + 60
    while not any(process.command == command for process in started_by(0, socket)):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_tool_that_works_in_spare_time_is_not_reported(
    socket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spare_time, "_IDLE_S", 0.0)
    monkeypatch.setattr(spare_time, "first_environment", lambda: os.environ | {MARK: socket})
    thread = threading.Thread(target=run_in_spare_time, args=(["sh", "-c", "sleep 301; true"], 600))
    thread.start()
    _until_seen(socket, "sleep 301")
    try:
        assert left_by_program(0, socket) == ()
    finally:
        with spare_time.at_work():
            while started_by(0, socket):
                time.sleep(0.02)
            monkeypatch.setattr(spare_time, "_undisturbed", lambda *_: subprocess.CompletedProcess((), 0, ""))
    thread.join(60)
    assert not thread.is_alive()


def test_a_compiler_below_torchs_workers_is_not_reported(socket: str, start: Callable[..., None]) -> None:
    start(sys.executable, "-c", _WAITS, "torch._inductor.compile_worker")
    _until_seen(socket, "sleep 300")
    assert left_by_program(0, socket) == ()


def test_a_compiler_of_torchs_that_builds_a_kernel_is_not_reported(
    socket: str, start: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is below the worker itself, and goes on after the capture is cancelled; what it starts names no folder."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))
    start(sys.executable, "-c", _WAITS, str(tmp_path / "inductor" / "ab" / "kernel.so"))
    _until_seen(socket, "sleep 300")
    assert left_by_program(0, socket) == ()


def test_what_a_program_starts_is_reported_with_what_that_starts(
    socket: str, start: Callable[..., None]
) -> None:
    start(sys.executable, "-c", _WAITS, "mine")
    _until_seen(socket, "sleep 300")
    assert [process.command.rpartition(" ")[2] for process in left_by_program(0, socket)] == ["mine", "300"]


def test_a_copy_that_has_not_run_yet_is_ours() -> None:
    """On a busy machine the worker goes on, and a program may end it, before its copy runs for the first time."""
    code = """
        import os, time
        from pathlib import Path
        from compiler.processes import fork_server
        from compiler.processes.started import FORKED
        fork_server.possible = lambda: True
        fork_server.serve = lambda *_: time.sleep(60)
        before = Path("/proc/self/comm").read_text()
        fork_server.start(lambda: None)
        copy, = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        assert Path(f"/proc/{copy}/comm").read_text().strip() == FORKED
        assert Path("/proc/self/comm").read_text() == before
        os.kill(int(copy), 9)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60)
