"""Over the canvas while a large graph is laid out: how far it is, and how to stop."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget

from app.canvas.layout_job import LayoutJobs
from app.translation.texts import tr

_INTERVAL_MS = 100
_TOP = 24


class WaitingLabel(QLabel):
    """Shown once a layout takes long enough to say so."""

    def __init__(self, jobs: LayoutJobs, parent: QWidget) -> None:
        super().__init__(tr("Laying out…"), parent)
        self.setObjectName("graph-waiting")
        self._jobs = jobs
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._show_waiting)
        jobs.slow.connect(self._begin)
        self.hide()

    def end(self) -> None:
        """It is laid out, or nobody waits any more."""
        self._timer.stop()
        self.hide()

    def begin_reading(self) -> None:
        """Before there are boxes to lay out."""
        self.show()
        self.raise_()
        self._show_text(tr("Reading the stage… · Esc stops"))

    def _begin(self) -> None:
        self._timer.start()
        self.show()
        self.raise_()
        self._show_waiting()

    def _show_waiting(self) -> None:
        cancel_token = self._jobs.cancel_token
        if cancel_token is None:
            self.end()
            return
        boxes = tr(" {boxes:,} boxes").format(boxes=cancel_token.boxes) if cancel_token.boxes else ""
        self._show_text(
            tr("Laying out{boxes}… {value:.0f} % · Esc stops").format(
                boxes=boxes, value=cancel_token.part * 100
            )
        )

    def _show_text(self, text: str) -> None:
        self.setText(text)
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move((parent.width() - self.width()) // 2, _TOP)
