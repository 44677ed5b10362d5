"""The one row above the panes: the result and what there is to say of it, or the work at hand. Its height never changes."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from app.session.facade.session import Session
from app.widgets.layouts.boxes import set_row
from app.window.change_bar import ChangeBar
from app.window.notices.work_strip import WorkStrip
from app.window.result_bar import ResultBar
from app.window.trust_bar import TrustBar

_AROUND_LINE = 8
"""Pixels above and below the line, together."""


class ResultRow(QWidget):
    """There from the first capture on, so that nothing below it moves."""

    work_shown = Signal(bool)
    """Whether bar, time and Cancel stand here, so that they need to stand nowhere else."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_row")
        self._session = session
        self.result = ResultBar(session, self)
        self.changes = ChangeBar(session, self)
        self.trust = TrustBar(session, self)
        self.work = WorkStrip(session, self)
        reported = QWidget(self)
        reported.setObjectName("told")
        row = set_row(reported, margins=0, spacing=0)
        for bar in (self.trust, self.result, self.changes):
            row.addWidget(bar, 1)
        self._reported = reported
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(reported)
        self._stack.addWidget(self.work)
        # the result is one line of text, whose label wishes for a page while nothing is in it
        heights = [bar.sizeHint().height() for bar in (self.trust, self.changes, self.work)]
        self.setFixedHeight(max(*heights, self.fontMetrics().height() + _AROUND_LINE))
        self.work.wanted_changed.connect(self._show)
        session.capture_changed.connect(self._show)
        session.trust.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self._stack.setCurrentWidget(self.work if self.work.wanted else self._reported)
        self.setVisible(self._session.capture is not None or self._session.trust.restricted)
        self.work_shown.emit(self.work.wanted and not self.isHidden())
