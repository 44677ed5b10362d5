"""The rows of two programs beside each other, equal stretches folded to one row; as a Qt model, so that only what is in
view is drawn.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.panes.compare_pane.places import Places
from app.session.comparison.compare_job import Compared
from app.translation.texts import tr
from compiler.analysis.diff.graph_matching import KEPT
from compiler.analysis.diff.text_alignment import Span, TextRow, changed_spans
from compiler.model.ir.ids import NodeId

ROW = int(Qt.ItemDataRole.UserRole)
_AROUND = 3
_FEWEST = 4
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Line:
    """One row on show: a row of the comparison, or a stretch of equal ones."""

    number: int
    """Of the first row of the comparison that it shows."""
    hidden: int = 0
    """How many equal rows it stands for; 0 for one row."""
    side: str = "both"
    """``both``; where there is no room for two columns ``before`` or ``after``, each on a row of its own."""


class TextRows(QAbstractListModel):
    """Rows with their texts, nodes and the words in them that differ."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: Compared | None = None
        self._lines: list[Line] = []
        self._texts: tuple[list[str], list[str]] = ([], [])
        self._names: Mapping[NodeId, NodeId] = {}
        self._merged: Mapping[NodeId, NodeId] = {}
        self._spans: dict[int, tuple[tuple[Span, ...], tuple[Span, ...]]] = {}
        self._opened: set[int] = set()
        self._fold = True
        self.stacked = False
        """Whether the line before stands above the line after."""

    # -- what is shown -----------------------------------------------------------------------------------------

    def show(self, compared: Compared | None, places: Places, fold: bool) -> None:
        """Show another comparison."""
        self.beginResetModel()
        if compared is not self._compared:
            self._opened.clear()
        self._compared, self._fold = compared, fold
        self._spans.clear()
        if compared is None:
            self._texts, self._names = ([], []), {}
        else:
            before, after = compared.texts
            self._texts = before.text.split("\n"), after.text.split("\n")
            self._names = compared.names
            self._merged = places.from_before
        self._lines = self._folded()
        self.endResetModel()

    def stack(self, on: bool) -> None:
        """One column or two."""
        if on != self.stacked:
            self.beginResetModel()
            self.stacked = on
            self._lines = self._folded()
            self.endResetModel()

    def open(self, line: Line) -> None:
        """Show what is folded in a line."""
        self.beginResetModel()
        self._opened.add(line.number)
        self._lines = self._folded()
        self.endResetModel()

    def line(self, row: int) -> Line:
        """What a row on show stands for."""
        return self._lines[row]

    def row_of(self, number: int) -> int:
        """Where a row of the comparison is on show, or the stretch that holds it."""
        low, high = 0, len(self._lines) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._lines[middle].number <= number else (low, middle - 1)
        return low

    def text_row(self, line: Line) -> TextRow:
        """The row of the comparison."""
        assert self._compared is not None
        return self._compared.rows[line.number]

    def texts(self, row: TextRow) -> tuple[str, str]:
        """What stands on either side."""
        before, after = self._texts
        return before[row.before - 1] if row.before else "", after[row.after - 1] if row.after else ""

    def spans(self, line: Line) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The letters that differ on either side."""
        if line.number not in self._spans:
            row = self.text_row(line)
            both = row.state != KEPT and row.before and row.after
            self._spans[line.number] = changed_spans(*self.texts(row), self._names) if both else ((), ())
        return self._spans[line.number]

    def nodes(self, line: Line) -> tuple[NodeId, ...]:
        """Nodes of a row by the names they have in the merged drawing: those after, and what is gone."""
        if self._compared is None or line.hidden:
            return ()
        row, (before, after) = self.text_row(line), self._compared.texts
        if row.after:
            return after.line_nodes[row.after - 1][:1]
        return tuple(self._names.get(node, f"gone:{node}") for node in before.line_nodes[row.before - 1][:1])

    # -- Qt's questions ----------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many rows are on show."""
        return len(self._lines)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """A row for the delegate; its text for screen readers; the whole lines as a tooltip."""
        line = self._lines[index.row()]
        if role == ROW:
            return line
        if role not in (int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.ToolTipRole)):
            return None
        if line.hidden:
            return tr("… {hidden:,} equal lines").format(hidden=line.hidden)
        before, after = self.texts(self.text_row(line))
        if before.strip() == after.strip():
            return after.strip()
        return "\n".join(part.strip() for part in (before, after) if part)

    def _each(self, number: int) -> tuple[Line, ...]:
        row = self._compared.rows[number] if self._compared is not None else None
        if not self.stacked or row is None:
            return (Line(number),)
        if row.state == KEPT or not row.before:
            return (Line(number, side="after"),)
        before = Line(number, side="before")
        return (before, Line(number, side="after")) if row.after else (before,)

    def _folded(self) -> list[Line]:
        rows = self._compared.rows if self._compared is not None else ()
        if not self._fold or all(row.state == KEPT for row in rows):
            return [line for number in range(len(rows)) for line in self._each(number)]
        near = _near(number for number, row in enumerate(rows) if row.state != KEPT)
        lines: list[Line] = []
        number = 0
        while number < len(rows):
            end = number
            while end < len(rows) and end not in near:
                end += 1
            if end - number >= _FEWEST and number not in self._opened:
                lines.append(Line(number, end - number))
            else:
                lines += [line for each in range(number, end) for line in self._each(each)]
            if end < len(rows):
                lines += self._each(end)
            number = end + 1
        return lines


def _near(numbers: Iterable[int]) -> set[int]:
    return {other for number in numbers for other in range(number - _AROUND, number + _AROUND + 1)}
