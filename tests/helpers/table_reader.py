"""What a table of rows shows, asked of its view: rows that are filtered out are not seen."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QTreeView

from app.widgets.tables.row_table import RowTable


class SeenRow:
    """One row as a person finds it."""

    def __init__(self, tree: QTreeView, index: QModelIndex) -> None:
        self.tree, self.index = tree, index

    def text(self, column: int) -> str:
        return str(self._cell(column).data())

    def tooltip(self, column: int) -> str:
        return str(self._cell(column).data(Qt.ItemDataRole.ToolTipRole) or "")

    def texts(self) -> list[str]:
        return [self.text(column) for column in range(self.index.model().columnCount())]

    def children(self) -> list["SeenRow"]:
        model = self.index.model()
        rows = range(model.rowCount(self.index))
        return [SeenRow(self.tree, model.index(row, 0, self.index)) for row in rows]

    def is_open(self) -> bool:
        return self.tree.isExpanded(self.index)

    def center(self) -> QPoint:
        """Of its first cell, in the viewport, once it is in view."""
        self.tree.scrollTo(self.index)
        return self.tree.visualRect(self.index).center()

    def color(self, column: int) -> str:
        brush = self._cell(column).data(Qt.ItemDataRole.ForegroundRole)
        return str(brush.name()) if brush is not None else ""

    def _cell(self, column: int) -> QModelIndex:
        return self.index.siblingAtColumn(column)


def seen_rows(table: RowTable) -> list[SeenRow]:
    """The rows of the first level."""
    model = table.tree.model()
    return [SeenRow(table.tree, model.index(row, 0)) for row in range(model.rowCount())]


def every_row(table: RowTable) -> Iterator[SeenRow]:
    """Every row, depth first."""
    stack = seen_rows(table)[::-1]
    while stack:
        yield (row := stack.pop())
        stack += row.children()[::-1]
