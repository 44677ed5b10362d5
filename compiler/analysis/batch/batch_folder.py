"""Reading the folder of a batch: ``batch.json`` names the jobs of the newest call, ``jobs/ID.json`` holds each one's state."""

from pathlib import Path

import msgspec

from compiler.model.batch.jobs import JobKey
from compiler.model.batch.rows import BatchList, JobState, Row
from compiler.model.ir.diagnostics import UNREADABLE

RUNNING, DONE = "running", "done"
LIST = "batch.json"


def batch_folder(path: Path) -> Path | None:
    """The folder that is meant by itself or by the list in it; None where that is no batch."""
    folder = path.parent if path.name == LIST else path
    return folder if (folder / LIST).is_file() else None


def state_path(folder: Path, job: str) -> Path:
    """Where a job's state stands."""
    return folder / "jobs" / f"{job}.json"


def job_state(folder: Path, job: str) -> JobState | None:
    """What is known of a job; None where that is nothing, or cannot be read."""
    try:
        return msgspec.json.decode(state_path(folder, job).read_bytes(), type=JobState)
    except (OSError, *UNREADABLE):
        return None


def finished_row(folder: Path, job: str) -> Row | None:
    """A job's row, where it is done and what it made is there."""
    state = job_state(folder, job)
    if state is None or state.state != DONE or state.row is None:
        return None
    whole = state.row.figures is None or session_path(folder, job).is_file()
    return state.row if whole else None


def session_path(folder: Path, job: str) -> Path:
    """What a job made."""
    return folder / f"{job}.loupe"


def batch_rows(folder: Path) -> tuple[list[Row], list[JobKey]]:
    """Of a batch that was: its rows, and what it did not come to. Raises ValueError where this is none."""
    try:
        listed = msgspec.json.decode((folder / LIST).read_bytes(), type=BatchList)
    except OSError:
        raise ValueError(f"{folder} is no folder of a batch: it has no {LIST}") from None
    except UNREADABLE as error:
        raise ValueError(f"{folder / LIST} cannot be read: {error}") from None
    rows, missing = [], []
    for job, key in listed.jobs:
        row = finished_row(folder, job) if "/" not in job else None
        rows.append(row) if row is not None and row.id == job else missing.append(key)
    return rows, missing
