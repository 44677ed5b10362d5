"""Samples of a timing run while it goes on, and the report that is made of them."""

import dataclasses

from compiler.engine.measuring.machine_load import MachineLoad
from compiler.model.capture.gpu_autotuning import CudaGraphNote
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.step_trace import StepPart, StepTrace
from compiler.model.timing.timings import (
    GraphReplay,
    KernelTiming,
    TimingBatch,
    TimingReport,
    TimingStarted,
    nearest_trace,
    summarise,
)

BATCH_SECONDS = 0.1
"""How often what was measured is reported."""
_MOST_TRACES = 100
_MOST_STEPS = 20_000
"""That are kept of a run without end, and fewer where a step has many kernels: see `_MOST_TIMES`."""
_MOST_TIMES = 500_000
"""Times of kernels and parts that are kept of such a run; about 36 bytes each, twice as many for a while."""
_FEWEST_STEPS = 500
"""Kept whatever they take: medians and their spread need them."""


@dataclasses.dataclass
class Samples:
    """What was measured, each list as in `TimingBatch`, and how much of it was sent."""

    endless: bool
    """Whether it may go on for ever, so that only the newest steps are kept."""
    kernels: list[tuple[int, ...]] = dataclasses.field(default_factory=list)
    compiled: list[int] = dataclasses.field(default_factory=list)
    eager: list[int] = dataclasses.field(default_factory=list)
    parts: list[tuple[int, ...]] = dataclasses.field(default_factory=list)
    pairs: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    traces: list[StepTrace] = dataclasses.field(default_factory=list)
    clocked: list[int] = dataclasses.field(default_factory=list)
    load: MachineLoad = dataclasses.field(default_factory=MachineLoad)

    def batch(self, capture: str, sent: "Sent") -> TimingBatch:
        """What came since the last batch."""
        batch = TimingBatch(
            capture,
            tuple(self.kernels[sent.steps :]),
            tuple(self.compiled[sent.steps :]),
            tuple(self.eager[sent.eager :]),
            tuple(self.parts[sent.steps :]),
            tuple(self.pairs[sent.eager :]),
            tuple(self.traces[sent.traces :]),
            others=self.load.others(),
            clocked=tuple(self.clocked[sent.steps :]),
        )
        del self.traces[:-_MOST_TRACES]
        if self.endless:
            most = self._most_steps()
            for steps in (self.kernels, self.compiled, self.clocked, self.parts, self.eager, self.pairs):
                if len(steps) > 2 * most:
                    del steps[:-most]
        sent.steps, sent.eager, sent.traces = len(self.compiled), len(self.eager), len(self.traces)
        return batch

    def _most_steps(self) -> int:
        """So that a program of thousands of kernels that is timed for hours takes no more memory than a small one."""
        times = len(self.kernels[-1]) + len(StepPart) if self.kernels else 1
        return min(_MOST_STEPS, max(_MOST_TIMES // times, _FEWEST_STEPS))

    def take_eager(self, compiled: int, eager: int) -> None:
        """A compiled step and the eager one next to it; 0 where none ran."""
        if eager:
            self.eager.append(eager)
            self.pairs.append((compiled, eager))

    def sides(self) -> tuple[list[int], list[int]]:
        """Compiled and eager steps that ran in the same turn."""
        return [pair[0] for pair in self.pairs], [pair[1] for pair in self.pairs]


@dataclasses.dataclass
class Sent:
    """How much of each list was sent."""

    steps: int = 0
    eager: int = 0
    traces: int = 0


def report_of(
    found: Samples,
    started: TimingStarted,
    graphs: tuple[CudaGraphNote, ...] = (),
    replay: GraphReplay | None = None,
) -> TimingReport:
    """Medians and spreads of a whole run."""
    compiled, clocked = summarise(found.compiled), summarise(found.clocked)
    return TimingReport(
        started.capture,
        tuple(
            KernelTiming(kernel, summarise([row[index] for row in found.kernels]))
            for index, kernel in enumerate(started.kernels)
        ),
        compiled,
        summarise(found.eager),
        started.threads,
        tuple(
            summarise([row[index] for row in found.parts]) if found.parts else None
            for index in range(len(StepPart))
        ),
        paired_ratio(*found.sides(), found.load.others()),
        nearest_trace(found.traces, clocked or compiled),
        started.clock,
        graphs,
        replay,
        clocked,
    )
