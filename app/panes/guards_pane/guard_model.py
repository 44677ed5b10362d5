"""A tree of guards as an item model: rows are numbers into flat lists, so thousands cost next to nothing."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app.session.captures.source_lines import short
from app.theme import current, fonts
from app.translation.texts import tr, tr_noop
from app.widgets.bar_delegate import FRACTION_ROLE
from compiler.model.capture.guards import GuardLeaf, GuardTree, count_of
from compiler.model.ir.graph import SourceLine

COLUMNS = (tr_noop("Value and checks"), tr_noop("Code"), tr_noop("Type"), tr_noop("Line"), tr_noop("Cost"))
WHAT, CODE, TYPE, LINE, COST = range(5)
_Index = QModelIndex | QPersistentModelIndex
_ROOT = -1
_EMPTY = GuardTree("")


class GuardModel(QAbstractItemModel):
    """Values as they are reached from one another; under each its checks, then the values inside it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tree = _EMPTY
        self.shown = 0
        """How many guards are shown."""
        self._rows: list[tuple[int, int, int]] = []
        """(node, leaf or -1 for the node itself, row under its parent)."""
        self._parents: list[int] = []
        self._children: dict[int, list[int]] = {}
        self._costs: dict[tuple[int, int], float] = {}
        self._highest = 1.0
        self._filter = ""

    def show_tree(self, tree: GuardTree | None) -> None:
        """Show the guards of another compile."""
        self.tree = tree or _EMPTY
        self._costs = {}
        self._rebuild()

    def set_filter(self, text: str) -> None:
        """Show only guards and values that hold this text, with the values that lead to them."""
        self._filter = text.casefold().strip()
        self._rebuild()

    def set_costs(self, leaves: tuple[tuple[int, int, float], ...]) -> None:
        """Show what checking costs, in nanoseconds."""
        self._costs = {(node, leaf): cost for node, leaf, cost in leaves}
        for node in range(len(self.tree.nodes)):
            own = [
                cost
                for leaf in range(len(self.tree.nodes[node].leaves))
                if (cost := self._costs.get((node, leaf)))
            ]
            if own:
                self._costs[node, _ROOT] = sum(own)
        self._highest = max(self._costs.values(), default=1.0) or 1.0
        self.dataChanged.emit(self.index(0, COST), self.index(max(self.rowCount() - 1, 0), COST))

    def costliest(self, count: int) -> list[tuple[str, GuardLeaf, float]]:
        """(source, guard, nanoseconds) of the guards that cost most."""
        found = sorted(((cost, key) for key, cost in self._costs.items() if key[1] >= 0), reverse=True)
        nodes = self.tree.nodes
        return [(nodes[node].source, nodes[node].leaves[leaf], cost) for cost, (node, leaf) in found[:count]]

    def line_at(self, index: _Index) -> SourceLine | None:
        """The line that made the guard, or the first guard of the value, at an index."""
        leaf = self._leaf(index)
        return self.tree.line_of(leaf) if leaf is not None else None

    # -- what Qt asks --------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self._children.get(self._id(parent), [])
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: _Index) -> QModelIndex:  # type: ignore[override]
        above = self._parents[self._id(index)] if index.isValid() else _ROOT
        return QModelIndex() if above == _ROOT else self.createIndex(self._rows[above][2], 0, above)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self._children.get(self._id(parent), []))

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        wanted = role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal
        return tr(COLUMNS[section]) if wanted else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        node_number, leaf_number, _ = self._rows[self._id(index)]
        column = index.column()
        cost = self._costs.get((node_number, leaf_number))
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(node_number, leaf_number, column)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(node_number, leaf_number, column)
            case Qt.ItemDataRole.TextAlignmentRole if column == COST:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.FontRole if column == CODE:
                return fonts.monospace(0.92)
            case Qt.ItemDataRole.ForegroundRole:
                return self._foreground(leaf_number, column)
            case _ if role == FRACTION_ROLE and column == COST and cost is not None:
                return cost / self._highest
        return None

    # -- inside --------------------------------------------------------------------------------------------------

    def _text(self, node_number: int, leaf_number: int, column: int) -> str:
        node = self.tree.nodes[node_number]
        leaf = node.leaves[leaf_number] if leaf_number >= 0 else None
        if column == COST:
            cost = self._costs.get((node_number, leaf_number))
            return "" if cost is None else f"{cost:,.0f} ns"
        if leaf is None:
            return {WHAT: node.source, TYPE: node.type}.get(column, "")
        if column == LINE:
            return short(self.tree.line_of(leaf))
        return {WHAT: leaf.kind, CODE: "; ".join(leaf.code)}.get(column, "")

    def _tooltip(self, node_number: int, leaf_number: int, column: int) -> str:
        node = self.tree.nodes[node_number]
        if leaf_number < 0:
            return node.accessor
        leaf = node.leaves[leaf_number]
        line = self.tree.line_of(leaf)
        if column == LINE and line is not None:
            return tr("{path}:{line} in {function}\n{text}").format(
                path=line.path, line=line.line, function=line.function, text=line.text
            )
        return "\n".join(leaf.code)

    def _foreground(self, leaf_number: int, column: int) -> QColor | None:
        colors = current.colors()
        if column == LINE:
            return QColor(colors.accent)
        return QColor(colors.dim_text) if leaf_number >= 0 and column == WHAT else None

    def _leaf(self, index: _Index) -> GuardLeaf | None:
        if not index.isValid():
            return None
        node_number, leaf_number, _ = self._rows[self._id(index)]
        leaves = self.tree.nodes[node_number].leaves
        return leaves[max(leaf_number, 0)] if leaves else None

    def _id(self, index: _Index) -> int:
        return int(index.internalId()) if index.isValid() else _ROOT

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._rows, self._parents, self._children = [], [], {}
        self.shown = 0
        kept = self._kept_nodes()
        entry_of: dict[int, int] = {_ROOT: _ROOT}
        for number, node in enumerate(self.tree.nodes):
            if number not in kept:
                continue
            entry = entry_of[number] = self._add(number, _ROOT, entry_of.get(node.parent, _ROOT))
            for leaf in kept[number]:
                self._add(number, leaf, entry)
        leaves = ((node, leaf) for node, shown in kept.items() for leaf in shown)
        self.shown = count_of(self.tree.nodes[node].leaves[leaf] for node, leaf in leaves)
        self.endResetModel()

    def _add(self, node: int, leaf: int, parent: int) -> int:
        siblings = self._children.setdefault(parent, [])
        entry = len(self._rows)
        self._rows.append((node, leaf, len(siblings)))
        self._parents.append(parent)
        siblings.append(entry)
        return entry

    def _kept_nodes(self) -> dict[int, tuple[int, ...]]:
        """Node → its leaves that are shown; nodes that only lead to others have none."""
        nodes, wanted = self.tree.nodes, self._filter
        if not wanted:
            return {number: tuple(range(len(node.leaves))) for number, node in enumerate(nodes)}
        kept: dict[int, tuple[int, ...]] = {}
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            whole = wanted in node.source.casefold() or wanted in node.type.casefold()
            leaves = tuple(
                index for index, leaf in enumerate(node.leaves) if whole or wanted in self._searched(leaf)
            )
            if whole or leaves or number in kept:
                kept[number] = leaves
                if node.parent >= 0:
                    kept.setdefault(node.parent, ())
        return kept

    def _searched(self, leaf: GuardLeaf) -> str:
        line = self.tree.line_of(leaf)
        return f"{leaf.kind} {' '.join(leaf.code)} {short(line)} {line.text if line else ''}".casefold()
