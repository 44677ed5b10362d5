"""Trying a change: the proposal that was chosen, or the active changes."""

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QStackedLayout, QWidget

from app.panes.trial_pane.kept_view import KeptView
from app.panes.trial_pane.proposal_view import ProposalView
from app.session.edit_history.write_source import save_patch, write_to_file
from app.session.facade.session import Session
from app.translation.remedy_texts import translate_remedy
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from compiler.model.capture.program_changes import Change, ReplaceSource
from compiler.model.graph_breaks.remedy import keep_text
from compiler.model.ir.diagnostics import Problem


class TrialPane(QWidget):
    """Follows `session.trials`; other panes choose proposals there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trial_pane")
        self._session = session
        self.proposal = ProposalView(session.trials, self)
        self.kept = KeptView(self)
        self.empty = EmptyState(
            tr("Nothing to try yet"),
            tr(
                "Choose a remedy of a graph break, or a dimension to make dynamic: it is tried on a copy here."
            ),
            self,
        )
        self._stack = QStackedLayout(self)
        for page in (self.empty, self.kept, self.proposal):
            self._stack.addWidget(page)
        self.proposal.patch_wanted.connect(self._save_patch)
        self.proposal.copy_wanted.connect(self._copy)
        self.kept.write_wanted.connect(self._write)
        self.kept.patch_wanted.connect(self._save_patch)
        self.kept.copy_wanted.connect(self._copy)
        self.kept.drop_wanted.connect(session.trials.take_out)
        session.trials.changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show what there is."""
        capture = self._session.capture
        changes = capture.spec.changes if capture is not None else ()
        if self._session.trials.proposal is not None:
            self.proposal.fill()
            self._stack.setCurrentWidget(self.proposal)
        elif changes:
            self.kept.show_changes(changes)
            self._stack.setCurrentWidget(self.kept)
        else:
            self._stack.setCurrentWidget(self.empty)

    def sizeHint(self) -> QSize:
        return QSize(640, 320)

    def _copy(self, changes: tuple[Change, ...]) -> None:
        QGuiApplication.clipboard().setText("\n".join(keep_text(change) for change in changes))

    def _save_patch(self, change: ReplaceSource) -> None:
        capture = self._session.capture
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Save as patch"), f"{Path(change.path).stem}.patch", tr("Patches (*.patch)")
        )
        if name and capture is not None:
            self._report_problem(save_patch(capture, change, Path(name)))

    def _write(self, change: ReplaceSource) -> None:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self,
            tr("Write to the file?"),
            tr("{path} will hold: {title}.").format(path=change.path, title=translate_remedy(change.title)),
            buttons.Save | buttons.Cancel,
        )
        if answer == buttons.Save:
            self.write(change)

    def write(self, change: ReplaceSource) -> None:
        """Write a kept edit to the user's file; the capture then needs it no more."""
        problem = write_to_file(change)
        self._report_problem(problem)
        if problem is None:
            self._session.trials.take_out(change)

    def _report_problem(self, problem: Problem | None) -> None:
        if problem is not None:
            self._session.report(problem)
