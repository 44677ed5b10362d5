"""The line above the panes that says what came of the capture that is shown; each part leads to the pane that says more."""

from math import ceil

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.session.facade.session import Session
from app.theme import current
from app.translation.compiler_texts import translate
from app.translation.texts import tr
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import set_row
from compiler.analysis.text_format.result_line import ResultPart, result_parts, time_sentence
from compiler.analysis.text_format.verdict_headline import verdict_part
from compiler.model.diff.capture_diff import Figures, figures_of

_OWN = "QFrame#result_bar {{ background: {panel}; border: none; border-bottom: 1px solid {line}; }}"
_EVERY_MS = 500
"""While times come in, the line follows them no faster than one can read."""


class ResultBar(QFrame):
    """Hidden while nothing is shown. Times are reported once they were measured."""

    pane_wanted = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_bar")
        self._session = session
        self._parts: tuple[ResultPart, ...] = ()
        self._wide = 0
        self._figures: Figures = {}
        """Of the capture that is shown; times come in far more often than captures."""
        self.line = LinkLabel(self)
        self.line.setAccessibleName(tr("What came of the capture"))
        self.line.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.line.link_clicked.connect(lambda number: self.pane_wanted.emit(self._parts[number].pane))
        self.why = ElidedLabel("", self)
        set_row(self, self.line, (self.why, 1), margins=(10, 3, 10, 3), spacing=16)
        self._soon = QTimer(self, interval=_EVERY_MS, singleShot=True)
        self._soon.timeout.connect(self.fill)
        self.hide()
        session.capture_changed.connect(self._on_capture)
        session.timings.changed.connect(self._fill_soon)
        session.verdict_changed.connect(self.fill)
        session.edits_changed.connect(self._fill_soon)
        current.signals().changed.connect(self._restyle)
        self._restyle()
        self._on_capture()

    def _on_capture(self) -> None:
        capture = self._session.capture
        self._figures = figures_of(capture) if capture is not None else {}
        self.setVisible(capture is not None)
        self.fill()

    def _fill_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def fill(self) -> None:
        """Say what is so now."""
        if not self._figures:
            return
        report = self._session.timings.shown_report()
        capture = self._session.capture
        spec = capture.spec if capture is not None else None
        self._parts = result_parts(self._figures, report, spec, translate)
        verdict = self._session.verdict
        if verdict is not None and not self._session.states.waiting:  # it is what an edit is made for
            self._parts = (verdict_part(verdict, translate), *self._parts)
        text = RichText()
        for number, part in enumerate(self._parts):
            if number:
                text.text("  ·  ", "dim")
            text.link(part.text, number)
        if self._session.early.shown is not None:
            text.text(tr("  so far"), "dim")
        self.why.setText(time_sentence(report, translate))
        wide = self.line.fontMetrics().horizontalAdvance(text.plain)
        if (text.plain, wide) != (self.line.plain(), self._wide):
            self._wide = wide
            self.line.setToolTip("\n".join(f"{part.text}: {part.about}" for part in self._parts))
            self.line.set_content(text)
            self.line.document().setTextWidth(-1)
            self.line.setFixedWidth(ceil(self.line.document().idealWidth()) + 2)

    def _restyle(self) -> None:
        self.fill()
        colors = current.colors()
        self.setStyleSheet(_OWN.format(panel=colors.panel, line=colors.line))
