"""What came of a trial: a table before and after, and what it means in sentences."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from app.widgets.link_label import LinkLabel, RichText
from compiler.analysis.experiments.trial_summary import TrialSummary, summarise_trial
from compiler.model.experiments.trials import Trial


class ResultView(QWidget):
    """Green is better, red is worse; what cannot be told apart stays plain."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary: TrialSummary | None = None
        self.words = LinkLabel(self, margin=6)
        self.table = QTreeWidget(self)
        self.table.setAccessibleName(tr("Before and after"))
        self.table.setHeaderLabels(["", tr("As it is"), tr("With the change")])
        self.table.setRootIsDecorated(False)
        self.table.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setItemDelegate(RoomyDelegate(self.table))
        self.table.header().setStretchLastSection(False)
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (1, 2):
            self.table.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.setSpacing(2)
        column_box.addWidget(self.words)
        column_box.addWidget(self.table, 1)
        current.signals().changed.connect(self._fill)

    def show_trial(self, trial: Trial) -> None:
        """Show a trial's outcome."""
        self._summary = summarise_trial(trial)
        self._fill()

    def _fill(self) -> None:
        if self._summary is None:
            return
        colors = current.colors()
        text = RichText()
        for index, sentence in enumerate(self._summary.sentences):
            style = "error" if self._summary.failed and not index else ""
            text.paragraph(RichText().text(sentence, style))
        self.words.set_content(text)
        self.table.clear()
        for row in self._summary.rows:
            item = QTreeWidgetItem(self.table, [row.name, row.before, row.after])
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if row.better is not None:
                item.setForeground(2, QBrush(QColor(colors.good if row.better else colors.error)))
