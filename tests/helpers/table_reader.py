"""What a table of rows shows, asked of its view: rows that are filtered out are not seen."""

from collections.abc import Hashable, Iterator

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu, QTreeView

from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Row


class SeenRow:
    """One row as a person finds it."""

    def __init__(self, tree: QTreeView, index: QModelIndex) -> None:
        self.tree, self.index = tree, index

    def given(self) -> Row:
        """What its pane gave."""
        return self.index.model().node_at(self.index).row

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

    def seen_at(self) -> QRect:
        """Where its first cell is, in the viewport or not."""
        return self.tree.visualRect(self.index)

    def center(self) -> QPoint:
        """Of its first cell, in the viewport, once it is in view."""
        self.tree.scrollTo(self.index)
        return self.tree.visualRect(self.index).center()

    def is_bold(self, column: int = 0) -> bool:
        font = self._cell(column).data(Qt.ItemDataRole.FontRole)
        return font is not None and bool(font.bold())

    def select(self) -> None:
        """Add it to what is selected."""
        flags = QItemSelectionModel.SelectionFlag
        self.tree.selectionModel().select(self.index, flags.Select | flags.Rows)

    def tick(self, on: bool) -> None:
        """Tick the box of its first cell, or take that back."""
        state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        self.index.model().setData(self.index, state, Qt.ItemDataRole.CheckStateRole)

    def background(self, column: int) -> QColor:
        return self._cell(column).data(Qt.ItemDataRole.BackgroundRole)

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


def row_of(table: RowTable, key: Hashable) -> SeenRow:
    """The row that was given with a key. Raises StopIteration where it is not seen."""
    return next(row for row in every_row(table) if row.given().key == key)


def current_row(table: RowTable) -> SeenRow:
    """Where mouse and keys are."""
    return SeenRow(table.tree, table.tree.currentIndex().siblingAtColumn(0))


def menu_texts(table: RowTable, row: SeenRow) -> list[str]:
    """What the menu of a row offers; the menu is closed again."""
    table.tree.customContextMenuRequested.emit(row.center())
    menus = [menu for menu in table.tree.findChildren(QMenu) if menu.isVisible()]
    texts = [action.text() for menu in menus for action in menu.actions()]
    for menu in menus:
        menu.close()
    return texts
