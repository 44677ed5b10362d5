"""Samples of a timing run as they arrive, kept in rings so that a run may go on for ever."""

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from compiler.model.capture.gpu_autotuning import CudaGraphNote
from compiler.model.timing.paired_ratio import PairedRatio, paired_ratio
from compiler.model.timing.step_trace import SpanKind, StepTrace
from compiler.model.timing.timings import (
    GraphReplay,
    KernelTiming,
    TimedKernel,
    TimingBatch,
    TimingReport,
    TimingSettings,
    TimingStarted,
    TimingSummary,
    nearest_trace,
)

if TYPE_CHECKING:
    from app.session.timing.ring_buffer import Rings, Samples


_MOST_TRACES = 60
_RATIO_SECONDS = 1.0
"""A ratio's interval is found again at most so often."""


class TimingRecorder(QObject):
    """What was measured of the program as last compiled, and of the one before it."""

    changed = Signal()

    def __init__(
        self, begin: Callable[[TimingSettings], None], end: Callable[[], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._begin = begin
        self._end = end
        self.running = False
        self.kernels: tuple[TimedKernel, ...] = ()
        self.baseline: TimingReport | None = None
        self._clock = ""
        self._graphs: tuple[CudaGraphNote, ...] = ()
        self._replay: GraphReplay | None = None
        """Times of the capture before the last recompile."""
        self.settings = TimingSettings()
        self._capture = ""
        self._threads = 0
        self._ratio: PairedRatio | None = None
        self._ratio_at = 0.0
        self._others = 0.0
        self._summaries: list[tuple[TimingSummary | None, int]] = []
        self._reset(())

    def start(self, settings: TimingSettings) -> None:
        """Begin to time the program; samples follow."""
        self.settings = settings
        self._begin(settings)

    def stop(self) -> None:
        """End the run; what was measured stays."""
        if self.running:
            self._end()

    def clear(self) -> None:
        """Forget the samples and the baseline."""
        self.baseline = None
        self._reset(self.kernels)
        self.changed.emit()

    def samples(self, kernel_index: int) -> "Samples":
        """Nanoseconds in a kernel, oldest first; -1 where it did not run."""
        return self._rings().kernels.column(kernel_index)

    def compiled_samples(self) -> "Samples":
        """Nanoseconds of whole steps of the compiled program."""
        return self._rings().compiled.column(0)

    def eager_samples(self) -> "Samples":
        """Nanoseconds of whole steps of the eager program."""
        return self._rings().eager.column(0)

    def summary(self, kernel_index: int) -> TimingSummary | None:
        """Median and quartiles of a kernel."""
        return self._table()[kernel_index][0]

    def outliers(self, kernel_index: int) -> int:
        """How many of a kernel's samples lie far above the others."""
        return self._table()[kernel_index][1]

    def _table(self) -> "list[tuple[TimingSummary | None, int]]":
        """Of every kernel (median and quartiles, outliers), made when it is asked for after samples arrived."""
        if not self._summaries:
            from app.session.timing.ring_buffer import summaries_of

            self._summaries = summaries_of(self._rings().kernels.rows())
        return self._summaries

    def compiled_summary(self) -> TimingSummary | None:
        """Median and quartiles of the compiled step."""
        return _summary(self.compiled_samples())

    def dissected_summary(self) -> TimingSummary | None:
        """Median and quartiles of the steps that kernels and parts were timed in: those with clocks, where there are any."""
        return _summary(self._rings().clocked.column(0)) or self.compiled_summary()

    def eager_summary(self) -> TimingSummary | None:
        """Median and quartiles of the eager step."""
        return _summary(self.eager_samples())

    def part_summaries(self) -> tuple[TimingSummary | None, ...]:
        """Median and quartiles of each `StepPart`, in order."""
        from app.session.timing.ring_buffer import summaries_of

        return tuple(summary for summary, _ in summaries_of(self._rings().parts.rows()))

    def ratio(self) -> PairedRatio | None:
        """Eager over compiled, of steps that ran one after the other."""
        now = time.monotonic()
        if self._ratio is None or now - self._ratio_at > _RATIO_SECONDS:
            pairs = self._rings().pairs
            self._ratio = paired_ratio(pairs.column(0).tolist(), pairs.column(1).tolist(), self._others)
            self._ratio_at = now
        return self._ratio

    def traces(self) -> tuple[StepTrace, ...]:
        """The typical step with clocks, and the newest that the profiler saw of the compiled and of the eager program; of
        a run that is over, or of a session file.
        """
        if self._traces or self._profiled:
            return nearest_trace((*self._traces, *self._profiled.values()), self.dissected_summary())
        return self.baseline.traces if self.baseline is not None and not self.kernels else ()

    def guard_time(self) -> TimingSummary | None:
        """Looking for compiled code whose guards hold, in the steps that the profiler saw."""
        from app.session.timing.ring_buffer import summary_of_list

        return summary_of_list(list(self._guards))

    def report(self) -> TimingReport | None:
        """What was measured, or None if nothing was."""
        if self._made is None or not len(self.compiled_samples()):
            return None
        rows = tuple(KernelTiming(kernel, self.summary(index)) for index, kernel in enumerate(self.kernels))
        return TimingReport(
            self._capture,
            rows,
            self.compiled_summary(),
            self.eager_summary(),
            self._threads,
            self.part_summaries(),
            self.ratio(),
            self.traces(),
            self._clock,
            self._graphs,
            self._replay,
            _summary(self._rings().clocked.column(0)),
        )

    def shown_report(self) -> TimingReport | None:
        """What was measured; of a session file, or before the last recompile, what was measured then."""
        return self.report() or self.baseline

    @property
    def timed_kernels(self) -> tuple[TimedKernel, ...]:
        """The kernels of what is shown: those timed now, else those timed before."""
        if self.kernels or self.baseline is None:
            return self.kernels
        return tuple(row.kernel for row in self.baseline.kernels)

    @property
    def has_samples(self) -> bool:
        """Whether there are times to show, now or from before."""
        timed = self._made is not None and len(self._made.compiled.column(0)) > 0
        return timed or self.baseline is not None

    def kernel_medians(self) -> dict[int, float]:
        """Nanoseconds by index of `timed_kernels`, of those that ran."""
        if self.kernels:
            rows = [self.summary(index) for index in range(len(self.kernels))]
        else:
            rows = [row.summary for row in self.baseline.kernels] if self.baseline is not None else []
        return {index: row.median for index, row in enumerate(rows) if row is not None}

    @property
    def compiled_median(self) -> float | None:
        """Nanoseconds of a compiled step without clocks."""
        summary = (
            self.compiled_summary() if self.kernels else self.baseline.compiled if self.baseline else None
        )
        return summary.median if summary is not None else None

    @property
    def eager_median(self) -> float | None:
        """Nanoseconds of an eager step."""
        summary = self.eager_summary() if self.kernels else self.baseline.eager if self.baseline else None
        return summary.median if summary is not None else None

    @property
    def threads(self) -> int:
        """How many threads torch used; 0 while nothing was timed."""
        return self._threads if self.kernels else self.baseline.threads if self.baseline is not None else 0

    # -- called by the session -----------------------------------------------------------------------------------

    def set_running(self, running: bool) -> None:
        """The run began or ended."""
        if running != self.running:
            self.running = running
            self.changed.emit()

    def take_event(self, event: object) -> None:
        """An event of the engine; those that are not of a timing run are somebody else's."""
        match event:
            case TimingStarted():
                self.take_started(event)
            case TimingBatch():
                self.take_batch(event)

    def take_started(self, started: TimingStarted) -> None:
        """The engine says what the samples that follow are of; with another number of threads they are of other code."""
        same = (started.capture, started.kernels) == (self._capture, self.kernels)
        same = same and started.threads == self._threads
        self._capture, self._threads, self._clock = started.capture, started.threads, started.clock
        if not same:
            self._reset(started.kernels)
        self.changed.emit()

    def take_batch(self, batch: TimingBatch) -> None:
        """Samples arrived."""
        if batch.capture != self._capture or any(len(row) != len(self.kernels) for row in batch.kernels):
            return  # of a run that was replaced
        self._rings().extend(batch)
        self._graphs = batch.cuda_graphs or self._graphs
        self._replay = batch.replay or self._replay
        self._others = batch.others
        for trace in batch.traces:
            self._take_trace(trace)
        self._summaries.clear()
        self.changed.emit()

    def _take_trace(self, trace: StepTrace) -> None:
        if not trace.profiled:
            self._traces.append(trace)
            return
        self._profiled[trace.compiled] = trace
        if trace.compiled:
            self._guards.append(trace.spent(SpanKind.GUARDS))

    def keep_as_baseline(self) -> None:
        """The program was recompiled: what was measured so far is "before"."""
        report = self.report()
        if report is not None:
            self.baseline = report
        self._capture = ""
        self._reset(())
        self.changed.emit()

    def show_report(self, report: TimingReport | None) -> None:
        """Times of a session file, which has no samples."""
        self.baseline = report
        self._reset(())
        self.changed.emit()

    def _reset(self, kernels: tuple[TimedKernel, ...]) -> None:
        self.kernels = kernels
        self._made: Rings | None = None
        self._graphs, self._replay = (), None
        self._summaries = []
        self._traces: deque[StepTrace] = deque(maxlen=_MOST_TRACES)
        self._profiled: dict[bool, StepTrace] = {}
        self._guards: deque[int] = deque(maxlen=_MOST_TRACES)
        self._ratio, self._ratio_at, self._others = None, 0.0, 0.0

    def _rings(self) -> "Rings":
        """Where samples are kept; the first one loads numpy, which would delay the window."""
        from app.session.timing.ring_buffer import Rings

        if self._made is None:
            self._made = Rings(len(self.kernels))
        return self._made


def _summary(samples: "Samples") -> TimingSummary | None:
    from app.session.timing.ring_buffer import summary_of

    return summary_of(samples)
