"""What makes the step slow: the answer, where the time goes, and everything that was tried."""

from PySide6.QtWidgets import QWidget

from app.panes.cause_pane.answer_card import AnswerCard
from app.translation.texts import tr, tr_noop
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.slowness_text import format_trial, trial_figure, trial_mark
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.slowness import SlownessFound, SpeedTrial

_COLUMNS = (
    Column(tr_noop("What was tried on a copy"), width=Width.STRETCH),
    Column(
        tr_noop("Step's time"),
        tr_noop(
            "The step's time with it over the time without, and the interval that holds the median with 95 %; both timed in turns"
        ),
        right=True,
    ),
    Column(tr_noop("Step is")),
)
_SHADES = {"faster": "good", "wrong": "error", "slower": "text"}
_WORDS = {
    "faster": tr_noop("✓ faster"),
    "wrong": tr_noop("✗ faster, wrong"),
    "same": tr_noop("the same"),
    "not run": tr_noop("– not run"),
}


class SpeedPage(QWidget):
    """Filled as the search goes on; what helped comes first at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = AnswerCard(self)
        self.trials = RowTable(_COLUMNS, tr("Filter trials"), self)
        self.trials.field.hide()
        self.trials.tree.setRootIsDecorated(False)
        set_column(self, self.answer, (self.trials, 1), margins=0)

    def fill(self, found: SlownessFound | None, trials: list[SpeedTrial]) -> None:
        """Show the search as far as it is."""
        self.answer.setVisible(found is not None)
        if found is not None:
            self.answer.show_slowness(found)
        self.trials.set_rows([_row(trial) for trial in trials])
        if found is None:
            self.trials.tree.scrollToBottom()


def _row(trial: SpeedTrial) -> Row:
    words, mark = visible_line(format_trial(trial)), trial_mark(trial)
    marked = Cell(tr(_WORDS[mark]) if mark in _WORDS else mark, color=_SHADES.get(mark, "dim_text"))
    return Row(words, (Cell(words, tooltip=words), Cell(trial_figure(trial)), marked))
