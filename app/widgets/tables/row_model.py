"""The item model of a table: it holds rows, sorts them by value, and changes only what differs when it is given others.

It sorts by itself, with one comparison key a row: a proxy would ask for two cells at every comparison. Each level of the tree changes in
at most four steps, however the rows were mixed, so Qt's bookkeeping stays in proportion to the rows: sorted so that what goes is last, removed, appended, sorted.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon

from app.theme import current, fonts
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE, LOOKS_ROLE
from app.widgets.gutter_marks import mark_icon
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.text_format.visible_text import visible, visible_line

_Key = tuple[Hashable, int]
_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_EMPTY = Cell()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MOST_RUNS = 4
_CODE = 0.92
"""Its letters are as large as the others beside them."""
_ALARM = 0.82
"""How much of the colour of errors is behind a cell that nobody may overlook."""


class Node:
    """A row where it stands. Qt holds its number and not the object: a number outlives a row without harm."""

    __slots__ = ("above", "at", "given", "inside", "key", "number", "open", "row", "waits", "words")

    def __init__(self, key: _Key, row: Row, above: "Node | None", at: int, number: int) -> None:
        self.key, self.row, self.above, self.at, self.number = key, row, above, at, number
        self.inside: list[Node] = []
        self.given: list[Node] = []
        """The same in the order in which they were given."""
        self.open = row.open
        self.waits = row.later is not None
        """Whether its children are still to be made."""
        self.words: str | None = None
        """What the filter looks in, once somebody has filtered."""

    def text(self) -> str:
        """All that the filter finds the row by, casefolded."""
        if self.words is None:
            texts = (*(cell.text for cell in self.row.cells), self.row.found_by)
            self.words = "\n".join(texts).casefold()
        return self.words


class RowModel(QAbstractItemModel):
    """Rows in a tree. What a person ticks or types is reported, and changed by who gives the rows."""

    ticked = Signal(object, bool)
    edited = Signal(object, str)
    """A Row, and what was typed over its cell."""
    rows_given = Signal()
    """All are where they belong."""
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
        self._sortable = False
        """Whether anybody ever sorts it."""
        self._sorted: tuple[int, bool] | None = None
        """(Column, descending), or the order in which rows were given."""
        self.makes_all = False
        """Whether no row is left for later: somebody looks for something."""
        self._changing = False
        self._asked: list[Node] = []
        self._changed: list[Node] = []
        self._refolded: list[Node] = []
        self._made_later: dict[int, Sequence[Row]] = {}
        """Of rows that are being given, by what they are, so that each is asked once."""

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Have these instead; views forget what they know of the rows where there are more or fewer."""
        if len(columns) == len(self._columns):
            self._columns = tuple(columns)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)
            return
        with self._change():
            self.beginResetModel()
            self._columns = tuple(columns)
            self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead. Siblings of one key, as a damaged file may have them, are distinguished by their order."""
        with self._change():
            self._arrange(list(self._leaving_last(rows)))
            self._replace(self._root, rows)
            self._arrange(list(self._orders(self._root)))
            self._made_later.clear()
            self._emit_changed()
        if self.makes_all:
            self.fetch_all()
        self.rows_given.emit()
        refolded, self._refolded = self._refolded, []
        for node in refolded:
            self.fold_changed.emit(node)

    def holds(self, node: Node) -> bool:
        """Whether it is still one of the rows."""
        return node.number in self._nodes

    def node_at(self, index: _Index) -> Node:
        """The node of an index; the one above all rows for an index of none."""
        return self._nodes[index.internalId()] if index.isValid() else self._root

    def index_of(self, node: Node, column: int = 0) -> QModelIndex:
        """Where it stands."""
        return self.createIndex(node.at, column, node.number) if node is not self._root else QModelIndex()

    def nodes(self) -> Iterator[Node]:
        """Every row, depth first, as they stand."""
        stack = self._root.inside[::-1]
        while stack:
            yield (node := stack.pop())
            stack += reversed(node.inside)

    def fetch_all(self) -> None:
        """Make all rows that are still to be made."""
        while waiting := [node for node in self.nodes() if node.waits]:
            for node in waiting:
                self.fetchMore(self.index_of(node))

    # -- what Qt asks ------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        above = self._root
        if parent.isValid():
            if parent.column():
                return QModelIndex()
            above = self._nodes[parent.internalId()]
        if 0 <= row < len(above.inside) and 0 <= column < len(self._columns):
            return self.createIndex(row, column, above.inside[row].number)
        return QModelIndex()

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]  # Qt has two of this name
        above = self.node_at(index).above
        return self.index_of(above) if above is not None else QModelIndex()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return len(self.node_at(parent).inside) if parent.column() <= 0 else 0

    def hasChildren(self, parent: _Index = _NOWHERE) -> bool:
        node = self.node_at(parent)
        return parent.column() <= 0 and (node.waits or bool(node.inside))

    def canFetchMore(self, parent: _Index) -> bool:
        return self.node_at(parent).waits

    def fetchMore(self, parent: _Index) -> None:
        """Make the children of a row; in the middle of a change, in which a view may ask, as soon as it is over."""
        node = self.node_at(parent)
        if self._changing:
            self._asked.append(node)
            return
        with self._change():
            node.waits = False
            if node.row.later is not None:
                self._fill(node, node.row.later())

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return len(self._columns)

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        look = _LOOKS.get(role)
        if look is None or not index.isValid():
            return None
        cells, at = self._nodes[index.internalId()].row.cells, index.column()
        return look(cells[at] if at < len(cells) else _EMPTY, self._columns[at])

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
        if role == _Role.TextAlignmentRole and column.right and not self._sortable:
            return _RIGHT  # the arrow of a sorted column would be drawn over its last letters
        return tr(column.tip) or None if role == _Role.ToolTipRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort every level; a column of -1 brings back the order in which the rows were given."""
        self._sortable = True
        self._sorted = (column, order is Qt.SortOrder.DescendingOrder) if column >= 0 else None
        with self._change():
            self._arrange(list(self._orders(self._root)))

    # -- changes -----------------------------------------------------------------------------------------------

    @contextmanager
    def _change(self) -> Iterator[None]:
        self._changing = True
        yield
        self._changing = False
        asked, self._asked = self._asked, []
        for node in asked:
            if node.waits and self.holds(node):
                self.fetchMore(self.index_of(node))

    def _replace(self, top: Node, rows: Sequence[Row]) -> None:
        """Let a level hold these rows, and the levels inside it theirs."""
        todo: list[tuple[Node, Sequence[Row]]] = [(top, rows)]
        while todo:
            above, rows = todo.pop()
            for node in self._replace_level(above, rows):
                node.waits = node.row.later is not None and not node.inside
                inside = () if node.waits else self._inside(node.row)
                if inside or node.inside:
                    todo.append((node, inside))

    def _fill(self, above: Node, rows: Sequence[Row]) -> None:
        """Make rows inside one that has none, sorted as they come: a view asks in the middle of laying its rows out, and were they sorted
        after it, Qt's filter would free what the view's indices point to.
        """
        if not rows:
            return
        wanted = _by_key(rows)
        self.beginInsertRows(self.index_of(above), 0, len(wanted) - 1)
        above.inside = self._made(wanted, above, 0)
        above.given = list(above.inside)
        _stand(list(self._orders(above)))
        self.revision += 1
        self.endInsertRows()

    def _replace_level(self, above: Node, rows: Sequence[Row]) -> list[Node]:
        """Gives the rows that were there before."""
        wanted = _by_key(rows)
        staying = [node for node in above.inside if node.key in wanted]
        if leaving := above.inside[len(staying) :]:
            self.beginRemoveRows(self.index_of(above), len(staying), len(above.inside) - 1)
            del above.inside[len(staying) :]
            self.revision += 1
            self._forget(leaving)
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
        return staying

    def _leaving_last(self, rows: Sequence[Row]) -> Iterator[tuple[Node, list[Node]]]:
        """The levels that rows will leave, those that go behind those that stay: they go in one piece."""
        todo = [(self._root, rows)]
        while todo:
            above, rows = todo.pop()
            wanted = _by_key(rows)
            leaving = [node for node in above.inside if node.key not in wanted]
            if leaving:
                yield above, [node for node in above.inside if node.key in wanted] + leaving
            todo += [
                (node, self._inside(wanted[node.key]))
                for node in above.inside
                if node.inside and node.key in wanted
            ]

    def _inside(self, row: Row) -> Sequence[Row]:
        if row.later is None:
            return row.children
        if id(row) not in self._made_later:
            self._made_later[id(row)] = row.later()
        return self._made_later[id(row)]

    def _update(self, nodes: list[Node], wanted: dict[_Key, Row]) -> None:
        """Give rows that stay their new values."""
        for node in nodes:
            before, node.row = node.row, wanted[node.key]
            row = node.row
            if before.cells != row.cells or before.found_by != row.found_by or before.enabled != row.enabled:
                node.words = None
                self._changed.append(node)
            if before.open != node.row.open:
                node.open = node.row.open
                self._refolded.append(node)

    def _emit_changed(self) -> None:
        """Report runs of rows that look different; many at once, since views measure their columns at each."""
        changed, self._changed = sorted(self._changed, key=lambda node: (node.above.number, node.at)), []  # type: ignore[union-attr]
        runs: list[list[Node]] = []
        for node in changed:
            if runs and runs[-1][-1].above is node.above and runs[-1][-1].at == node.at - 1:
                runs[-1].append(node)
            else:
                runs.append([node])
        if len(runs) > _MOST_RUNS:
            self.layoutAboutToBeChanged.emit()
            self.layoutChanged.emit()
            return
        for run in runs:
            self.dataChanged.emit(self.index_of(run[0]), self.index_of(run[-1], len(self._columns) - 1))

    def _made(self, rows: dict[_Key, Row], above: Node, first: int) -> list[Node]:
        """Nodes for rows and all that is inside them."""
        made = self._made_level(rows, above, first)
        todo = list(made)
        while todo:
            node = todo.pop()
            if node.row.children:
                node.inside = self._made_level(_by_key(node.row.children), node, 0)
                node.given = list(node.inside)
                todo += node.inside
        return made

    def _made_level(self, rows: dict[_Key, Row], above: Node, first: int) -> list[Node]:
        made = []
        for at, (key, row) in enumerate(rows.items(), first):
            self._last_number += 1
            node = Node(key, row, above, at, self._last_number)
            self._nodes[node.number] = node
            made.append(node)
        return made

    def _forget(self, nodes: list[Node]) -> None:
        todo = list(nodes)
        while todo:
            node = todo.pop()
            del self._nodes[node.number]
            todo += node.inside

    def _orders(self, top: Node) -> Iterator[tuple[Node, list[Node]]]:
        """The order in which each level has to stand."""
        todo = [top]
        while todo:
            above = todo.pop()
            if self._sorted is None:
                yield above, above.given
            else:
                column, descending = self._sorted
                yield (
                    above,
                    sorted(above.given, key=lambda node: _sort_key(node.row, column), reverse=descending),
                )
            todo += [node for node in above.inside if node.inside]

    def _arrange(self, orders: list[tuple[Node, list[Node]]]) -> None:
        """Let levels stand in another order; indices that Qt keeps go with their rows."""
        orders = [(above, order) for above, order in orders if order != above.inside]
        if not orders:
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        _stand(orders)
        self.changePersistentIndexList(
            kept, [self.index_of(self.node_at(index), index.column()) for index in kept]
        )
        self.layoutChanged.emit()


