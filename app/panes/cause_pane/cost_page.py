"""What compiling, memory or recompiles go to: the answer, rows by line and by module, and what was tried to save some."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QTreeWidgetItem, QVBoxLayout, QWidget

from app.panes.cause_pane.answer_card import AnswerCard
from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.analysis.text_format.cost_text import (
    amount_words,
    consequence_words,
    cost_mark,
    part_words,
    saved_share,
    saved_words,
    share_words,
)
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.costs import CostFound, CostRow, CostTrial

_NAME, _AMOUNT, _SHARE, _PARTS = range(4)
_PLACE = Qt.ItemDataRole.UserRole
_NAME_WIDTH = 210


class CostPage(QWidget):
    """Filled as the search goes on."""

    line_chosen = Signal(str, int)
    """(path, line) of a row that was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = AnswerCard(self)
        self.rows = FilterTree(("What", "Takes, saves", "Share", "Made of, costs"), "Filter rows", self)
        self.rows.field.hide()
        self.rows.tree.setIndentation(12)
        header = self.rows.tree.header()
        header.setMinimumSectionSize(40)
        header.resizeSection(_NAME, _NAME_WIDTH)
        header.setStretchLastSection(True)
        self.rows.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.rows.tree.setExpandsOnDoubleClick(False)
        self.rows.tree.itemActivated.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.answer)
        column.addWidget(self.rows, 1)

    def fill(self, what: str, found: CostFound | None, trials: list[CostTrial]) -> None:
        """Show the search as far as it is."""
        self.answer.setVisible(found is not None)
        tree = self.rows.tree
        tree.clear()
        tried = _group("Saved by one change, tried on a copy", [_trial(what, trial) for trial in trials])
        groups = [tried]
        if found is not None:
            self.answer.show_cost(found)
            rows = [
                _group("By line", [_row(found, row) for row in found.lines]),
                _group("By module", [_row(found, row) for row in found.modules]),
            ]
            groups = [tried, *rows] if found.helped else [*rows, tried]
        for group in groups:
            if group.childCount():
                tree.addTopLevelItem(group)
                group.setFirstColumnSpanned(True)
                group.setExpanded(True)
        for column in (_AMOUNT, _SHARE):
            tree.resizeColumnToContents(column)
        if found is None:
            tree.scrollToBottom()

    def _choose(self, item: QTreeWidgetItem) -> None:
        where = item.data(_NAME, _PLACE)
        if where:
            self.line_chosen.emit(*where)


def _group(title: str, rows: list[QTreeWidgetItem]) -> QTreeWidgetItem:
    group = QTreeWidgetItem([title])
    group.addChildren(rows)
    return group


def _row(found: CostFound, row: CostRow) -> QTreeWidgetItem:
    made_of = visible_line(part_words(found.what, row))
    item = QTreeWidgetItem(
        [visible_line(row.name), amount_words(found.what, row.amount), share_words(found, row), made_of]
    )
    item.setToolTip(_PARTS, made_of)
    item.setToolTip(_NAME, visible_line(row.path or row.name))
    for column in (_AMOUNT, _SHARE):
        item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    if row.line is not None:
        item.setData(_NAME, _PLACE, (row.path, row.line))
    return item


def _trial(what: str, trial: CostTrial) -> QTreeWidgetItem:
    """What it saves in the columns of what things take."""
    colors = current.colors()
    mark, words = cost_mark(trial), visible_line(trial.what)
    saved = amount_words(what, trial.saved) if trial.helps else ""
    item = QTreeWidgetItem(
        [f"{_MARKS[mark]} {words}", saved, saved_share(trial), visible_line(consequence_words(trial))]
    )
    item.setToolTip(_NAME, words)
    item.setToolTip(_PARTS, f"{_TOLD[mark]} {saved_words(what, trial)}".strip())
    for column in (_AMOUNT, _SHARE):
        item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    shades = {"saves": colors.good, "wrong": colors.error}
    item.setForeground(_NAME, QBrush(QColor(shades.get(mark, colors.dim_text))))
    return item


_MARKS = {"saves": "✓", "wrong": "✗", "same": "·", "not run": "–"}
_TOLD = {
    "saves": "It saves",
    "wrong": "Results are wrong with it; it saves",
    "same": "It saves",
    "not run": "",
}
