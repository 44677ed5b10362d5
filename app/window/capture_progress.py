"""What the window shows while the first capture is made: of what, what is being done, for how long, how to stop."""

import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, set_column
from compiler.analysis.text_format.visible_text import visible_line

_TICK_MS = 500
_WIDTH = 420


class CaptureProgress(QWidget):
    """Stands where the examples stood. Its clock runs only while it is in view."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("capture_progress")
        self._session = session
        self._since = 0.0
        self.title = WrappedLabel("", self)
        self.title.setFont(fonts.interface(1.15, bold=True))
        self.step = QLabel(self)
        self.step.setObjectName("capture_step")
        bar = QProgressBar(self)
        bar.setRange(0, 0)
        bar.setFixedSize(_WIDTH, 12)
        bar.setTextVisible(False)
        self.cancel = QPushButton(tr("Cancel"), self)
        self.cancel.setToolTip(tr("Stop capturing (Esc)"))
        self.cancel.clicked.connect(session.cancel)
        note = WrappedLabel(
            tr(
                "torch.compile runs for real: the program is traced, its kernels are written and built by the C++ "
                "compiler. The first capture takes longest, since torch is loaded meanwhile."
            ),
            self,
        )
        note.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        row = row_of(self.cancel, Room())
        set_column(self, self.title, self.step, bar, note, row, margins=(0, 16, 0, 0), spacing=10)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self.fill)
        session.status_changed.connect(self.fill)

    def fill(self) -> None:
        """Say what is being done now."""
        spec = self._session.capturing
        if spec is None:
            return
        self.title.setText(tr("Capturing {visible_line}").format(visible_line=visible_line(spec.target.name)))
        seconds = time.monotonic() - self._since
        elapsed = f" · {seconds:.0f} s" if self._clock.isActive() and seconds >= 1 else ""
        self.step.setText(f"{visible_line(self._session.status_text)}…{elapsed}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._since = time.monotonic()
        self._clock.start()
        self.fill()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()
