"""Times as files: a table as CSV, steps as a Chrome trace."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from app.session.facade.session import Session
from app.translation.texts import tr
from compiler.analysis.timing.chrome_trace import chrome_trace
from compiler.analysis.timing.timing_export import csv_text
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.timings import TimingReport


class ExportButton(QToolButton):
    """Asks where to, and writes what was measured."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setText(tr("Export"))
        self.setToolTip(tr("Times as a file"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.csv = menu.addAction(tr("Table as CSV…"))
        self.csv.setToolTip(
            tr("Kernels, parts of the step and whole steps, with bytes, operations and rates")
        )
        self.trace = menu.addAction(tr("Steps as Chrome trace…"))
        self.trace.setToolTip(tr("Opens in Perfetto (ui.perfetto.dev) and in chrome://tracing"))
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.csv.triggered.connect(lambda: self._ask("times.csv", tr("CSV (*.csv)")))
        self.trace.triggered.connect(lambda: self._ask("steps.json", tr("Chrome trace (*.json)")))

    def show_state(self) -> None:
        """There must be something to write."""
        self.setEnabled(self._session.timings.shown_report() is not None)

    def write(self, path: Path) -> None:
        """Write what is shown: a trace where the name ends in ``.json``, else a table. A failure becomes a problem."""
        report = self._session.timings.shown_report()
        if report is None:
            return
        try:
            path.write_text(self._text(path, report), encoding="utf-8")
        except OSError as error:
            self._session.report(
                Problem(
                    tr("{path} could not be written: {strerror}.").format(path=path, strerror=error.strerror),
                    tr("Choose another place."),
                )
            )

    def _text(self, path: Path, report: TimingReport) -> str:
        if path.suffix == ".json":
            return chrome_trace(report)
        return csv_text(report, self._session.capture, self._session.measured.ceilings)

    def _ask(self, proposed: str, kinds: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Export times"), proposed, kinds)
        if name:
            self.write(Path(name))