def _stand(orders: list[tuple[Node, list[Node]]]) -> None:
    for above, order in orders:
        above.inside = list(order)
        for at, node in enumerate(order):
            node.at = at


def _by_key(rows: Sequence[Row]) -> dict[_Key, Row]:
    met: Counter[Hashable] = Counter()
    found = {}
    for row in rows:
        found[row.key, met[row.key]] = row
        met[row.key] += 1
    return found


def _sort_key(row: Row, column: int) -> tuple[bool, float | str]:
    """Cells without a number stand by their text, before those that have one."""
    cell = row.cells[column] if column < len(row.cells) else _EMPTY
    return (False, cell.text.casefold()) if cell.sort is None else (True, cell.sort)


def _icon(cell: Cell) -> QIcon | None:
    color = _color(cell.mark_color)
    return mark_icon(cell.mark, color.name() if color is not None else "") if cell.mark else None


def _color(name: str) -> QColor | None:
    return QColor(name if name.startswith("#") else getattr(current.colors(), name)) if name else None


def _font(cell: Cell) -> QFont | None:
    if cell.monospace:
        return fonts.monospace(_CODE, bold=cell.bold)
    return fonts.interface(bold=True) if cell.bold or cell.alarm else None


def _shown(cell: Cell, column: Column) -> str:
    return visible(cell.text) if column.wraps else visible_line(cell.text)


