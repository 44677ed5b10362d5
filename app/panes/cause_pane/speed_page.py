"""What makes the step slow: the answer, where the time goes, and everything that was tried."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.cause_pane.answer_card import AnswerCard
from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.analysis.text_format.slowness_text import trial_figure, trial_mark, trial_words
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.slowness import SlownessFound, SpeedTrial

_WHAT, _FIGURE, _MARK = range(3)


class SpeedPage(QWidget):
    """Filled as the search goes on; what helped comes first at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = AnswerCard(self)
        self.trials = FilterTree(
            ("What was tried on a copy", "Step's time", "Step is"), "Filter trials", self
        )
        self.trials.field.hide()
        self.trials.tree.setRootIsDecorated(False)
        self.trials.stretch_column(_WHAT)
        self.trials.tree.headerItem().setToolTip(
            _FIGURE,
            "The step's time with it over the time without, and the interval that holds the median with 95 %; both timed in turns",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.answer)
        column.addWidget(self.trials, 1)

    def fill(self, found: SlownessFound | None, trials: list[SpeedTrial]) -> None:
        """Show the search as far as it is."""
        self.answer.setVisible(found is not None)
        if found is not None:
            self.answer.show_slowness(found)
        colors = current.colors()
        shades = {"faster": colors.good, "wrong": colors.error, "slower": colors.text}
        tree = self.trials.tree
        tree.clear()
        for trial in trials:
            mark = trial_mark(trial)
            row = QTreeWidgetItem(
                [visible_line(trial_words(trial)), trial_figure(trial), _WORDS.get(mark, mark)]
            )
            row.setToolTip(_WHAT, visible_line(trial_words(trial)))
            row.setTextAlignment(_FIGURE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row.setForeground(_MARK, QBrush(QColor(shades.get(mark, colors.dim_text))))
            tree.addTopLevelItem(row)
        if found is None:
            tree.scrollToBottom()


_WORDS = {"faster": "✓ faster", "wrong": "✗ faster, wrong", "same": "the same", "not run": "– not run"}
