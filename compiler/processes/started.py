"""The environment that every worker is started with, and all that it started, found again: by its session, and by a mark in
that environment, which children inherit.

A process that left the session and cleared its environment is not found. Off Linux only the worker's process group is.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compiler.installation import python_path
from compiler.processes.process_tree import command_line, status_fields

MARK = "LOUPE_WORKER"
"""The environment variable that holds the path of the worker's socket: one for each life of a worker."""
HASH_SEED = "PYTHONHASHSEED"
_KERNELS = "TORCHINDUCTOR_CACHE_DIR"
"""Where torch has its kernels built: a compiler that works there goes on for a moment after a capture is cancelled."""
HELPER = "LOUPE_HELPER"
"""In the environment of tools that a worker starts for itself, between requests, and of what those start."""
GUARDIAN, FORKED = "loupe-guardian", "loupe-forked"
"""How the kernel names the guardian, and the worker's fork server with what it forked."""
_COMPILE_WORKERS = ("torch._inductor.compile_worker", "compile_worker/__main__")
_OURS = ("compiler.worker", "resource_tracker", *_COMPILE_WORKERS)
_PAUSE, _ROUNDS = 0.02, 100
_STOPPING_S, _STOPPING = 0.001, 10
_STATE, _SESSION = 0, 3
_ARGUMENTS_AT, _ENVIRONMENT_AT = 45, 47
"""Where /proc/PID/stat says they begin, counted as those; each end follows its beginning."""


def worker_environment(inherited: Mapping[str, str], socket: str) -> dict[str, str]:
    """What is added to an environment for a worker that is found by `socket`.

    Sets of strings are in another order in each Python process, and the code that Inductor writes can follow it: two captures
    of one program differed. They are in one order in all workers, unless the person chose a seed.
    """
    return {
        HASH_SEED: "0",
        **inherited,
        "PYTHONPATH": python_path(inherited.get("PYTHONPATH")),
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
        MARK: socket,
    }


@dataclass(frozen=True)
class StartedProcess:
    """A living process of a worker's."""

    id: int
    name: str
    command: str
    parent: int = 0
    is_helper: bool = False
    """Started by the worker or by torch, not by its program."""

    def __str__(self) -> str:
        return f"{self.command[:80] or self.name} (process {self.id})"


def started_by(worker: int, socket: str) -> tuple[StartedProcess, ...]:
    """What lives of a worker, itself and its guardian left out. Empty where there is no /proc."""
    mark = f"{MARK}={socket}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        number = int(entry.name)
        if number in (worker, os.getpid()):
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            process = _one(entry, number, worker, mark)
            if process is not None and process.name != GUARDIAN:
                found.append(process)
    return tuple(sorted(found, key=lambda process: process.id))


def _one(entry: Path, number: int, worker: int, mark: bytes) -> StartedProcess | None:
    if entry.stat().st_uid != os.getuid():
        return None
    name, fields = status_fields(number)
    if fields[_STATE] in "ZX":
        return None
    in_session = worker > 1 and int(fields[_SESSION]) == worker  # 0 is the kernel's own
    environment = (entry / "environ").read_bytes().split(b"\0")
    if not in_session and mark not in environment:
        return None
    command = " ".join(command_line(number)).strip()
    builds = any(kernels in command for kernels in _kernel_folders(environment))
    helps = builds or f"{HELPER}=1".encode() in environment
    return StartedProcess(number, name, command, int(fields[1]), helps)


def _kernel_folders(environment: list[bytes]) -> Iterator[str]:
    for row in environment:
        name, _, value = os.fsdecode(row).partition("=")
        if name == _KERNELS and value:
            yield f"{value.rstrip('/')}/"


def is_compile_worker(command: str) -> bool:
    """Whether it is a command line of torch's own that builds kernels, or imports to be ready for it."""
    return any(worker in command for worker in _COMPILE_WORKERS)


def left_by_program(worker: int, socket: str) -> tuple[StartedProcess, ...]:
    """What a worker's program started and left running: not our own helpers, nor torch's compile workers and their compilers."""
    living = started_by(worker, socket)
    known = {process.id: process for process in living}
    return tuple(
        process
        for process in living
        if process.name != FORKED
        and not process.is_helper
        and not _is_below_builder(process, known)
        and (not any(ours in process.command for ours in _OURS) or _is_copy(process, socket))
    )


def _is_below_builder(process: StartedProcess, known: dict[int, StartedProcess]) -> bool:
    above = known.get(process.parent)
    for _ in known:  # numbers are used again: what was read one after the other may go round
        if above is None or above.is_helper or is_compile_worker(above.command):
            return above is not None
        above = known.get(above.parent)
    return False


def _is_copy(process: StartedProcess, socket: str) -> bool:
    """Whether it is the worker itself over again, made by a fork."""
    return process.command.endswith(f"--socket {socket}")


def end_started(worker: int, socket: str) -> None:
    """SIGKILL for the worker's group and for all that it started, again until nothing is left."""
    for _ in range(_ROUNDS):
        if worker > 1:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(worker, signal.SIGKILL)
        living = started_by(worker, socket)
        for process in living:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.id, signal.SIGKILL)
        if not living:
            return
        time.sleep(_PAUSE)


def write_in_place(old: str, new: str) -> None:
    """Write one word over another of the same length in what the kernel says of this process's arguments and of its first
    environment: a forked process carries those of the one it was forked from, and would be taken for it. A word of
    another length is left as it is, and so is a system without such files.
    """
    before, after = os.fsencode(old), os.fsencode(new)
    if not before or len(before) != len(after):
        return
    try:
        _, fields = status_fields("self")
        for name, field in (("cmdline", _ARGUMENTS_AT), ("environ", _ENVIRONMENT_AT)):
            content = Path("/proc/self", name).read_bytes()
            start, end = int(fields[field]), int(fields[field + 1])
            at = content.find(before)
            while at >= 0 and start + at + len(after) <= end:
                ctypes.memmove(start + at, after, len(after))
                at = content.find(before, at + len(before))
    except (OSError, ValueError, IndexError):
        return


def stop(session: int, group: bool = False) -> bool:
    """SIGSTOP for the leader of a session, or for its group. False, and it goes on, where one of the session holds a lock of a
    file: whoever waits for that would wait for as long as it stands still. Raises ProcessLookupError.
    """
    send = os.killpg if group else os.kill
    send(session, signal.SIGSTOP)
    for _ in range(_STOPPING):
        if status_fields(session)[1][_STATE] == "T":
            break
        time.sleep(_STOPPING_S)
    if not _holds_a_lock(session):
        return True
    send(session, signal.SIGCONT)
    return False


def _holds_a_lock(session: int) -> bool:
    for line in Path("/proc/locks").read_text().splitlines():
        _, *fields = line.split()
        with contextlib.suppress(OSError, ValueError, IndexError):
            if fields[0] != "->" and os.getsid(int(fields[3])) == session:
                return True
    return False
