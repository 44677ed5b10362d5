"""A process that stands still holds no lock of a file: who waits for it would wait for as long."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.processes.started import stop

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
_HOLDS = """
import fcntl, os, sys, time
if sys.argv[2] == "child":
    if os.fork():
        os.wait()
file = open(sys.argv[1], "w")
if sys.argv[2] != "none":
    fcntl.flock(file, fcntl.LOCK_EX)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture(params=["none", "itself", "child"])
def leader(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Who holds the lock, and the leader of its session."""
    command = [sys.executable, "-c", _HOLDS, str(tmp_path / "lock"), request.param]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout.readline() == "ready\n"
        yield request.param, process.pid
        subprocess.run(["kill", "-9", "--", f"-{process.pid}"], check=True)


@pytest.mark.parametrize("group", [False, True])
def test_what_holds_a_lock_is_not_stopped(leader: tuple[str, int], group: bool, tmp_path: Path) -> None:
    holds, process = leader
    with (tmp_path / "other").open("w") as ours:
        fcntl.flock(ours, fcntl.LOCK_EX)  # another's
        assert stop(process, group) == (holds == "none")
    state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    assert (state == "T") == (holds == "none")
