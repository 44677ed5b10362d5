"""What was found, as files for others: the least program that is wrong so, and a report."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from app.session.facade.session import Session
from app.translation.texts import tr
from compiler.analysis.text_format.cause_text import cause_document, failure_document, least_report
from compiler.model.experiments.failures import FailureFound
from compiler.model.experiments.least_programs import LeastProgram
from compiler.model.ir.diagnostics import Problem, Severity


class HandOver(QToolButton):
    """Asks where to, and writes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._failed: FailureFound | None = None
        self.setText(tr("Hand over"))
        self.setToolTip(tr("The least program that is wrong so, and a report for an issue tracker"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.least = menu.addAction(tr("Least program…"))
        self.least.setToolTip(
            tr(
                "Make the graph smaller while it stays wrong; one file that needs torch alone, and fails by an assertion"
            )
        )
        self.report = menu.addAction(tr("Report…"))
        self.report.setToolTip(
            tr(
                "What is wrong, the least program, every trial and the surroundings, as Markdown, and beside it one session file with the "
                "stages (not with “Hide my code”)"
            )
        )
        self.hide_code = menu.addAction(tr("Hide my code"))
        self.hide_code.setCheckable(True)
        self.hide_code.setToolTip(tr("In what is written: no name, file, line or value of your program"))
        menu.insertSeparator(self.hide_code)
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.least.triggered.connect(
            lambda: self._ask("least.py", tr("Python files (*.py)"), self.write_least)
        )
        self.report.triggered.connect(
            lambda: self._ask("report.md", tr("Markdown (*.md)"), self.write_report)
        )

    def show_state(self, failed: FailureFound | None) -> None:
        """There must be a graph that is known to be wrong, or `failed`: why the program does not compile; and nothing going on."""
        found, causes = self._session.causes.found, self._session.causes
        self._failed = failed
        compiled = failed is None and found is not None and bool(found.graph)
        self.setVisible(compiled or (failed is not None and failed.failure is not None))
        self.least.setEnabled(failed is None or failed.least is not None)
        self.setEnabled(not causes.any_searching and not self._session.busy)

    def write_least(self, path: Path) -> None:
        """Make the program smaller, then write it. A failure becomes a problem."""

        def then(least: LeastProgram) -> None:
            text = least.hidden if self.hide_code.isChecked() else least.text
            if text:
                self._write(path, text, least_report(least, path.name))
                return
            what = tr("The least program cannot be told with your code hidden: {why_not_hidden}.").format(
                why_not_hidden=least.why_not_hidden
            )
            self._session.report(Problem(what, tr("Write it without “Hide my code”.")))

        if self._failed is None:
            self._session.causes.shrink(then)
        elif self._failed.least is not None:
            then(self._failed.least)

    def write_report(self, path: Path) -> None:
        """Write all that is known; the least program is made for it where there is none yet."""

        def then(least: LeastProgram | None) -> None:
            found, capture = self._session.causes.found, self._session.capture
            if found is not None and capture is not None:
                text = cause_document(found, capture, least, hide_code=self.hide_code.isChecked())
                self._write(
                    path,
                    text,
                    tr("Wrote {name}{beside}.").format(name=path.name, beside=self._in_same_folder(path)),
                )

        if self._failed is None:
            self._session.causes.shrink(then, lambda: then(None))
        else:
            text = failure_document(self._failed, hide_code=self.hide_code.isChecked())
            self._write(path, text, tr("Wrote {name}.").format(name=path.name))

    def _in_same_folder(self, path: Path) -> str:
        """The session beside the report, which holds the stages; with the program's text, so not where that is hidden."""
        if self.hide_code.isChecked():
            return ""
        file = path.with_suffix(".loupe")
        self._session.save_file(file, copy=True)
        return tr(" and {name}").format(name=file.name)

    def _write(self, path: Path, text: str, reported: str) -> None:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = tr("{path} could not be written: {strerror}.").format(path=path, strerror=error.strerror)
            self._session.report(Problem(reason, tr("Choose another place.")))
            return
        self._session.report(Problem(reported, severity=Severity.NOTE, path=str(path)))

    def _ask(self, proposed: str, kinds: str, write: Callable[[Path], None]) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Hand over"), proposed, kinds)
        if name:
            write(Path(name))
