"""The folder of a batch: a session file and a state for each job, put in place whole, and a lock that one batch holds.

``batch.json`` names the jobs of the newest call, ``jobs/ID.json`` holds each one's state, ``ID.loupe`` is what it made.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from compiler.analysis.batch.batch_folder import (
    DONE,
    LIST,
    RUNNING,
    batch_rows,
    finished_row,
    job_state,
    session_path,
    state_path,
)
from compiler.model.batch.jobs import Job, JobKey
from compiler.model.batch.rows import BatchList, JobState, Row


class BusyError(Exception):
    """Another batch writes into the folder."""


class ResultFolder:
    """One batch's."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Ours alone meanwhile: the kernel lets go of the lock however we end. Raises BusyError, OSError."""
        (self.path / "jobs").mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / "batch.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BusyError(f"another batch is writing into {self.path}") from None
            for partial in (*self.path.glob(".*.partial"), *(self.path / "jobs").glob(".*.partial")):
                partial.unlink(missing_ok=True)
            yield
        finally:
            os.close(lock)

    def state(self, job: str) -> JobState | None:
        """What is known of a job; None where that is nothing, or cannot be read."""
        return job_state(self.path, job)

    def finished(self, job: str) -> Row | None:
        """Its row, where it is done and what it made is there."""
        return finished_row(self.path, job)

    def begin(self, job: str) -> None:
        """It runs from now on. Who finds this and no lock knows that it was cut off."""
        known = self.state(job)
        _put(self._state(job), msgspec.json.encode(JobState(job, RUNNING, known.starts + 1 if known else 1)))

    def finish(self, row: Row, made: bytes) -> None:
        """The file first, the state after it: what is reported as done is there."""
        known = self.state(row.id)
        if made:
            _put(session_path(self.path, row.id), made)
        _put(
            self._state(row.id),
            msgspec.json.encode(JobState(row.id, DONE, known.starts if known else 1, row)),
        )

    def write_list(self, jobs: Sequence[Job]) -> None:
        """What the table is made of from now on."""
        _put(self.path / LIST, msgspec.json.encode(BatchList(tuple((job.id, job.key) for job in jobs))))

    def write_text(self, name: str, text: str) -> None:
        """One of the tables."""
        _put(self.path / name, text.encode())

    def rows(self) -> tuple[list[Row], list[JobKey]]:
        """Of a batch that was: its rows, and what it did not come to. Raises ValueError where this is none."""
        return batch_rows(self.path)

    def _state(self, job: str) -> Path:
        return state_path(self.path, job)


def _put(path: Path, content: bytes) -> None:
    """Whole or not at all, a power failure included."""
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)
