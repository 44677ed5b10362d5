"""What each process of a running program reported, as far as it came."""

import dataclasses

import msgspec

from compiler.analysis.running.steps import steps_of
from compiler.model.capture.capture import Capture
from compiler.model.capture.run_story import GraphCalls, MissedProcess, RunEdit, RunSample, RunStory
from compiler.model.ir.ids import is_number
from compiler.model.protocol.messages import EventBody, Progress
from compiler.model.protocol.run_events import (
    RunBegan,
    RunCaptured,
    RunCounted,
    RunEdited,
    RunEnded,
    RunMissed,
    RunStopped,
    RunValuesFound,
    RunWentOn,
)

_MOST_SAMPLES = 2_000
"""Of more, every second one is let go of."""


@dataclasses.dataclass
class Lane:
    """One process."""

    began: RunBegan | None = None
    doing: str = ""
    """What torch does there now."""
    capture: Capture | None = None
    counted: RunCounted | None = None
    ended: str | None = None
    """Why it is recorded no more: empty where the process left by itself; None while it goes on."""
    stopped: RunStopped | None = None
    """Where it waits until it is told to go on."""
    samples: list[RunSample] = dataclasses.field(default_factory=list)
    edits: list[RunEdit] = dataclasses.field(default_factory=list)
    """Made while it ran."""
    values: list[RunValuesFound] = dataclasses.field(default_factory=list)
    """The first that was not finite of each graph, where values are watched."""

    missed: tuple[MissedProcess, ...] = ()
    """Processes of the whole program that are not recorded."""

    def take(self, body: EventBody) -> None:
        """Something came."""
        match body:
            case RunBegan():
                self.began = body
            case Progress():
                self.doing = body.text
            case RunCaptured():
                self._capture(body.capture)
            case RunEdited():
                self.edits.append(body.edit)
            case RunCounted():
                self._count(body)
            case RunValuesFound():
                self.values.append(body)
            case RunStopped() | RunWentOn():
                self.stopped = body if isinstance(body, RunStopped) else None
            case RunMissed():
                self.missed = body.processes
            case RunEnded():
                self.ended, self.stopped = body.why, None

    @property
    def calls(self) -> tuple[GraphCalls, ...]:
        """Of each compiled graph."""
        return self.counted.calls if self.counted is not None else ()

    @property
    def seconds(self) -> float:
        """From the beginning of the recording to the last count."""
        return self.counted.seconds if self.counted is not None else 0.0

    @property
    def title(self) -> str:
        """``rank 1`` or ``process 4711``."""
        return title_of(self.began.pid, self.began.rank) if self.began is not None else "a process"

    def story(self) -> RunStory:
        """As plain data."""
        began = self.began or RunBegan(0, 0, (), "", "")
        return RunStory(
            began.pid,
            began.rank,
            began.world,
            began.command,
            began.folder,
            began.torch,
            began.began,
            self.seconds,
            self.calls,
            tuple(self.samples),
            tuple(self.edits),
            self.ended,
            self.missed,
        )

    def reported_capture(self) -> Capture | None:
        """What was compiled, with how the run went."""
        return None if self.capture is None else msgspec.structs.replace(self.capture, run=self.story())

    def _capture(self, capture: Capture) -> None:
        self.capture = msgspec.structs.replace(capture, run=None)
        if capture.run is not None:  # from somebody who heard more than we did
            self.samples = list(capture.run.samples)
            self.edits = list(capture.run.edits)
            self.missed = capture.run.missed

    def _count(self, counted: RunCounted) -> None:
        self.counted = counted
        steps = steps_of(self.capture.frames, counted.calls).count if self.capture is not None else 0
        spent = sum(row.nanoseconds + row.backward_nanoseconds for row in counted.calls)
        if self.samples and self.samples[-1].seconds >= counted.seconds:
            return
        self.samples.append(
            RunSample(counted.seconds, steps, spent, counted.resident, counted.device, counted.others)
        )
        if len(self.samples) > _MOST_SAMPLES:
            del self.samples[1:-1:2]


def title_of(pid: int, rank: str) -> str:
    """``rank 1``, ``process 4711``, or what there is."""
    return f"rank {rank}" if rank else f"process {pid}" if pid else "the program"


def in_order(lanes: list[Lane]) -> list[Lane]:
    """Those that compiled something: the first one where it has no rank, then by rank, then as they began."""
    compiled = [lane for lane in lanes if lane.capture is not None]

    def order(lane: Lane) -> tuple[int, int]:
        rank = lane.began.rank if lane.began is not None else ""
        if is_number(rank):
            return 1, int(rank)
        return (2 if lanes.index(lane) else 0), lanes.index(lane)

    return sorted(compiled, key=order)
