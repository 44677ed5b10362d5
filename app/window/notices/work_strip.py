"""The work at hand as a checklist, with one bar, the time that is left where it can be told, and one Cancel."""

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QWidget

from app.session.facade.checklist import Checklist
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import lines_more, tr
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.layouts.boxes import set_row
from compiler.model.protocol.progress import Step

_OWN = "QFrame#work_strip {{ background: {panel}; border: none; border-bottom: 1px solid {line}; border-left: 3px solid {mark}; }}"
_TICK_MS = 250
_SOON_MS = 300
"""Work that is over sooner takes nobody's place."""
_BAR_PARTS = 1000
_MOST_NAMES = 12


class WorkStrip(QFrame):
    """Follows the engine that holds what is open, else that of trials, else that of the comparison of front ends."""

    wanted_changed = Signal()
    """`wanted` changed: there is something to be seen here, or not any more."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("work_strip")
        self._session = session
        self._list = Checklist()
        self._of: object = None
        self._began = 0.0
        self._stop: Callable[[], None] = session.cancel
        self.wanted = False
        """Whether there is work to show."""
        self.steps = ElidedLabel("", self)
        self.steps.setObjectName("work_steps")
        self.bar = QProgressBar(self)
        self.bar.setFixedSize(140, 12)
        self.bar.setTextVisible(False)
        self.left = QLabel(self)
        self.left.setObjectName("work_left")
        self.left.setMinimumWidth(self.left.fontMetrics().horizontalAdvance("000 s, about 000 s left"))
        self.cancel = QPushButton(tr("Cancel"), self)
        self.cancel.setFlat(True)
        self.cancel.setToolTip(tr("Stop; what is on the screen of a first capture stays (Esc)"))
        set_row(self, (self.steps, 1), self.bar, self.left, self.cancel, margins=(10, 2, 6, 2), spacing=12)
        self._soon = QTimer(self, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._want)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self.cancel.clicked.connect(lambda: self._stop())
        for changed in (
            session.status_changed,
            session.early.changed,
            session.trials.changed,
            session.front_ends.changed,
        ):
            changed.connect(self._follow)
        current.signals().changed.connect(self._style)
        self._style()

    def stop(self) -> None:
        """The window closes: let the clocks rest."""
        self._soon.stop()
        self._clock.stop()

    def _source(self) -> tuple[object, str, Step | None, str, Callable[[], None]] | None:
        """(whose work, its title, its step, its words, how it is stopped) of what goes on; None where nothing does."""
        session = self._session
        if session.working:
            return session.engine, self._title(), session.engine.step, session.status_text, session.cancel
        if session.trials.running:
            trials = session.trials
            return trials, tr("Trying the change"), trials.worker.step, trials.doing, trials.cancel
        if session.front_ends.busy:
            cells = session.front_ends
            return (
                cells,
                tr("Comparing front ends, {running}").format(running=cells.running),
                cells.step,
                cells.doing,
                cells.cancel,
            )
        return None

    def _title(self) -> str:
        watched = self._session.watch.working
        if watched:
            return tr("{names} was saved, captured again").format(
                names=", ".join(path.rpartition("/")[2] for path in watched)
            )
        spec = self._session.capturing
        return tr("Capturing {name}").format(name=spec.target.name) if spec is not None else ""

    def _follow(self) -> None:
        source = self._source()
        if source is None or (source[2] is None and self._of is not source[0]):
            self._rest()
            return
        whose, title, step, words, self._stop = source
        if whose is not self._of:
            self._of, self._began = whose, time.monotonic()
            self._list.clear()
            self._soon.start()
        if step is not None:
            self._list.take(step, time.monotonic())
        listed = " · ".join(part for part in (title, self._list.text) if part)
        self.steps.setText(listed)
        self.steps.setToolTip("\n".join([f"{words}.", *self._kernels()]))
        self._tick()

    def _kernels(self) -> list[str]:
        """What the compiler has to build of what is shown."""
        shown = self._session.early.shown
        if shown is None or not shown.building:
            return []
        names = [row.kernel for row in shown.building]
        rest = lines_more(len(names) - _MOST_NAMES)
        before = (
            [tr("{built_before} more were built before").format(built_before=shown.built_before)]
            if shown.built_before
            else []
        )
        return [tr("The compiler builds:"), *names[:_MOST_NAMES], *rest, *before]

    def _want(self) -> None:
        self.wanted = True
        self._clock.start()
        self.wanted_changed.emit()

    def _rest(self) -> None:
        self._of = None
        self._soon.stop()
        self._clock.stop()
        if self.wanted:
            self.wanted = False
            self.wanted_changed.emit()

    def _tick(self) -> None:
        part, now = self._list.part, time.monotonic()
        self.bar.setRange(0, 0 if part is None else _BAR_PARTS)
        if part is not None:
            self.bar.setValue(round(part * _BAR_PARTS))
        left = self._list.seconds_left(now)
        rest = tr(", about {value:.0f} s left").format(value=max(left, 1)) if left is not None else ""
        self.left.setText(f"{now - self._began:.0f} s{rest}")

    def _style(self) -> None:
        colors = current.colors()
        self.setStyleSheet(_OWN.format(panel=colors.panel, line=colors.line, mark=colors.accent))
