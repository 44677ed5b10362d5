"""A row of a batch's table: how one job ended, and the figures of what it made."""

import enum

import msgspec

from compiler.model.batch.jobs import JobKey
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary


class Cause(enum.Enum):
    """How a job ended."""

    DONE = "done"
    PARTS = "parts failed"
    """There is a capture, and torch or the loupe failed at a part of it."""
    FAILED = "failed"
    """The program or the capture of it raised an error."""
    CRASHED = "crashed"
    """A signal or an exit ended the process that ran the program."""
    TIME = "too long"
    MEMORY = "too much memory"
    LOST = "lost"
    """The machines of the cluster that ran it went away, again and again."""


class KernelText(msgspec.Struct, frozen=True, array_like=True):
    """One call of a kernel: its name, and a digest of its text without what differs from run to run."""

    name: str
    digest: str


class Figures(msgspec.Struct, frozen=True):
    """What a capture comes to; None where that is not known."""

    torch: str
    machine: str
    """Processor and threads: what generated CPU code and times depend on."""
    breaks: int
    breaks_at: tuple[str, ...]
    """Each cause as ``function: kind: line``, without line numbers, which move."""
    graphs: int
    kernels: tuple[KernelText, ...]
    """Every call in order."""
    seconds: float
    """Of the whole capture, the first run included."""
    compile_seconds: float | None = None
    """What torch's own phases take."""
    memory: int | None = None
    """Most bytes that live at once by Inductor's plan; None where a size is symbolic or nothing was generated."""
    step: TimingSummary | None = None
    eager: TimingSummary | None = None
    ratio: PairedRatio | None = None
    """Eager over compiled, taken in turns."""
    not_timed: str = ""
    """Why there is no time where one was asked for."""


class Row(msgspec.Struct, frozen=True):
    """One job's."""

    id: str
    key: JobKey
    cause: Cause
    what: str = ""
    """What went wrong, as the command reports it."""
    figures: Figures | None = None
    wall: float = 0.0
    """Seconds that the job took in all."""
    resident: int = 0
    """Most bytes that its processes held together, looked at twice a second; 0: not known."""
    alone: bool = False
    """Nothing else of the batch ran on that machine meanwhile: its times are worth comparing."""
    host: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is not whole."""
        return self.cause is not Cause.DONE


class JobState(msgspec.Struct, frozen=True):
    """What a job's file in the result folder says."""

    id: str
    state: str
    """``running`` or ``done``. Who says the first and holds no lock was killed."""
    starts: int = 1
    row: Row | None = None


class BatchList(msgspec.Struct, frozen=True):
    """Which jobs the folder's table is made of, in order: those of the newest call."""

    jobs: tuple[tuple[str, JobKey], ...]
    version: int = 1
