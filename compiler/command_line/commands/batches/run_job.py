"""One job, start to end, in child processes: the file that it makes, and its row. A Dask worker runs the same function."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from compiler.analysis.batch.capture_figures import figures_of_session
from compiler.analysis.session_file.session_file import SessionFileError, read_session
from compiler.installation import python_path
from compiler.model.batch.jobs import HERE, Job, capture_arguments
from compiler.model.batch.rows import Cause, Row
from compiler.processes import tied
from compiler.processes.private_folder import PrivateFolder
from compiler.processes.process_tree import kill_group, resident_memory

_LOOK_EVERY_S = 0.1
_WEIGH_EVERY_S = 0.5
_LEAVE_S = 10.0
_MOST_REPORTED = 4000
_SAYS = "loupe: "
LOUPE = "torch_loupe"
_DIED = "The engine"
"""How `death_problem` begins what it says of a worker that ended by itself."""


class StoppedError(Exception):
    """Somebody wants the batch to end; the job is not done."""


@dataclass(frozen=True)
class _Ended:
    status: int
    said: str
    resident: int
    cause: Cause | None = None


class JobResult(msgspec.Struct, frozen=True):
    """What comes back of a job: its row, and the session file's content (None where there is none)."""

    row: Row
    made: bytes | None


def run_job(job: Job, alone: bool = False, stop: threading.Event | None = None) -> JobResult:
    """Do it. Raises StoppedError."""
    began = time.monotonic()
    place = PrivateFolder()
    try:
        file = place.path / "made.loupe"
        ended, not_timed = _made(job, file, began, stop)
        data = file.read_bytes() if file.exists() else None
        cause, what = _cause(ended, data is not None)
        figures = None
        if data is not None:
            try:
                figures = figures_of_session(read_session(file), not_timed)
            except SessionFileError as error:
                cause, what, data = Cause.FAILED, f"What was written cannot be read: {error}", None
    finally:
        place.remove()
    wall = time.monotonic() - began
    host = socket.gethostname()
    return JobResult(Row(job.id, job.key, cause, what, figures, wall, ended.resident, alone, host), data)


def _made(job: Job, file: Path, began: float, stop: threading.Event | None) -> tuple[_Ended, str]:
    """Timed where that was asked for and can be; where timing fails the capture is worth having all the same."""
    words = capture_arguments(job)
    if not job.iterations or job.program.fake or job.program.target.endswith(".json"):
        why = "nothing runs without values" if job.iterations else ""
        return _run(job, file.parent, ("capture", *words, "-o", str(file)), began, stop), why
    if job.key.target not in HERE:
        return _run(
            job, file.parent, ("capture", *words, "-o", str(file)), began, stop
        ), "the GPU need not be here"
    timing = ("time", *words, "--iterations", str(job.iterations), "--json", "-o", str(file))
    ended = _run(job, file.parent, timing, began, stop)
    if file.exists() or ended.cause is not None or ended.status < 0:
        return ended, ""
    again = _run(job, file.parent, ("capture", *words, "-o", str(file)), began, stop)
    return again, _reported(ended.said)


def _cause(ended: _Ended, made: bool) -> tuple[Cause, str]:
    if ended.cause is not None:
        return ended.cause, ended.said
    if ended.status == 0 and made:
        return Cause.DONE, ""
    said = _reported(ended.said)
    if made:
        return Cause.PARTS, said
    if ended.status < 0 or _DIED in said:
        return Cause.CRASHED, said or f"The process was ended by {signal.Signals(-ended.status).name}."
    return Cause.FAILED, said or f"The command ended with status {ended.status} and said nothing."


def _reported(said: str) -> str:
    """What the command itself says, which comes last; else the end of what was printed."""
    place = said.rfind("\n" + _SAYS)
    if place >= 0:
        return said[place + 1 + len(_SAYS) :].strip()[:_MOST_REPORTED]
    return said.strip().removeprefix(_SAYS)[-_MOST_REPORTED:]


def _run(
    job: Job, folder: Path, words: tuple[str, ...], began: float, stop: threading.Event | None
) -> _Ended:
    environment = {**os.environ, "PYTHONPATH": python_path(os.environ.get("PYTHONPATH"))}
    command = [job.python or sys.executable, "-P", "-m", tied.__name__, str(folder), LOUPE, *words]
    with tempfile.TemporaryFile() as said:
        # its input is the pipe that we hold: however we end, it hears it
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said, env=environment,
            start_new_session=True, cwd=job.folder,
        )  # fmt: skip
        try:
            cause, resident, what = _watch(job, process, began, stop)
        finally:
            _end(process)
        said.seek(0)
        text = "\n" + said.read().decode("utf-8", "replace")
    return _Ended(process.returncode, what or text, resident, cause)


def _watch(
    job: Job, process: "subprocess.Popen[bytes]", began: float, stop: threading.Event | None
) -> tuple[Cause | None, int, str]:
    most, weighed = 0, 0.0
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_EVERY_S)
            return None, most, ""
        if stop is not None and stop.is_set():
            raise StoppedError
        now = time.monotonic()
        if job.timeout and now - began > job.timeout:
            return Cause.TIME, most, f"It was stopped after {job.timeout:g} s (--timeout)."
        if now - weighed > _WEIGH_EVERY_S:
            weighed = now
            most = max(most, resident_memory(process.pid))
            if job.memory and most > job.memory:
                limit = f"{job.memory / 2**30:.3g} GiB"
                return (
                    Cause.MEMORY,
                    most,
                    f"Its processes used {most / 2**30:.3g} GiB, and may use {limit} (--memory).",
                )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """By the pipe: so it leaves as it always does. By force where it does not."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_LEAVE_S)
    except subprocess.TimeoutExpired:
        kill_group(process)
