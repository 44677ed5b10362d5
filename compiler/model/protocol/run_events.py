"""What a program that runs by itself reports of its compiles, in `Event`s; nobody answers."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.run_story import GraphCalls, MissedProcess, RunEdit
from compiler.model.ir.graph import SourceLine

RUNNING = "Running the program"
"""What a recorder says when nothing is being compiled."""


class RunBegan(msgspec.Struct, frozen=True, tag="run_began"):
    """The first event of a process: torch.compile was used in it."""

    pid: int
    parent: int
    command: tuple[str, ...]
    folder: str
    torch: str
    rank: str = ""
    """``RANK`` of a distributed program."""
    world: str = ""
    began: float = 0.0
    """Seconds since 1970 when the process began to be recorded."""
    stops: tuple[str, ...] = ()
    """Where it stops, as it was started."""
    editable: bool = False
    """Whether its graphs can be edited while it runs."""


class RunCounted(msgspec.Struct, frozen=True, tag="run_counted"):
    """How far the program is."""

    calls: tuple[GraphCalls, ...]
    seconds: float
    """Since it began to be recorded."""
    resident: int = 0
    """Bytes of memory that the process holds."""
    device: int = 0
    """Bytes that torch has allocated on the current GPU."""
    others: float = 0.0
    """Cores that other processes used since the count before, where they took them from this one."""


class RunEdited(msgspec.Struct, frozen=True, tag="run_edited"):
    """From now on the program runs with other edits."""

    edit: RunEdit


class RunCaptured(msgspec.Struct, frozen=True, tag="run_captured"):
    """Everything that was compiled so far."""

    capture: Capture


class RunValuesFound(msgspec.Struct, frozen=True, tag="run_values_found"):
    """A compiled graph, or its backward, returned something that is not finite, while the program's values were watched."""

    graph: str
    """``0/0`` or ``0/0 backward``."""
    call: int
    """Of how many calls it was the last."""
    output: int
    text: str
    """``3 NaN and 1 Inf``."""
    every: int = 1
    """Each so manieth call is looked at: it may have come earlier."""

    @property
    def sentence(self) -> str:
        """In words."""
        since = f", looked at every {self.every} calls" if self.every > 1 else ""
        return (
            f"output {self.output} of graph {self.graph} holds {self.text} in its call {self.call:,}{since}"
        )


class RunMissed(msgspec.Struct, frozen=True, tag="run_missed"):
    """Processes of the program that are not recorded, all that are known; reported for each that is, or before there is one."""

    processes: tuple[MissedProcess, ...]


class RunEnded(msgspec.Struct, frozen=True, tag="run_ended"):
    """The process leaves by itself, or stops being recorded."""

    why: str = ""
    """Empty where the process leaves."""


BREAKS = {
    "compile": "the next compile",
    "recompile": "the next recompile",
    "graph break": "the next graph break",
    "nan": "NaN or Inf in what a compiled graph returns",
}
"""Where a program can be stopped, and ``guard:TEXT``: a recompile whose failed guard has that text."""
GUARD = "guard:"


class RunStopped(msgspec.Struct, frozen=True, tag="run_stopped"):
    """The program waits here until it is told to go on; nothing in it changes."""

    kind: str
    """One of `BREAKS`, or ``guard``."""
    text: str
    """What is the case there."""
    line: SourceLine | None = None
    """The user's line, where there is one."""


class RunWentOn(msgspec.Struct, frozen=True, tag="run_went_on"):
    """It was told to."""


class BreakAt(msgspec.Struct, frozen=True, tag="break_at"):
    """To the program: stop there from now on, and nowhere else."""

    where: tuple[str, ...]


class GoOn(msgspec.Struct, frozen=True, tag="go_on"):
    """To a program that has stopped."""


class FollowRun(msgspec.Struct, frozen=True, tag="follow_run"):
    """Somebody wants to be told, on this connection, everything about one process: what is known, and what comes."""

    number: int
    """Of the processes in the order in which they began to report; one that is not there yet is waited for."""
