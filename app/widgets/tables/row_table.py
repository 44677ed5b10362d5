"""A table or tree of rows with a filter field above it."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QTreeView, QWidget

from app.translation.texts import tr_all
from app.widgets.bar_delegate import BarDelegate, WrappingDelegate
from app.widgets.tables.filtered_view import FilteredView
from app.widgets.tables.row_filter import RowFilter
from app.widgets.tables.row_model import Node, RowModel
from app.widgets.tables.rows import Column, Row, Width

_AIR = 26
"""Pixels that a column is wider than its widest text."""
_GAP = 8
_MEASURED_ROWS = 100
_SELECT_ROWS = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class RowTable(FilteredView):
    """What is selected, current, unfolded and in view goes with the rows, by their keys, whenever they change or are
    filtered. While something is looked for, what holds it is unfolded.
    """

    clicked = Signal(object)
    """The Row that was clicked."""
    activated = Signal(object)
    """The Row that was double-clicked, or chosen with Enter."""
    row_picked = Signal(object, int)
    """The Row that was clicked or activated, and the column of it."""
    current_changed = Signal(object)
    """The Row that mouse or keys went to; None where the current one left."""
    selection_changed = Signal()
    """The person selected other rows, or selected rows left."""
    ticked = Signal(object, bool)
    """A Row, and whether its box is to be ticked."""
    edited = Signal(object, str)
    """A Row, and what was typed over its cell."""

    def __init__(
        self, columns: Sequence[Column], placeholder: str = "", parent: QWidget | None = None
    ) -> None:
        """Without a placeholder it has no filter."""
        self.tree = QTreeView()
        super().__init__(self.tree, tr_all(column.title for column in columns), placeholder, parent)
        self._columns: tuple[Column, ...] = ()
        self._hidden: list[Node] = []
        """Selected, and filtered out."""
        self._current: Node | None = None
        self._menu_of: Callable[[QMenu, Row], None] | None = None
        self._to_be_seen: Node | None = None
        """To be brought into view as soon as somebody looks: before, nobody knows how much is seen."""
        self._left_out: frozenset[int] = frozenset()
        self._dragged: set[int] = set()
        self._silent = self._finding = self._fitting = False
        self._model = RowModel(columns, self)
        self._filter = RowFilter(self._model, self)
        self.tree.setModel(self._filter)
        self._use(columns)
        self.tree.installEventFilter(self)
        self.tree.header().sectionResized.connect(self._note_width)
        self.field.textChanged.connect(self._apply_filter)
        self.tree.clicked.connect(lambda index: self._pick(index, self.clicked))
        self.tree.activated.connect(lambda index: self._pick(index, self.activated))
        self.tree.expanded.connect(lambda index: self._remember_open(index, True))
        self.tree.collapsed.connect(lambda index: self._remember_open(index, False))
        self.tree.selectionModel().selectionChanged.connect(self._selection_changed)
        self.tree.selectionModel().currentChanged.connect(self._move_current)
        # Qt may ask for widths in the middle of what follows, of rows that it laid out before they were sorted, and crashes.
        self._filter.layoutChanged.connect(self.tree.executeDelayedItemsLayout)
        self._filter.rowsInserted.connect(self._unfold)
        self._model.fold_changed.connect(self._fold)
        self._model.ticked.connect(self.ticked)
        self._model.edited.connect(self.edited)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Have these columns instead."""
        if tuple(columns) == self._columns:
            return
        with self._staying():
            self._model.set_columns(columns)
            if len(columns) != len(self._columns):
                self._dragged.clear()
                self._columns = ()
                self._unfold(QModelIndex(), 0, self._filter.rowCount() - 1)
            self._use(columns)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead."""
        bar = self.tree.verticalScrollBar()
        first = self.tree.indexAt(self.tree.viewport().rect().topLeft()) if bar.value() else QModelIndex()
        first_node = self._filter.node_at(first) if first.isValid() else None
        before = self._model.revision
        with self._staying():
            self._model.set_rows(rows)
            if self.field.text():
                self._show_found()
        moved = self._model.revision != before
        if moved and first_node is not None and self._model.holds(first_node):
            self.tree.scrollTo(self._filter.index_of(first_node), QTreeView.ScrollHint.PositionAtTop)
        self._fit_contents()

    def sort_by(self, column: int, descending: bool = False) -> None:
        """Sort now, and by the header from now on; a column of -1 keeps the order in which rows are given."""
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.tree.setSortingEnabled(True)
        self.tree.sortByColumn(column, order)

    def selected(self) -> list[Row]:
        """The selected rows, those that are filtered out too."""
        return [node.row for node in self._selected()]

    def current(self) -> Row | None:
        """The row that mouse or keys are at, whether it is filtered out or not."""
        return self._current.row if self._current is not None else None

    def select(self, keys: Collection[Hashable], scroll: bool = True) -> None:
        """Select the rows with these keys, as a selection elsewhere asks for, and bring the first into view. Tells nobody."""
        found = [node for node in self._model.nodes() if node.row.key in keys]
        self._silent = True
        self._select_nodes(found)
        if self._current not in found:
            self._set_current(found[0] if found else None)
        self._silent = False
        if scroll:
            self._to_be_seen = found[0] if found else None
            self._bring_into_view()

    def make_current(self, key: Hashable) -> bool:
        """Go to a row as the person would, and tell. Gives whether there is one of that key."""
        before = self._current
        if not any(node.row.key == key for node in self._model.nodes()):
            return False
        self.select((key,))
        if self._current is not before:
            self.current_changed.emit(self.current())
        return True

    def begin_edit(self, key: Hashable) -> None:
        """Let the person type over the cell of a row that can be."""
        for node in self._model.nodes():
            at = next((at for at, cell in enumerate(node.row.cells) if cell.edit is not None), None)
            if node.row.key == key and at is not None:
                self.tree.edit(self._filter.index_of(node).siblingAtColumn(at))
                return

    def offer_menu(self, fill: Callable[[QMenu, Row], None]) -> None:
        """Give each row a menu; one that is left empty is not shown."""
        self._menu_of = fill
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._open_menu)

    def leave_out(self, columns: Collection[int]) -> None:
        """Hide these columns, however much room there is."""
        self._left_out = frozenset(columns)
        self._fit_columns()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.tree:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.Resize:
            self._fit_columns()
        elif event.type() is QEvent.Type.Show:
            QTimer.singleShot(0, self, self._bring_into_view)  # once it has its size
        elif isinstance(event, QContextMenuEvent) and event.reason() is QContextMenuEvent.Reason.Keyboard:
            # Qt counts from the widget's corner, above the head, and asks for what is there in the viewport
            self._open_menu(self.tree.visualRect(self.tree.currentIndex()).center())
            return True
        return super().eventFilter(watched, event)

    def _pick(self, index: QModelIndex, how: SignalInstance) -> None:
        """Tell of a row. Whoever is told may give other rows, and then Qt's filter has freed what the index points to."""
        row, column = self._filter.node_at(index).row, index.column()
        how.emit(row)
        self.row_picked.emit(row, column)

    def _open_menu(self, location: QPoint) -> None:
        index = self.tree.indexAt(location)
        if self._menu_of is None or not index.isValid():
            return
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._menu_of(menu, self._filter.node_at(index).row)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(self.tree.viewport().mapToGlobal(location))

    # -- columns -----------------------------------------------------------------------------------------------

    def _use(self, columns: Sequence[Column]) -> None:
        before, self._columns, self._fitting = self._columns, tuple(columns), True
        self.tree.header().setResizeContentsPrecision(_MEASURED_ROWS)
        for at, column in enumerate(columns):
            known = before[at] if at < len(before) else None
            if known is None or (known.width, known.most) != (column.width, column.most):
                self._dragged.discard(at)
                self._set_width(at, column)
            if column.bar and not (known is not None and known.bar):
                self.tree.setItemDelegateForColumn(at, BarDelegate(self.tree))
            if column.wraps and not (known is not None and known.wraps):
                self.tree.setItemDelegateForColumn(at, WrappingDelegate(self.tree))
                self.tree.setUniformRowHeights(False)
                self.tree.setWordWrap(True)
        self._fit_columns()
        self._fit_contents()

    def _set_width(self, at: int, column: Column) -> None:
        header, modes = self.tree.header(), QHeaderView.ResizeMode
        if column.width is Width.STRETCH:
            header.setSectionResizeMode(at, modes.Stretch)
        elif column.width is Width.CONTENTS and not column.most:
            header.setSectionResizeMode(at, modes.ResizeToContents)
        else:
            header.setSectionResizeMode(at, modes.Interactive)
        if isinstance(column.width, int):
            header.resizeSection(at, column.width)
        elif isinstance(column.width, str):
            header.resizeSection(at, self.tree.fontMetrics().horizontalAdvance(column.width) + _AIR)

    def _fit_columns(self) -> None:
        for at, column in enumerate(self._columns):
            self.tree.setColumnHidden(at, self.tree.width() < column.needs or at in self._left_out)

    def _fit_contents(self) -> None:
        """Columns with a limit are as wide as what they hold, until a person drags them."""
        header, self._fitting = self.tree.header(), True
        for at, column in enumerate(self._columns):
            if column.most and at not in self._dragged:
                wanted = max(self.tree.sizeHintForColumn(at), header.sectionSizeHint(at)) + _GAP
                header.resizeSection(at, min(wanted, column.most))
        self._fitting = False

    def _note_width(self, at: int) -> None:
        if not self._fitting:
            self._dragged.add(at)
        if any(column.wraps for column in self._columns):
            self.tree.scheduleDelayedItemsLayout()

    # -- what stays --------------------------------------------------------------------------------------------

    @contextmanager
    def _staying(self) -> Iterator[None]:
        """What is selected and current stays so, whatever Qt makes of rows that go meanwhile."""
        kept, current = self._selected(), self._current
        self._silent = True
        yield
        staying = [node for node in kept if self._model.holds(node)]
        self._select_nodes(staying)
        self._set_current(current if current is not None and self._model.holds(current) else None)
        self._silent = False
        if len(staying) != len(kept):
            self.selection_changed.emit()
        if self._current is not current:
            self.current_changed.emit(None)

    def _bring_into_view(self) -> None:
        node = self._to_be_seen
        if node is not None and self.tree.isVisible():
            self._to_be_seen = None
            if self._model.holds(node) and (index := self._filter.index_of(node)).isValid():
                self.tree.scrollTo(index)

    def _apply_filter(self, text: str) -> None:
        with self._staying():
            self._filter.set_text(text)
            self._show_found()

    def _show_found(self) -> None:
        """Unfold what holds what is looked for, and the rest as it was left."""
        holding = self._filter.holding
        self._finding = True
        self.tree.scheduleDelayedItemsLayout()  # or each row would lay the tree out again
        for node in self._model.nodes():
            if node.inside and (index := self._filter.index_of(node)).isValid():
                self.tree.setExpanded(index, node.open or node in holding)
        self._finding = False

    def _selected(self) -> list[Node]:
        seen = [self._filter.node_at(index) for index in self.tree.selectionModel().selectedRows()]
        return seen + [node for node in self._hidden if node not in seen]

    def _select_nodes(self, nodes: Sequence[Node]) -> None:
        """Select these alone; those that are filtered out are selected again when they come back."""
        if self.tree.selectionBehavior() is not QTreeView.SelectionBehavior.SelectRows:
            return
        chosen = QItemSelection()
        self._hidden = []
        for node in nodes:
            index = self._filter.index_of(node)
            if index.isValid():
                chosen.select(index, index)
            else:
                self._hidden.append(node)
        self.tree.selectionModel().select(chosen, _SELECT_ROWS)

    def _set_current(self, node: Node | None) -> None:
        self._current = node
        index = self._filter.index_of(node) if node is not None else QModelIndex()
        if self.tree.currentIndex().siblingAtColumn(0) != index:
            self.tree.setAutoScroll(False)
            self.tree.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.tree.setAutoScroll(True)

    def _move_current(self, index: QModelIndex) -> None:
        node = self._filter.node_at(index) if index.isValid() else None
        if not self._silent and node is not self._current:
            self._current = node
            self.current_changed.emit(self.current())

    def _selection_changed(self) -> None:
        if not self._silent:
            self._hidden = []
            self.selection_changed.emit()

    def _remember_open(self, index: QModelIndex, is_open: bool) -> None:
        if not self._finding:
            self._filter.node_at(index).open = is_open

    def _fold(self, node: Node) -> None:
        index = self._filter.index_of(node)
        if index.isValid():
            self.tree.setExpanded(index, node.open)

    def _unfold(self, parent: QModelIndex, first: int, last: int) -> None:
        """Rows that come, or come back through the filter, are as the pane or the person left them."""
        todo = [(parent, first, last)]
        while todo:
            parent, first, last = todo.pop()
            for at in range(first, last + 1):
                index = self._filter.index(at, 0, parent)
                node = self._filter.node_at(index)
                if node.row.spanned:
                    self.tree.setFirstColumnSpanned(at, parent, True)
                if node.open:
                    self.tree.setExpanded(index, True)
                if node.inside and (inside := self._filter.rowCount(index)):
                    todo.append((index, 0, inside - 1))
