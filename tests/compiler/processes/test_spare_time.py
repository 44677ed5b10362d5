"""Work that nobody waits for gives way to what is asked for, and is done in the end."""

import subprocess
import threading
import time
from pathlib import Path

import pytest

from compiler.processes import spare_time
from compiler.processes.spare_time import at_work, run_in_spare_time


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spare_time, "_IDLE_S", 0.1)


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def until(path: Path, count: int) -> None:
    end = time.monotonic() + 60
    while lines(path) < count:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_tool_is_ended_when_something_is_asked_for_and_begun_again(tmp_path: Path) -> None:
    begun, go = tmp_path / "begun", tmp_path / "go"
    waits = f"echo $$ >> {begun}; while [ ! -e {go} ]; do sleep 0.05; done; echo done"
    found: list[subprocess.CompletedProcess[str]] = []
    thread = threading.Thread(target=lambda: found.append(run_in_spare_time(["sh", "-c", waits], 60)))
    with at_work():
        thread.start()
        time.sleep(0.3)
        assert lines(begun) == 0, "it waits until nothing is done"
    until(begun, 1)
    with at_work():
        first = int(begun.read_text())
        end = time.monotonic() + 60
        while Path(f"/proc/{first}").exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert not Path(f"/proc/{first}").exists(), "it shares the machine with nothing"
        go.touch()
        assert lines(begun) == 1
    thread.join(60)
    assert lines(begun) == 2
    assert [(one.returncode, one.stdout) for one in found] == [(0, "done\n")]


def test_one_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_in_spare_time(["sleep", "60"], 0.2)


def test_what_it_leaves_when_it_is_killed_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that is killed leaves its temporary files."""
    monkeypatch.setattr(spare_time, "scratch_place", lambda: str(tmp_path))
    with pytest.raises(subprocess.TimeoutExpired):
        run_in_spare_time(["sh", "-c", 'mktemp "$TMPDIR/ccXXXXXX.s"; exec sleep 60'], 0.5)
    assert not list(tmp_path.iterdir())


def test_what_it_says_of_its_failure_is_kept() -> None:
    done = run_in_spare_time(["sh", "-c", "echo out; echo error >&2; exit 3"], 60)
    assert (done.returncode, done.stdout) == (3, "out\nerror\n")
