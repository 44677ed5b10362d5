"""The status bar: what the engine is and does, for how long, and how to stop it."""

import platform
import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.ir.diagnostics import Severity

_TICK_MS = 200
_ENGINE = {
    "starting": tr_noop("Engine: starting"),
    "ready": tr_noop("Engine: ready"),
    "busy": tr_noop("Engine: busy"),
    "stopped": tr_noop("Engine: stopped"),
}
_QUIET_S = 1.0
"""Work shorter than this shows no elapsed time."""


class _Dot(QWidget):
    """A dot in the colour of the engine's state."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = ""
        self.setFixedSize(18, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = current.colors()
        by_state = {
            "starting": colors.warning,
            "ready": colors.good,
            "busy": colors.accent,
            "stopped": colors.error,
        }
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(QColor(by_state.get(self.state, colors.dim_text)))
        painter.drawEllipse(5, 4, 9, 9)
        painter.end()


class StatusLine(QStatusBar):
    """Follows the session's status. The clock runs only while the engine works."""

    problems_wanted = Signal()
    """The count of problems was clicked."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._busy_since = 0.0
        self._dot = _Dot(self)
        self.text = QLabel(self)
        self.text.setObjectName("status_text")
        self.elapsed = QLabel(self)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 0)
        self.progress.setFixedSize(110, 12)
        self.progress.setTextVisible(False)
        self.cancel = QToolButton(self)
        self.cancel.setText(tr("Cancel"))
        self.cancel.setObjectName("cancel")
        self.cancel.setToolTip(tr("Stop what the engine is doing; nothing is lost (Esc)"))
        self.cancel.clicked.connect(session.cancel)
        self.restart = QToolButton(self)
        self.restart.setText(tr("Restart engine"))
        self.restart.clicked.connect(session.engine.restart)
        self.versions = QLabel(self)
        self.problems = QToolButton(self)
        self.problems.setObjectName("problem_count")
        self.problems.setAutoRaise(True)
        self.problems.setToolTip(tr("Show all problems"))
        self.problems.clicked.connect(self.problems_wanted)
        self._yielded = False
        for widget in (self._dot, self.text, self.elapsed, self.progress, self.cancel, self.restart):
            self.addWidget(widget)
        self.addPermanentWidget(self.problems)
        self.addPermanentWidget(self.versions)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self._tick)
        session.status_changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        session.problems_changed.connect(self._count)
        current.signals().changed.connect(self._dot.update)
        self.fill()
        self._count()

    def fill(self) -> None:
        """Show the status as it is."""
        state, busy = self._session.engine_state, self._session.busy
        unused = state == "stopped" and self._session.engine.generation == 0
        self._dot.state = "unused" if unused else state
        self._dot.setToolTip(tr("Engine: not started") if unused else tr(_ENGINE.get(state, state)))
        self._dot.update()
        self.text.setText(visible_line(self._session.status_text))
        working = busy or state == "starting"
        self.progress.setVisible(working and not self._yielded)
        self.cancel.setVisible(busy and not self._yielded)
        self.restart.setVisible(state == "stopped" and not unused)
        self.elapsed.setVisible(working and not self._yielded)
        if working and not self._clock.isActive():
            self._busy_since = time.monotonic()
            if self.isVisible():
                self._clock.start()
        elif not working:
            self._clock.stop()
        self._tick()
        self.versions.setText(self._versions())

    def yield_work(self, yielded: bool) -> None:
        """Whether bar, time and Cancel stand elsewhere now."""
        self._yielded = yielded
        self.fill()

    def _count(self) -> None:
        reported = [row for row in self._session.problems if row.severity is not Severity.NOTE]
        self.problems.setText(tr("%n problem(s)", None, len(reported)))
        self.problems.setVisible(bool(reported))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fill()

    def stop(self) -> None:
        """The window closes: let the clock rest."""
        self._clock.stop()

    def _tick(self) -> None:
        seconds = time.monotonic() - self._busy_since
        self.elapsed.setText(f"{seconds:.0f} s" if seconds >= _QUIET_S else "")

    def _versions(self) -> str:
        capture = self._session.capture
        if self._session.engine.torch_version:
            return tr("Python {python_version}, torch {torch_version}").format(
                python_version=platform.python_version(), torch_version=self._session.engine.torch_version
            )
        if capture is not None and capture.log is not None:
            return tr("Read from a log of torch {torch}").format(torch=capture.environment.torch).rstrip()
        if capture is not None:
            return tr("Captured with Python {python}, torch {torch}").format(
                python=capture.environment.python, torch=capture.environment.torch
            )
        return ""
