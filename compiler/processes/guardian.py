"""A small process beside the worker that ends it, and all that it started, when its client is gone or when it died.

It waits in the kernel, so nothing that the program does to Python can stop it: a loop in C, a replaced `os._exit`, threads.
PR_SET_PDEATHSIG is no substitute: it follows the client's *thread*, takes no children along, and is Linux's only.
"""

import contextlib
import os
import select
import signal
import stat
import time
from pathlib import Path

from compiler.processes.leaving import leave_now
from compiler.processes.private_folder import remove_if_abandoned, sweep
from compiler.processes.started import GUARDIAN, end_started

_LOOK_EVERY_MS = 300
_REMOVALS, _PAUSE_S = 20, 0.1


def guarded(socket: str) -> Path:
    """The file that is there while the guardian of this socket's worker is: who stops the worker before has stopped it for good."""
    return Path(f"{socket}.guarded")


def stand_guard(socket: str) -> None:
    """Start the guardian of this process, which must lead its session. Call before torch is loaded and threads are made.

    Standard input is the pipe that the client holds; the program gets an empty one instead.
    """
    if not hasattr(os, "fork") or os.getsid(0) != os.getpid():
        return  # started by hand: ended by hand
    worker, client = os.getpid(), os.getppid()
    first = os.fork()
    if first == 0:
        try:
            os.setsid()
            if (
                os.fork() == 0
            ):  # not the worker's child, or a program that waits for its children would wait for it
                _watch(worker, client, socket)
        finally:
            leave_now(0)
    os.waitpid(first, 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    with contextlib.suppress(OSError):
        guarded(socket).touch()


def _watch(worker: int, client: int, socket: str) -> None:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(1, 256)  # the worker's output is not held open
    os.chdir("/")
    with contextlib.suppress(OSError):
        Path("/proc/self/comm").write_text(GUARDIAN)
    ended = _Watched(worker, client)
    while not ended.is_any():
        pass
    ended.kill_worker()
    end_started(worker, socket)
    with contextlib.suppress(OSError):
        guarded(socket).unlink()
    folder = Path(socket).parent
    for _ in range(_REMOVALS):  # a dying client closes our pipe before it lets go of its folder's lock
        remove_if_abandoned(folder)
        if not folder.exists():
            break
        time.sleep(_PAUSE_S)
    sweep()  # a client has a folder already for a worker that had no guardian yet


class _Watched:
    """The pipe that the client holds, and both processes: by descriptors where there are such, else by looking."""

    def __init__(self, worker: int, client: int) -> None:
        self._worker = worker
        self._poll = select.poll()
        self._is_pipe = stat.S_ISFIFO(os.fstat(0).st_mode) or stat.S_ISSOCK(os.fstat(0).st_mode)
        if self._is_pipe:
            self._poll.register(0, select.POLLIN)
        self._worker_descriptor = self._register(worker)
        self._register(client)

    def _register(self, process: int) -> int | None:
        if not hasattr(os, "pidfd_open"):
            return None
        try:
            descriptor = os.pidfd_open(process)
        except OSError:
            return None
        self._poll.register(descriptor, select.POLLIN)
        return descriptor

    def is_any(self) -> bool:
        """Whether one of them ended, after a while of waiting."""
        for descriptor, _ in self._poll.poll(_LOOK_EVERY_MS):
            if descriptor != 0 or not os.read(0, 4096):
                return True
        try:
            os.kill(self._worker, 0)
        except OSError:
            return True
        return False

    def kill_worker(self) -> None:
        """SIGKILL for the worker itself, and for no other that has its number by now."""
        with contextlib.suppress(OSError):
            if self._worker_descriptor is not None:
                signal.pidfd_send_signal(self._worker_descriptor, signal.SIGKILL)
            else:
                os.kill(self._worker, signal.SIGKILL)
