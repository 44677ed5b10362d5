"""A proposal: what it changes, a button to try it on a copy, what came of it, and the ways to keep it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.panes.trial_pane.change_view import ChangeView
from app.panes.trial_pane.result_view import ResultView
from app.session.engine_requests.trials import Trials
from app.translation.remedy_texts import translate_remedy
from app.translation.texts import tr
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, scroll_of, set_column, split_of
from compiler.model.capture.program_changes import ReplaceSource

_NARROW = 700


class ProposalView(QWidget):
    """Nothing is written or captured again but by a press of a button that says so."""

    patch_wanted = Signal(object)
    """A ReplaceSource to save as a patch."""
    copy_wanted = Signal(tuple)
    """Changes whose lines go to the clipboard."""

    def __init__(self, trials: Trials, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trials = trials
        self.words = LinkLabel(self, margin=6)
        self.change = ChangeView(self)
        self.state = WrappedLabel("", self)
        self.result = ResultView(self)
        self.try_button = QPushButton(tr("Try on a copy"), self)
        self.try_button.setToolTip(
            tr("Capture the program with and without the change, compare results, and time both.")
        )
        self.try_button.setDefault(True)
        self.cancel_button = QPushButton(tr("Cancel"), self)
        self.keep_button = QPushButton(tr("Keep"), self)
        self.keep_button.setToolTip(
            tr("Capture the program with the change. Files on disk stay as they are.")
        )
        self.patch_button = QPushButton(tr("Save as patch…"), self)
        self.copy_button = QPushButton(tr("Copy line"), self)
        self.drop_button = QPushButton(tr("Drop"), self)
        left, right = QWidget(self), QWidget(self)
        first, second = QVBoxLayout(left), QVBoxLayout(right)
        for box in (first, second):
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(4)
        first.addWidget(self.words)
        first.addWidget(self.change, 1)
        buttons = row_of(
            self.try_button,
            self.cancel_button,
            self.keep_button,
            self.patch_button,
            self.copy_button,
            self.drop_button,
            Room(),
        )
        second.addLayout(buttons)
        second.addWidget(self.state)
        scrolled = scroll_of(self.result, tr("What could be changed"), self)
        self._scrolled = scrolled
        second.addWidget(scrolled, 1)
        second.addStretch(0)
        self._split = split_of(left, right, parent=self, sizes=(420, 480))
        set_column(self, self._split, margins=(4, 4, 4, 0))
        self.try_button.clicked.connect(trials.start)
        self.cancel_button.clicked.connect(trials.cancel)
        self.keep_button.clicked.connect(trials.keep)
        self.drop_button.clicked.connect(trials.go_back)
        self.patch_button.clicked.connect(lambda: self.patch_wanted.emit(self._source_change()))
        self.copy_button.clicked.connect(lambda: self.copy_wanted.emit(self._changes()))

    def fill(self) -> None:
        """Show the proposal as it stands."""
        trials, proposal = self._trials, self._trials.proposal
        if proposal is None:
            return
        remedy = proposal.remedy
        text = (
            RichText().text(translate_remedy(remedy.title), "bold").line().text(translate_remedy(remedy.why))
        )
        if remedy.caution:
            text.line().text(translate_remedy(remedy.caution), "warning")
        self.words.set_content(text)
        self.change.show_changes(proposal.capture, proposal.changes)
        done = trials.result is not None
        self.try_button.setVisible(not trials.running)
        self.try_button.setText(tr("Try again") if done else tr("Try on a copy"))
        self.cancel_button.setVisible(trials.running)
        self.keep_button.setEnabled(not trials.running)
        source = self._source_change()
        self.patch_button.setVisible(source is not None)
        self.copy_button.setVisible(source is None)
        self._scrolled.setVisible(done)
        self.state.setVisible(not done)
        if trials.running:
            self.state.setText(trials.doing or tr("Starting an engine for trials…"))
        elif trials.problem is not None:
            self.state.setText(trials.problem.message())
        else:
            self.state.setText(
                tr(
                    "Nothing is changed yet. Trying it captures the program twice in a process of its own, with and without "
                    "the change, and puts breaks, results and time side by side."
                )
            )
        if trials.result is not None:
            self.result.show_trial(trials.result)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side in a wide dock, one above the other in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > _NARROW
        self._split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _changes(self) -> tuple[object, ...]:
        return self._trials.proposal.changes if self._trials.proposal is not None else ()

    def _source_change(self) -> ReplaceSource | None:
        return next((item for item in self._changes() if isinstance(item, ReplaceSource)), None)
