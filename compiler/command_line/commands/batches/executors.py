"""Where jobs run: on this machine, as many at once as its cores and memory allow, or on a cluster of Dask's."""

import importlib
import logging
import threading
from asyncio import CancelledError
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from compiler.command_line.commands.batches.run_job import JobResult, run_job
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.batch.jobs import Job
from compiler.model.batch.rows import Cause, Row
from compiler.processes.free_memory import free_memory
from compiler.processes.private_folder import PrivateFolder

EMBEDDED = "local"
_FIRST_GUESS = 3 << 29
"""Bytes that a job takes, until one has reported: torch, a small model and g++."""
_LEFT_OVER = 1 << 30
_AHEAD = 2
"""Jobs that a cluster is given for each of its slots, so that none waits for us."""


class Running(Protocol):
    """A job somewhere."""

    def done(self) -> bool:
        """Whether `taken` gives an answer."""


class Executor(Protocol):
    """Where jobs run."""

    def has_room(self, running: int) -> bool:
        """Whether it takes one more."""

    def submit(self, job: Job) -> Running:
        """Begin a job."""

    def taken(self, job: Job, running: Any) -> JobResult:  # noqa: ANN401  each its own futures
        """What a job that is done made. Raises CommandFailedError where nothing more can be run."""

    def close(self) -> None:
        """End what runs."""


class ThisMachine:
    """Threads that each wait for a job's processes."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(jobs, "batch")
        self._largest = 0

    def has_room(self, running: int) -> bool:
        if not running or running >= self._jobs:
            return not running
        free = free_memory()
        return free is None or free >= (self._largest or _FIRST_GUESS) + _LEFT_OVER

    def submit(self, job: Job) -> "Future[JobResult]":
        return self._pool.submit(run_job, job, self._jobs == 1, self._stop)

    def taken(self, job: Job, running: "Future[JobResult]") -> JobResult:
        result = running.result()
        self._largest = max(self._largest, result.row.resident)
        return result

    def close(self) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """A cluster of Dask's: it spreads the jobs, and gives those of a machine that went away to another."""

    def __init__(self, address: str, workers: int) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            remedy = "Install it: pip install 'torch-loupe[batch]'; or leave --scheduler out."
            raise CommandFailedError("--scheduler needs Dask distributed.", remedy) from error
        self._cluster: Any = None
        self._client: Any
        self._folder = PrivateFolder()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            if address == EMBEDDED:
                self._cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    local_directory=str(self._folder.path),
                    silence_logs=logging.CRITICAL,
                )
            self._client = distributed.Client(self._cluster or address, set_as_default=False)
        except (OSError, ValueError) as error:
            self._folder.remove()
            what = f"There is no scheduler of Dask at {address}: {error}."
            raise CommandFailedError(what, "Start one, or give --scheduler local.") from error

    @property
    def client(self) -> Any:  # noqa: ANN401  Dask has no types
        """Dask's own."""
        return self._client

    def has_room(self, running: int) -> bool:
        slots = sum(self._client.nthreads().values()) if self._client.status == "running" else 0
        return running < max(slots, 1) * _AHEAD

    def submit(self, job: Job) -> Any:  # noqa: ANN401
        return self._client.submit(run_job, job, False, pure=False, key=f"loupe-{job.id}")

    def taken(self, job: Job, running: Any) -> JobResult:  # noqa: ANN401
        self._refuse_gone(running)
        try:
            # one that its worker took along when it died since is waited for: Dask has it made again
            result: JobResult = running.result()
        except (Exception, CancelledError) as error:  # noqa: BLE001  whatever the job raised
            self._refuse_gone(running)
            killed = type(error).__name__ == "KilledWorker"
            what = f"{type(error).__name__}: {error}"
            return JobResult(Row(job.id, job.key, Cause.LOST if killed else Cause.FAILED, what), None)
        return result

    def _refuse_gone(self, running: Any) -> None:  # noqa: ANN401
        if running.status == "cancelled" or self._client.status != "running":
            remedy = "What is done is kept: the same command goes on."
            raise CommandFailedError("The scheduler of Dask is gone.", remedy)

    def close(self) -> None:
        """The embedded cluster ends with us; on another, what we submitted is cancelled with our client."""
        self._client.close(timeout=5)
        if self._cluster is not None:
            self._cluster.close(timeout=5)
        self._folder.remove()
