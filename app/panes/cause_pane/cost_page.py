"""What compiling, memory or recompiles go to: the answer, rows by line and by module, and what was tried to save some."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.panes.cause_pane.answer_card import AnswerCard
from app.translation.texts import tr, tr_noop
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.text_format.cost_text import (
    cost_mark,
    format_amount,
    format_consequence,
    format_part,
    format_saved,
    format_share,
    saved_share,
)
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.costs import CostFound, CostRow, CostTrial

_COLUMNS = (
    Column(tr_noop("What"), width=210),
    Column(tr_noop("Takes, saves"), width=100, right=True),
    Column(tr_noop("Share"), width=100, right=True),
    Column(tr_noop("Made of, costs"), width=100),
)
_AMOUNT, _SHARE = 1, 2
_MARKS = {"saves": "✓", "wrong": "✗", "same": "·", "not run": "–"}
_MARK_TEXTS = {
    "saves": tr_noop("It saves"),
    "wrong": tr_noop("Results are wrong with it; it saves"),
    "same": tr_noop("It saves"),
    "not run": "",
}
_SHADES = {"saves": "good", "wrong": "error"}


class CostPage(QWidget):
    """Filled as the search goes on."""

    line_chosen = Signal(str, int)
    """(path, line) of a row that was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = AnswerCard(self)
        self.rows = RowTable(_COLUMNS, tr("Filter rows"), self)
        self.rows.field.hide()
        self.rows.tree.setIndentation(12)
        header = self.rows.tree.header()
        header.setMinimumSectionSize(40)
        header.setStretchLastSection(True)
        self.rows.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.rows.tree.setExpandsOnDoubleClick(False)
        self.rows.activated.connect(self._choose)
        set_column(self, self.answer, (self.rows, 1), margins=0)

    def fill(self, what: str, found: CostFound | None, trials: list[CostTrial]) -> None:
        """Show the search as far as it is."""
        self.answer.setVisible(found is not None)
        tried = _group(tr("Saved by one change, tried on a copy"), [_trial(what, trial) for trial in trials])
        groups = [tried]
        if found is not None:
            self.answer.show_cost(found)
            rows = [
                _group(tr("By line"), [_row(found, row) for row in found.lines]),
                _group(tr("By module"), [_row(found, row) for row in found.modules]),
            ]
            groups = [tried, *rows] if found.helped else [*rows, tried]
        self.rows.set_rows([group for group in groups if group.children])
        for column in (_AMOUNT, _SHARE):
            self.rows.tree.resizeColumnToContents(column)
        if found is None:
            self.rows.tree.scrollToBottom()

    def _choose(self, row: Row) -> None:
        if isinstance(row.value, tuple):
            self.line_chosen.emit(*row.value)


def _group(title: str, rows: list[Row]) -> Row:
    return Row(title, (Cell(title),), tuple(rows), open=True, spanned=True)


def _row(found: CostFound, row: CostRow) -> Row:
    made_of = visible_line(format_part(found.what, row))
    cells = (
        Cell(visible_line(row.name), tooltip=visible_line(row.path or row.name)),
        Cell(format_amount(found.what, row.amount)),
        Cell(format_share(found, row)),
        Cell(made_of, tooltip=made_of),
    )
    return Row(row.name, cells, value=(row.path, row.line) if row.line is not None else None)


def _trial(what: str, trial: CostTrial) -> Row:
    """What it saves in the columns of what things take."""
    mark, words = cost_mark(trial), visible_line(trial.what)
    cells = (
        Cell(f"{_MARKS[mark]} {words}", tooltip=words, color=_SHADES.get(mark, "dim_text")),
        Cell(format_amount(what, trial.saved) if trial.helps else ""),
        Cell(saved_share(trial)),
        Cell(
            visible_line(format_consequence(trial)),
            tooltip=f"{tr(_MARK_TEXTS[mark])} {format_saved(what, trial)}".strip(),
        ),
    )
    return Row(trial.what, cells)
