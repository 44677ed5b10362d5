"""The item model of a table: it holds rows, sorts them by value, and changes only what differs when it is given others.

It sorts by itself, with one comparison key a row: a proxy would ask for two cells at every comparison. Each level of the tree changes in
at most four steps, however the rows were mixed, so Qt's bookkeeping stays in proportion to the rows: sorted so that what goes is last, removed, appended, sorted.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon

from app.theme import current, fonts
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE
from app.widgets.gutter_marks import mark_icon
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.text_format.visible_text import visible, visible_line

_Key = tuple[Hashable, int]
_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_EMPTY = Cell()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CODE = 0.92
"""Its letters are as large as the others beside them."""
_ALARM = 0.82
"""How much of the colour of errors is behind a cell that nobody may overlook."""


class Node:
    """A row where it stands. Qt holds its number and not the object: a number outlives a row without harm."""

    __slots__ = ("above", "at", "given", "inside", "key", "number", "open", "row", "words")

    def __init__(self, key: _Key, row: Row, above: "Node | None", at: int, number: int) -> None:
        self.key, self.row, self.above, self.at, self.number = key, row, above, at, number
        self.inside: list[Node] = []
        self.given: list[Node] = []
        """The same in the order in which they were given."""
        self.open = row.open
        self.words: str | None = None
        """What the filter looks in, once somebody has filtered."""

    def text(self) -> str:
        """All that the filter finds the row by, casefolded."""
        if self.words is None:
            texts = (*(cell.text for cell in self.row.cells), self.row.found_by)
            self.words = "\n".join(texts).casefold()
        return self.words


class RowModel(QAbstractItemModel):
    """Rows in a tree. What a person ticks or types is told, and changed by who gives the rows."""

    ticked = Signal(object, bool)
    edited = Signal(object, str)
    """A Row, and what was typed over its cell."""
    fold_changed = Signal(object)
    """A Node that its pane wants folded or unfolded from now on."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._root = Node((None, 0), Row(None, ()), None, 0, 0)
        self._nodes = {0: self._root}
        self._last_number = 0
        self.revision = 0
        """Another one whenever rows came or went."""
        self._sorted: tuple[int, bool] | None = None
        """(Column, descending), or the order in which rows were given."""
        self._refolded: list[Node] = []

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Have these instead; views forget what they know of the rows where there are more or fewer."""
        if len(columns) == len(self._columns):
            self._columns = tuple(columns)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)
            return
        self.beginResetModel()
        self._columns = tuple(columns)
        self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead. Siblings of one key, as a damaged file may have them, are told apart by their order."""
        self._arrange(list(_leaving_last(self._root, rows)))
        self._replace(self._root, rows)
        self._arrange(list(self._orders(self._root)))
        refolded, self._refolded = self._refolded, []
        for node in refolded:
            self.fold_changed.emit(node)

    def holds(self, node: Node) -> bool:
        """Whether it is still one of the rows."""
        return node.number in self._nodes

    def node_at(self, index: _Index) -> Node:
        """The node of an index; the one above all rows for an index of none."""
        return self._nodes[int(index.internalId())] if index.isValid() else self._root

    def index_of(self, node: Node, column: int = 0) -> QModelIndex:
        """Where it stands."""
        return self.createIndex(node.at, column, node.number) if node is not self._root else QModelIndex()

    def nodes(self) -> Iterator[Node]:
        """Every row, depth first, as they stand."""
        stack = self._root.inside[::-1]
        while stack:
            yield (node := stack.pop())
            stack += reversed(node.inside)

    # -- what Qt asks ------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        if parent.isValid() and parent.column() != 0:
            return QModelIndex()
        inside = self.node_at(parent).inside
        if 0 <= row < len(inside) and 0 <= column < len(self._columns):
            return self.createIndex(row, column, inside[row].number)
        return QModelIndex()

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]  # Qt has two of this name
        above = self.node_at(index).above
        return self.index_of(above) if above is not None else QModelIndex()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return len(self.node_at(parent).inside) if parent.column() <= 0 else 0

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return len(self._columns)

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        cells = self.node_at(index).row.cells
        cell = cells[index.column()] if index.column() < len(cells) else _EMPTY
        if role == _Role.DisplayRole:
            return visible(cell.text) if self._columns[index.column()].wraps else visible_line(cell.text)
        if role == _Role.ToolTipRole:
            return visible(cell.tooltip) or None
        if role == _Role.ForegroundRole:
            return _color("#ffffff" if cell.alarm else cell.color)
        if role == _Role.FontRole:
            return _font(cell)
        if role == _Role.DecorationRole:
            return _icon(cell)
        if role == _Role.TextAlignmentRole:
            return _RIGHT if self._columns[index.column()].right else None
        if role == FRACTION_ROLE:
            return cell.fraction
        if role == BAR_COLOR_ROLE:
            return _color(cell.bar_color)
        return _seldom(cell, role)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        row, flags = self.node_at(index).row, super().flags(index)
        if not row.enabled:
            return flags & ~(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        cell = row.cells[index.column()] if 0 <= index.column() < len(row.cells) else _EMPTY
        if cell.ticked is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags | Qt.ItemFlag.ItemIsEditable if cell.edit is not None else flags

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        row = self.node_at(index).row
        if role == _Role.CheckStateRole:
            self.ticked.emit(row, Qt.CheckState(value) is Qt.CheckState.Checked)
        elif role == _Role.EditRole:
            self.edited.emit(row, str(value))
        return role in (_Role.CheckStateRole, _Role.EditRole)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == _Role.DisplayRole:
            return tr(column.title)
        if role == _Role.TextAlignmentRole and column.right:
            return _RIGHT
        return tr(column.tip) or None if role == _Role.ToolTipRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort every level; a column of -1 brings back the order in which the rows were given."""
        self._sorted = (column, order is Qt.SortOrder.DescendingOrder) if column >= 0 else None
        self._arrange(list(self._orders(self._root)))

    # -- changes -----------------------------------------------------------------------------------------------

    def _replace(self, above: Node, rows: Sequence[Row]) -> None:
        wanted = _by_key(rows)
        staying = [node for node in above.inside if node.key in wanted]
        if leaving := above.inside[len(staying) :]:
            self.beginRemoveRows(self.index_of(above), len(staying), len(above.inside) - 1)
            del above.inside[len(staying) :]
            self.revision += 1
            for node in leaving:
                self._forget(node)
            self.endRemoveRows()
        self._update(staying, wanted)
        known = {node.key for node in staying}
        if coming := {key: row for key, row in wanted.items() if key not in known}:
            first = len(staying)
            self.beginInsertRows(self.index_of(above), first, first + len(coming) - 1)
            above.inside += self._made(coming, above, first)
            self.revision += 1
            self.endInsertRows()
        there = {node.key: node for node in above.inside}
        above.given = [there[key] for key in wanted]
        for node in staying:
            if node.inside or node.row.children:
                self._replace(node, node.row.children)

    def _update(self, nodes: list[Node], wanted: dict[_Key, Row]) -> None:
        """Give rows that stay their new values, and report runs of those that look different."""
        changed = []
        for node in nodes:
            before, node.row = node.row, wanted[node.key]
            if _looks(before) != _looks(node.row):
                node.words = None
                changed.append(node)
            if before.open != node.row.open:
                node.open = node.row.open
                self._refolded.append(node)
        for at, node in enumerate(changed):
            if at == 0 or changed[at - 1].at != node.at - 1:
                first = node
            if at + 1 == len(changed) or changed[at + 1].at != node.at + 1:
                self.dataChanged.emit(self.index_of(first), self.index_of(node, len(self._columns) - 1))

    def _made(self, rows: dict[_Key, Row], above: Node, first: int = 0) -> list[Node]:
        made = []
        for at, (key, row) in enumerate(rows.items(), first):
            self._last_number += 1
            node = Node(key, row, above, at, self._last_number)
            self._nodes[node.number] = node
            node.inside = self._made(_by_key(row.children), node)
            node.given = list(node.inside)
            made.append(node)
        return made

    def _forget(self, node: Node) -> None:
        del self._nodes[node.number]
        for child in node.inside:
            self._forget(child)

    def _orders(self, above: Node) -> Iterator[tuple[Node, list[Node]]]:
        """The order in which each level has to stand."""
        if self._sorted is None:
            yield above, above.given
        else:
            column, descending = self._sorted
            yield (
                above,
                sorted(above.given, key=lambda node: _sort_key(node.row, column), reverse=descending),
            )
        for node in above.inside:
            if node.inside:
                yield from self._orders(node)

    def _arrange(self, orders: list[tuple[Node, list[Node]]]) -> None:
        """Let levels stand in another order; indices that Qt keeps go with their rows."""
        orders = [(above, order) for above, order in orders if order != above.inside]
        if not orders:
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        for above, order in orders:
            above.inside = list(order)
            for at, node in enumerate(order):
                node.at = at
        self.changePersistentIndexList(
            kept, [self.index_of(self.node_at(index), index.column()) for index in kept]
        )
        self.layoutChanged.emit()


def _by_key(rows: Sequence[Row]) -> dict[_Key, Row]:
    met: Counter[Hashable] = Counter()
    found = {}
    for row in rows:
        found[row.key, met[row.key]] = row
        met[row.key] += 1
    return found


def _leaving_last(above: Node, rows: Sequence[Row]) -> Iterator[tuple[Node, list[Node]]]:
    """The levels that rows will leave, those that go behind those that stay: they go in one piece."""
    wanted = _by_key(rows)
    leaving = [node for node in above.inside if node.key not in wanted]
    if leaving:
        yield above, [node for node in above.inside if node.key in wanted] + leaving
    for node in above.inside:
        if node.inside and node.key in wanted:
            yield from _leaving_last(node, wanted[node.key].children)


def _sort_key(row: Row, column: int) -> tuple[bool, float | str]:
    """Cells without a number stand by their text, before those that have one."""
    cell = row.cells[column] if column < len(row.cells) else _EMPTY
    return (False, cell.text.casefold()) if cell.sort is None else (True, cell.sort)


def _looks(row: Row) -> tuple[object, ...]:
    return row.cells, row.found_by, row.enabled


def _seldom(cell: Cell, role: int) -> object:
    """What few tables have."""
    if role == _Role.EditRole:
        return cell.edit
    if role == _Role.BackgroundRole and cell.alarm:
        return QColor(blend(current.colors().panel, current.colors().error, _ALARM))
    if role == _Role.CheckStateRole and cell.ticked is not None:
        return Qt.CheckState.Checked if cell.ticked else Qt.CheckState.Unchecked
    return None


def _icon(cell: Cell) -> QIcon | None:
    color = _color(cell.mark_color)
    return mark_icon(cell.mark, color.name() if color is not None else "") if cell.mark else None


def _color(name: str) -> QColor | None:
    return QColor(name if name.startswith("#") else getattr(current.colors(), name)) if name else None


def _font(cell: Cell) -> QFont | None:
    if cell.monospace:
        return fonts.monospace(_CODE, bold=cell.bold)
    return fonts.interface(bold=True) if cell.bold or cell.alarm else None
