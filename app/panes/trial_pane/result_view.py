"""What came of a trial: a table before and after, and what it means in sentences."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.experiments.trial_summary import TrialRow, TrialSummary, summarise_trial
from compiler.model.experiments.trials import Trial

_COLUMNS = (
    Column(""),
    Column(tr_noop("As it is"), right=True),
    Column(tr_noop("With the change"), right=True),
)


class ResultView(QWidget):
    """Green is better, red is worse; what cannot be distinguished stays plain."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary: TrialSummary | None = None
        self.words = LinkLabel(self, margin=6)
        self.table = RowTable(_COLUMNS, parent=self)
        self.table.tree.setAccessibleName(tr("Before and after"))
        self.table.tree.setRootIsDecorated(False)
        self.table.tree.setSelectionMode(self.table.tree.SelectionMode.NoSelection)
        self.table.tree.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_column(self, self.words, (self.table, 1), margins=0, spacing=2)
        current.signals().changed.connect(self._fill)

    def show_trial(self, trial: Trial) -> None:
        """Show a trial's outcome."""
        self._summary = summarise_trial(trial)
        self._fill()

    def _fill(self) -> None:
        if self._summary is None:
            return
        text = RichText()
        for index, sentence in enumerate(self._summary.sentences):
            style = "error" if self._summary.failed and not index else ""
            text.paragraph(RichText().text(sentence, style))
        self.words.set_content(text)
        self.table.set_rows([_row(row) for row in self._summary.rows])


def _row(row: TrialRow) -> Row:
    color = "" if row.better is None else "good" if row.better else "error"
    return Row(row.name, (Cell(row.name), Cell(row.before), Cell(row.after, color=color)))
