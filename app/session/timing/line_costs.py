"""What each line of the program costs, and what kernels are called by what and where they compute; of what was timed."""

import time

from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.captures.runs_here import why_not_run
from app.session.selection.selection import SelectionBroker
from app.session.timing.timing_recorder import TimingRecorder
from app.translation.texts import tr
from compiler.analysis.line_times.kernel_names import kernel_names
from compiler.analysis.line_times.kernel_origins import KernelOrigin, has_kernels, kernel_origins
from compiler.analysis.line_times.line_times import LineTimes, line_times
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import Place, line_id, place
from compiler.model.timing.timings import KernelTiming, TimedKernel, TimingSettings

_STEPS = 20
"""Timed where somebody asks for the slowest line and nothing was timed yet."""
_REPORT_SECONDS = 0.5
"""While a program is timed, times are reported to have changed at most so often."""


class LineCosts(QObject):
    """Asked by panes; found again when samples arrived since it was asked last."""

    changed = Signal()
    """Other samples. That another capture is shown, the session says."""

    def __init__(
        self,
        recorder: TimingRecorder,
        store: CaptureStore,
        selection: SelectionBroker,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._recorder = recorder
        self._store = store
        self._selection = selection
        self._of: tuple[Capture | None, tuple[TimedKernel, ...]] = (None, ())
        self._origins: dict[Place, KernelOrigin] = {}
        self._names: dict[Place, str] = {}
        self._found: LineTimes | None = None
        self._awaited = False
        """Whether the slowest line is gone to as soon as it is known."""
        self._reported_at = 0.0
        self._reported: tuple[bool, tuple[TimedKernel, ...], bool] = (False, (), False)
        recorder.changed.connect(self._follow)

    def times(self) -> LineTimes | None:
        """Every line that costs something; None where nothing was timed, or the program that was timed is not open."""
        if not self._recorder.timed_kernels or not self._follow_capture():
            return None
        if self._found is None:
            found = line_times(self._rows(), self._origins)
            self._found = found if found.measured else None
        return self._found

    def names(self) -> dict[Place, str]:
        """Of each timed kernel, ``relu+dropout · model.py:23 · layers.3``."""
        self._follow_capture()
        return self._names

    @property
    def can_find(self) -> bool:
        """Whether there are times, or the program can be timed."""
        return self.times() is not None or not why_not_run(self._store.shown)

    def go_to_slowest(self) -> None:
        """Select the line with most time of its own; where one of the slowest is selected, the next. A program that was not
        timed is timed first.
        """
        times = self.times()
        if times is None:
            if not self.can_find:
                return
            self._awaited = True
            if not self._recorder.running:
                self._recorder.start(TimingSettings(_STEPS))
            return
        self._awaited = False
        places = [place(f"source:{row.path}", line_id(row.line)) for row in times.lines if row.own.median > 0]
        if places:
            pinned = self._selection.pinned
            index = places.index(pinned) + 1 if pinned in places else 0
            self._selection.select(places[index % len(places)])

    @property
    def when(self) -> str:
        """When it was timed, where that was not now."""
        if self._recorder.kernels or self._recorder.baseline is None:
            return ""
        where = tr("of the session file") if self._store.from_file else tr("before the last recompile")
        return tr("Times {where}; this program was not timed yet.").format(where=where)

    def _rows(self) -> list[KernelTiming]:
        recorder = self._recorder
        if recorder.kernels:
            return [
                KernelTiming(kernel, recorder.summary(index)) for index, kernel in enumerate(recorder.kernels)
            ]
        return list(recorder.baseline.kernels) if recorder.baseline is not None else []

    def _follow_capture(self) -> bool:
        """Find origins and names once for a capture and its kernels; False where no capture has the kernels."""
        kernels = self._recorder.timed_kernels
        capture = self._capture_of(kernels)
        if capture is not self._of[0] or kernels != self._of[1]:
            self._of, self._found = (capture, kernels), None
            places = [kernel.place for kernel in kernels]
            shown = capture is self._store.shown
            links = self._selection.provenance if shown else None
            self._origins = kernel_origins(capture, places, links) if capture is not None else {}
            self._names = kernel_names([(row.place, row.name) for row in kernels], self._origins)
        return capture is not None

    def _capture_of(self, kernels: tuple[TimedKernel, ...]) -> Capture | None:
        """The newest capture that has all of the kernels: a recompile may have others."""
        wanted = {kernel.place for kernel in kernels}
        shown = self._store.shown
        captures: list[Capture] = [shown] if shown is not None else []
        for capture in (*captures, *reversed(self._store.all)):
            known = capture is self._of[0] and kernels == self._of[1]
            if known or has_kernels(capture, wanted):
                return capture
        return None

    def _follow(self) -> None:
        self._found = None
        recorder, now = self._recorder, time.monotonic()
        state = recorder.running, recorder.timed_kernels, recorder.has_samples
        ended = self._reported[0] and not recorder.running
        if state != self._reported or now - self._reported_at > _REPORT_SECONDS:
            self._reported, self._reported_at = state, now
            self.changed.emit()
        if ended and self._awaited:
            self._awaited = False
            if self.times() is not None:
                self.go_to_slowest()
