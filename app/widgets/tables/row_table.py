"""A table or tree of rows with a filter field above it."""

from collections.abc import Collection, Hashable, Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QTreeView,
    QWidget,
)

from app.translation.texts import tr_all
from app.widgets.bar_delegate import BarDelegate
from app.widgets.tables.filtered_view import FilteredView
from app.widgets.tables.row_filter import RowFilter
from app.widgets.tables.row_model import Node, RowModel
from app.widgets.tables.rows import Column, Row, Width

_AIR = 26
"""Pixels that a column is wider than its widest text."""
_MEASURED_ROWS = 100
_SELECT_ROWS = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


class RowTable(FilteredView):
    """What is selected, unfolded and in view goes with the rows, by their keys, whenever they change or are filtered."""

    clicked = Signal(object)
    """The Row that was clicked."""
    activated = Signal(object)
    """The Row that was double-clicked, or chosen with Enter."""
    selection_changed = Signal()
    """The person selected other rows, or selected rows left."""

    def __init__(self, columns: Sequence[Column], placeholder: str, parent: QWidget | None = None) -> None:
        self.tree = QTreeView()
        super().__init__(self.tree, tr_all(column.title for column in columns), placeholder, parent)
        self._columns = tuple(columns)
        self._hidden: list[Node] = []
        """Selected, and filtered out."""
        self._left_out: frozenset[int] = frozenset()
        self._silent = False
        self._model = RowModel(columns, self)
        self._filter = RowFilter(self._model, self)
        self.tree.setModel(self._filter)
        self._set_widths()
        self.tree.installEventFilter(self)
        self.field.textChanged.connect(self._apply_filter)
        self.tree.clicked.connect(lambda index: self.clicked.emit(self._filter.node_at(index).row))
        self.tree.activated.connect(lambda index: self.activated.emit(self._filter.node_at(index).row))
        self.tree.expanded.connect(lambda index: self._remember_open(index, True))
        self.tree.collapsed.connect(lambda index: self._remember_open(index, False))
        self.tree.selectionModel().selectionChanged.connect(self._selection_changed)
        self._filter.rowsInserted.connect(self._unfold)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead."""
        bar = self.tree.verticalScrollBar()
        first = self.tree.indexAt(self.tree.viewport().rect().topLeft()) if bar.value() else QModelIndex()
        kept, first_node = self._selected(), self._filter.node_at(first) if first.isValid() else None
        before = self._model.revision
        self._silent = True
        self._model.set_rows(rows)
        staying = [node for node in kept if self._model.holds(node)]
        self._select_nodes(staying)
        self._silent = False
        moved = self._model.revision != before
        if moved and first_node is not None and self._model.holds(first_node):
            self.tree.scrollTo(self._filter.index_of(first_node), QTreeView.ScrollHint.PositionAtTop)
        if len(staying) != len(kept):
            self.selection_changed.emit()

    def sort_by(self, column: int, descending: bool = False) -> None:
        """Sort now, and by the header from now on; a column of -1 keeps the order in which rows are given."""
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.tree.setSortingEnabled(True)
        self.tree.sortByColumn(column, order)

    def selected(self) -> list[Row]:
        """The selected rows, those that are filtered out too."""
        return [node.row for node in self._selected()]

    def select(self, keys: Collection[Hashable], scroll: bool = True) -> None:
        """Select the rows with these keys, as a selection elsewhere asks for, and bring the first into view."""
        found = [node for node in self._model.nodes() if node.row.key in keys]
        self._silent = True
        self.tree.clearSelection()
        self._select_nodes(found)
        self._silent = False
        seen = [index for node in found if (index := self._filter.index_of(node)).isValid()]
        if scroll and seen:
            self.tree.scrollTo(seen[0])

    def leave_out(self, columns: Collection[int]) -> None:
        """Hide these columns, however much room there is."""
        self._left_out = frozenset(columns)
        self._fit_columns()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.tree and event.type() is QEvent.Type.Resize:
            self._fit_columns()
        return super().eventFilter(watched, event)

    def _set_widths(self) -> None:
        header, modes = self.tree.header(), QHeaderView.ResizeMode
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        for at, column in enumerate(self._columns):
            if column.bar:
                self.tree.setItemDelegateForColumn(at, BarDelegate(self.tree))
            if column.width is Width.STRETCH:
                header.setSectionResizeMode(at, modes.Stretch)
            elif column.width is Width.CONTENTS:
                header.setSectionResizeMode(at, modes.ResizeToContents)
            elif isinstance(column.width, int):
                header.resizeSection(at, column.width)
            else:
                header.resizeSection(at, self.tree.fontMetrics().horizontalAdvance(str(column.width)) + _AIR)

    def _fit_columns(self) -> None:
        for at, column in enumerate(self._columns):
            self.tree.setColumnHidden(at, self.tree.width() < column.needs or at in self._left_out)

    def _apply_filter(self, text: str) -> None:
        kept = self._selected()
        self._silent = True
        self._filter.set_text(text)
        self._select_nodes(kept)
        self._silent = False

    def _selected(self) -> list[Node]:
        seen = [self._filter.node_at(index) for index in self.tree.selectionModel().selectedRows()]
        return seen + [node for node in self._hidden if node not in seen]

    def _select_nodes(self, nodes: Sequence[Node]) -> None:
        """Add rows to what is selected; those that are filtered out are selected again when they come back."""
        chosen = QItemSelection()
        self._hidden = []
        for node in nodes:
            index = self._filter.index_of(node)
            if index.isValid():
                chosen.select(index, index)
            else:
                self._hidden.append(node)
        self.tree.selectionModel().select(chosen, _SELECT_ROWS)

    def _selection_changed(self) -> None:
        if not self._silent:
            self._hidden = []
            self.selection_changed.emit()

    def _remember_open(self, index: QModelIndex, is_open: bool) -> None:
        self._filter.node_at(index).open = is_open

    def _unfold(self, parent: QModelIndex, first: int, last: int) -> None:
        """Rows that come, or come back through the filter, are as the pane or the person left them."""
        for at in range(first, last + 1):
            index = self._filter.index(at, 0, parent)
            node = self._filter.node_at(index)
            if node.row.spanned:
                self.tree.setFirstColumnSpanned(at, parent, True)
            if node.open:
                self.tree.setExpanded(index, True)
            if node.inside and (inside := self._filter.rowCount(index)):
                self._unfold(index, 0, inside - 1)
