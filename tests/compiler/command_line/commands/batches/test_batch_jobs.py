"""A batch is resumed where it was cut off; on a real cluster of Dask's, one worker killed, no job is lost or told twice.

Jobs run a script in place of Python, which notes its start and end and writes a real session file.
"""

import os
import signal
import threading
import time
from asyncio import CancelledError
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.commands.batches.batch_command import drive
from compiler.command_line.commands.batches.executors import EMBEDDED, Cluster, ThisMachine
from compiler.command_line.commands.batches.result_folder import BusyError, ResultFolder
from compiler.command_line.commands.batches.run_job import JobResult
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.batch.jobs import Job, JobKey
from compiler.model.batch.manifest import Program
from compiler.model.batch.rows import Cause, Row
from tests.helpers import sample_capture


class KilledWorker(Exception):  # noqa: N818  as Dask has it
    """Dask's, of a job that died with several workers."""


_SCRIPT = """#!/bin/sh
for word in "$@"; do out="$word"; case "$word" in *:p*) name="$word";; esac; done
echo "start $name" >> {log}
sleep {seconds}
cp {sample} "$out"
echo "end $name" >> {log}
"""


def _jobs(folder: Path, count: int, seconds: float) -> tuple[list[Job], Path]:
    sample, log, script = folder / "sample.loupe", folder / "log", folder / "python"
    write_session(sample, SessionData((sample_capture.with_passes(),)))
    script.write_text(_SCRIPT.format(log=log, seconds=seconds, sample=sample))
    script.chmod(0o755)
    rows = []
    for number in range(count):
        program = Program(f"m.py:p{number}")
        key = JobKey(program.title, "cpu", "2.13", "default")
        rows.append(Job(f"p{number}", key, program, str(folder), str(script)))
    return rows, log


def _counts(log: Path, word: str) -> Counter[str]:
    return Counter(line.split()[1] for line in log.read_text().splitlines() if line.startswith(word))


def test_jobs_here_are_each_done_once_and_not_again(tmp_path: Path) -> None:
    jobs, log = _jobs(tmp_path, 6, 0.1)
    results = ResultFolder(tmp_path / "out")
    with results.locked():
        results.begin("p0")  # cut off: begun, never ended
        assert results.finished("p0") is None
        executor = ThisMachine(2)
        drive(executor, jobs, results)
        executor.close()
        results.write_list(jobs)
    assert set(_counts(log, "end").values()) == {1}
    rows, missing = results.rows()
    assert [row.id for row in rows] == [job.id for job in jobs]
    assert not missing
    assert {row.cause for row in rows} == {Cause.DONE}
    (tmp_path / "out" / "p3.loupe").unlink()
    assert results.finished("p3") is None, "done without its file is not done"


def test_one_batch_at_a_time(tmp_path: Path) -> None:
    with ResultFolder(tmp_path).locked(), pytest.raises(BusyError), ResultFolder(tmp_path).locked():
        pass


@pytest.mark.thorough
def test_a_job_that_hangs_is_a_row(tmp_path: Path) -> None:
    import msgspec

    jobs, _ = _jobs(tmp_path, 1, 60)
    results = ResultFolder(tmp_path / "out")
    with results.locked():
        executor = ThisMachine(1)
        drive(executor, [msgspec.structs.replace(jobs[0], timeout=0.5)], results)
        executor.close()
    row = results.finished("p0")
    assert row.cause is Cause.TIME


@pytest.mark.parametrize(
    ("status", "given", "cause"),
    [
        ("lost", None, Cause.DONE),
        ("lost", CancelledError("cancelled meanwhile"), Cause.FAILED),
        ("error", KilledWorker("it died four times"), Cause.LOST),
        ("error", MemoryError("none left"), Cause.FAILED),
    ],
)
def test_a_result_that_a_dead_worker_took_along_is_waited_for(
    status: str, given: BaseException | None, cause: Cause
) -> None:
    """The scheduler of Dask was told to be gone, and the batch ended."""
    job = Job("p0", JobKey("m.py:p0", "cpu", "2.13", "default"), Program("m.py:p0"), "")
    cluster = Cluster.__new__(Cluster)
    cluster._client = SimpleNamespace(status="running")

    def result() -> JobResult:
        if given is not None:
            raise given
        return JobResult(Row(job.id, job.key, Cause.DONE), None)

    assert cluster.taken(job, SimpleNamespace(status=status, result=result)).row.cause is cause
    with pytest.raises(CommandFailedError, match="scheduler of Dask is gone"):
        cluster.taken(job, SimpleNamespace(status="cancelled", result=result))
    cluster._client.status = "closed"
    with pytest.raises(CommandFailedError, match="scheduler of Dask is gone"):
        cluster.taken(job, SimpleNamespace(status=status, result=result))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_none_lost_none_twice_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    jobs, log = _jobs(tmp_path, 100, 0.5)
    results = ResultFolder(tmp_path / "out")
    cluster = Cluster(EMBEDDED, 4)
    killed: list[int] = []

    def kill_one() -> None:
        while not log.exists() or len(_counts(log, "end")) < 20:
            time.sleep(0.05)
        victim = next(iter(cluster.client.run(os.getpid).values()))
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    killer = threading.Thread(target=kill_one)
    with results.locked():
        killer.start()
        try:
            drive(cluster, jobs, results)
        finally:
            killer.join(timeout=60)
            cluster.close()
        results.write_list(jobs)
    rows, missing = results.rows()
    assert killed
    assert not missing, "a job is lost"
    assert Counter(row.id for row in rows) == Counter(job.id for job in jobs), "a job is told twice"
    assert {row.cause for row in rows} == {Cause.DONE}
    starts = _counts(log, "start")
    assert len(starts) == 100
    assert starts.total() <= 102, "only what ran on the killed worker is done again"
    assert len(list((tmp_path / "out").glob("*.loupe"))) == 100