def _background(cell: Cell) -> QColor | None:
    return QColor(blend(current.colors().panel, current.colors().error, _ALARM)) if cell.alarm else None


def _box(cell: Cell) -> Qt.CheckState | None:
    return None if cell.ticked is None else Qt.CheckState.Checked if cell.ticked else Qt.CheckState.Unchecked


_LOOKS: dict[int, Callable[[Cell, Column], object]] = {
    _Role.DisplayRole: _shown,
    _Role.ToolTipRole: lambda cell, _: visible(cell.tooltip) or None,
    _Role.ForegroundRole: lambda cell, _: _color("#ffffff" if cell.alarm else cell.color),
    _Role.BackgroundRole: lambda cell, _: _background(cell),
    _Role.FontRole: lambda cell, _: _font(cell),
    _Role.DecorationRole: lambda cell, _: _icon(cell),
    _Role.TextAlignmentRole: lambda _, column: _RIGHT if column.right else None,
    _Role.CheckStateRole: lambda cell, _: _box(cell),
    _Role.EditRole: lambda cell, _: cell.edit,
    FRACTION_ROLE: lambda cell, _: cell.fraction,
    BAR_COLOR_ROLE: lambda cell, _: _color(cell.bar_color),
    LOOKS_ROLE: lambda cell, _: (
        cell.text,
        cell.monospace,
        cell.bold or cell.alarm,
        bool(cell.mark),
        cell.ticked is None,
    ),
}
"""What a cell is like, by what Qt asks for."""
