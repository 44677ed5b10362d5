"""Choices measured on the program: the list, what came of the one that is selected, and the ways on from there."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QPushButton,
    QTabWidget,
    QWidget,
)

from app.panes.options_pane.outcome_table import OutcomeTable
from app.panes.options_pane.sizes_page import SizesPage
from app.session.engine_requests.compile_choices import CompileChoices
from app.translation.texts import tr
from app.widgets.buttons.allowed import allow
from app.widgets.diff_view import DiffView
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import scroll_of, set_column
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.analysis.experiments.choice_summary import format_verdict, format_warm_up
from compiler.model.experiments.compile_choices import ChoiceOutcome, ChoicesMeasured, CompileChoice
from compiler.model.ir.diagnostics import Problem

_CODE = 2
"""Index of the tab of the generated code."""


class ChoicesPage(QWidget):
    """Follows `session.choices`."""

    place_wanted = Signal(object)
    """A Problem whose line is to be shown."""

    def __init__(self, choices: CompileChoices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = choices
        self._notes: tuple[Problem, ...] = ()
        self.table = OutcomeTable(self)
        self.words = LinkLabel(self, margin=6)
        self.diff = DiffView(self)
        self.state = WrappedLabel("", self)
        self.common = self._button(
            tr("Common choices"), tr("Put on the list what most people would try first")
        )
        self.measure = self._button(
            tr("Measure"),
            tr("Capture the program with each of the list, compare code and results, time all interleaved"),
        )
        self.cancel = self._button(tr("Cancel"), tr("Stop measuring; nothing of the program changes"))
        self.take = self._button(
            tr("Take over"), tr("Capture the program with the selected choice from now on")
        )
        self.join = self._button(tr("Together"), tr("Put the selected choices on the list as one"))
        self.drop = self._button(tr("Remove"), tr("Take the selected choices off the list"))
        buttons = FlowLayout()
        for button in (self.common, self.measure, self.cancel, self.take, self.join, self.drop):
            buttons.addWidget(button)
        scrolled = scroll_of(self.words, tr("What came of it"), self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.table, tr("Figures"))
        self.tabs.addTab(scrolled, tr("In words"))
        self.tabs.addTab(self.diff, tr("Code"))
        self.sizes = SizesPage(choices, self)
        self.tabs.addTab(self.sizes, tr("Changing sizes"))
        set_column(self, buttons, self.state, (self.tabs, 1), margins=(4, 2, 0, 2), spacing=3)
        self.common.clicked.connect(choices.choose_common)
        self.measure.clicked.connect(choices.measure)
        self.cancel.clicked.connect(choices.cancel)
        self.take.clicked.connect(lambda: choices.take_over(self._picked()[0]))
        self.join.clicked.connect(lambda: choices.join(self._picked()))
        self.drop.clicked.connect(lambda: choices.drop(*self._picked()))
        self.table.selection_changed.connect(self._show_picked)
        self.table.activated.connect(lambda _: self.tabs.setCurrentIndex(1))
        self.words.link_clicked.connect(lambda number: self.place_wanted.emit(self._notes[number]))
        choices.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the list as it is."""
        choices = self._choices
        running = choices.running == "choices"
        self.table.show_choices(choices.chosen, choices.measured)
        self.measure.setVisible(not running)
        count = len(choices.chosen)
        self.measure.setText(tr("Measure {count}").format(count=count) if count else tr("Measure"))
        allow(self.measure, choices.why_not, bool(count) and not choices.running)
        allow(self.common, choices.why_not)
        self.sizes.fill()
        self.cancel.setVisible(running)
        text = ""
        if running:
            text = choices.doing or tr("Starting an engine for trials…")
        elif choices.problem is not None:
            text = choices.problem.message()
        elif not count:
            text = tr("Add rows from the left, or start with the common choices.")
        self.state.setText(text)
        self.state.setVisible(bool(text))
        self._show_picked()

    def _picked(self) -> tuple[CompileChoice, ...]:
        return tuple(choice for choice in self.table.selected_choices() if choice.changes)

    def _show_picked(self) -> None:
        picked = self._picked()
        self.take.setEnabled(len(picked) == 1 and not self._choices.running)
        self.join.setEnabled(len(picked) > 1)
        self.drop.setEnabled(bool(picked))
        measured = self._choices.measured
        selected = self.table.selected_choices()
        text, self._notes = RichText(), ()
        diff = ""
        if measured is None:
            text.text(tr("Nothing is measured yet. The program that is open stays as it is."), "dim")
        elif not selected:
            _overview(text, measured)
        else:
            rows = {row.choice: row for row in (measured.base, *measured.outcomes)}
            found = rows.get(selected[0])
            if found is None:
                text.text(tr("Not measured yet."), "dim")
            else:
                self._describe(text, measured, found)
                diff = found.code.text
        self.words.set_content(text)
        self.diff.show_diff(diff, "cpp")
        self.tabs.setTabEnabled(_CODE, bool(diff))

    def _describe(self, text: RichText, measured: ChoicesMeasured, outcome: ChoiceOutcome) -> None:
        if outcome is not measured.base:
            style = "error" if outcome.problem is not None or outcome.same_results is False else ""
            text.paragraph(RichText().text(format_verdict(measured.base, outcome), style))
        words = format_warm_up(measured, outcome)
        if words:
            text.paragraph(RichText().text(words))
        self._notes = outcome.notes
        for number, note in enumerate(self._notes):
            row = RichText().text(note.what, "warning")
            if note.path:
                row.text(" ").link(f"{note.path.rpartition('/')[2]}:{note.line}", number)
            text.paragraph(row)
        for words in measured.notes:
            text.paragraph(RichText().text(words, "dim"))

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        return button


def _overview(text: RichText, measured: ChoicesMeasured) -> None:
    """All choices in a line each."""
    for outcome in measured.outcomes:
        style = "error" if outcome.problem is not None or outcome.same_results is False else ""
        text.paragraph(
            RichText()
            .text(outcome.choice.title, "bold")
            .text("  ")
            .text(format_verdict(measured.base, outcome), style)
        )
    for words in measured.notes:
        text.paragraph(RichText().text(words, "dim"))
