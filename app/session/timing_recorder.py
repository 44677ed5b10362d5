"""Samples of a timing run as they arrive, kept in rings so that a run may go on for ever."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from compiler.model.timings import (
    KernelTiming,
    TimedKernel,
    TimingBatch,
    TimingReport,
    TimingSettings,
    TimingStarted,
    TimingSummary,
)

if TYPE_CHECKING:
    from app.session.sample_ring import Rings, Samples


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
        """Times of the capture before the last recompile."""
        self.settings = TimingSettings()
        self._capture = ""
        self._threads = 0
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
        if kernel_index not in self._summaries:
            self._summaries[kernel_index] = _summary(self.samples(kernel_index))
        return self._summaries[kernel_index]

    def compiled_summary(self) -> TimingSummary | None:
        """Median and quartiles of the compiled step."""
        return _summary(self.compiled_samples())

    def eager_summary(self) -> TimingSummary | None:
        """Median and quartiles of the eager step."""
        return _summary(self.eager_samples())

    def report(self) -> TimingReport | None:
        """What was measured, or None if nothing was."""
        if self._made is None or not len(self.compiled_samples()):
            return None
        rows = tuple(KernelTiming(kernel, self.summary(index)) for index, kernel in enumerate(self.kernels))
        return TimingReport(self._capture, rows, self.compiled_summary(), self.eager_summary(), self._threads)

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
        self._capture, self._threads = started.capture, started.threads
        if not same:
            self._reset(started.kernels)
        self.changed.emit()

    def take_batch(self, batch: TimingBatch) -> None:
        """Samples arrived."""
        if batch.capture != self._capture or any(len(row) != len(self.kernels) for row in batch.kernels):
            return  # of a run that was replaced
        self._rings().extend(batch)
        self._summaries.clear()
        self.changed.emit()

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
        self._summaries: dict[int, TimingSummary | None] = {}

    def _rings(self) -> "Rings":
        """Where samples are kept; the first one loads numpy, which would delay the window."""
        from app.session.sample_ring import Rings

        if self._made is None:
            self._made = Rings(len(self.kernels))
        return self._made


def _summary(samples: "Samples") -> TimingSummary | None:
    from app.session.sample_ring import summary_of

    return summary_of(samples)
