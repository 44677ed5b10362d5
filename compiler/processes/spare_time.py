"""Work that nobody waits for, done while the process has nothing else to do: a tool of it is ended when something is asked for,
and started again afterwards, so that nothing that is measured shares the machine with it.
"""

import contextlib
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence

from compiler.processes.first_environment import first_environment
from compiler.processes.own_tools import find_tool
from compiler.processes.private_folder import scratch_place
from compiler.processes.process_tree import kill_group
from compiler.processes.started import HELPER

_IDLE_S = 3.0
"""Without anything asked for, before it is taken that nothing follows at once."""
_LOOK_S = 0.05

_changed = threading.Condition()
_at_work = 0
_idle_since = 0.0


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """While something is done that somebody waits for."""
    global _at_work, _idle_since
    with _changed:
        _at_work += 1
        _changed.notify_all()
    try:
        yield
    finally:
        with _changed:
            _at_work -= 1
            _idle_since = time.monotonic()
            _changed.notify_all()


def run_in_spare_time(command: Sequence[str], timeout: float) -> "subprocess.CompletedProcess[str]":
    """Run a tool behind everything else, from the beginning again where it was disturbed. Raises OSError, and
    subprocess.TimeoutExpired where one undisturbed run takes more than so many seconds.
    """
    nice = find_tool("nice")
    words = (*((nice, "-n", "19") if nice else ()), *command)
    while True:
        _wait_until_idle()
        done = _undisturbed(words, timeout)
        if done is not None:
            return done


def _wait_until_idle() -> None:
    with _changed:
        while _at_work or time.monotonic() - _idle_since < _IDLE_S:
            _changed.wait(None if _at_work else _IDLE_S)


def _undisturbed(words: Sequence[str], timeout: float) -> "subprocess.CompletedProcess[str] | None":
    """None where something was asked for meanwhile."""
    end = time.monotonic() + timeout
    with (
        tempfile.TemporaryFile("w+", errors="replace") as output,
        tempfile.TemporaryDirectory(prefix="loupe-tool-", dir=scratch_place()) as scratch,
    ):
        process = subprocess.Popen(
            words,
            env={**first_environment(), HELPER: "1", "TMPDIR": scratch},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                if _at_work:
                    return None
                if time.monotonic() > end:
                    raise subprocess.TimeoutExpired(words, timeout)
                time.sleep(_LOOK_S)
        finally:
            if process.poll() is None:
                kill_group(process)
        output.seek(0)
        return subprocess.CompletedProcess(words, process.returncode, output.read(), "")
