"""Every result of the forward: what becomes of it, its bytes, and why."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from app.panes.partition_pane.wording import FATES, why
from app.theme import current
from app.widgets.filter_tree import SORT_ROLE, FilterTree, SortableItem
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import TensorDecision
from compiler.model.ir.tensor_types import describe_bytes

_COLUMNS = ("Result", "Now", "Bytes", "Why")
_NAME, _FATE, _BYTES, _WHY = range(len(_COLUMNS))
_WIDTHS = {_NAME: 105, _FATE: 92, _BYTES: 72}
"""Names may be long; the reason is what a person reads."""


class DecisionTable(FilterTree):
    """A click asks for the node; the menu of a row asks for a choice."""

    picked = Signal(list)
    """Names of the selected nodes."""
    chosen = Signal(object)
    """True, False or None for the selected nodes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, "Filter results", parent)
        self.choosable = True
        """Whether the menu of a row may ask for a choice."""
        self.tree.setRootIsDecorated(False)
        self.tree.setSortingEnabled(True)
        self.tree.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.tree.setSelectionMode(self.tree.SelectionMode.ExtendedSelection)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.itemClicked.connect(lambda *_: self.picked.emit(self.selected()))
        self.stretch_column(_WHY)
        header = self.tree.header()
        for column, width in _WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)

    def show_decisions(self, rows: tuple[TensorDecision, ...], choices: dict[NodeId, str]) -> None:
        """Show these; `choices` are what was chosen by hand, compiled or not."""
        colors = current.colors()
        tint = {"saved": colors.forward, "recomputed": colors.backward, "backward": colors.backward}
        kept = set(self.selected())
        self.tree.setSortingEnabled(False)
        self.tree.clear()
        for row in rows:
            item = SortableItem([row.node, FATES[row.fate], describe_bytes(row.bytes), why(row)])
            item.setData(_BYTES, SORT_ROLE, row.bytes or 0)
            item.setTextAlignment(_BYTES, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if row.base:
                item.setText(_BYTES, f"in {row.base}")
                item.setToolTip(
                    _BYTES, f"{describe_bytes(row.bytes)}, of the same storage as {row.base}: counted there"
                )
            item.setForeground(_FATE, QBrush(QColor(tint.get(row.fate, colors.dim_text))))
            item.setForeground(_WHY, QBrush(QColor(colors.dim_text)))
            wish = choices.get(row.node, "")
            if wish:
                done = wish == row.fate or (wish, row.fate) == ("recomputed", "backward")
                item.setText(_FATE, FATES[row.fate] if done else f"{FATES[row.fate]} → {wish}")
                item.setForeground(_FATE, QBrush(QColor(colors.edited)))
                item.setToolTip(_FATE, "Chosen by hand" if done else "Chosen by hand, not compiled yet")
            if row.weight is not None:
                item.setToolTip(
                    _WHY, f"Counts {row.weight:,.0f} in the minimum cut (bytes, weighted by torch)"
                )
            self.tree.addTopLevelItem(item)
            item.setSelected(row.node in kept)
        self.tree.setSortingEnabled(True)
        self.apply_filter()

    def selected(self) -> list[NodeId]:
        """Names of the selected rows."""
        return [item.text(_NAME) for item in self.tree.selectedItems()]

    def mark(self, nodes: frozenset[NodeId]) -> None:
        """Select these rows, as a selection elsewhere asks for."""
        self.tree.blockSignals(True)
        first = None
        for item in self.items():
            inside = item.text(_NAME) in nodes
            item.setSelected(inside)
            first = first or (item if inside else None)
        self.tree.blockSignals(False)
        if first is not None:
            self.tree.scrollToItem(first)

    def _menu(self, location: QPoint) -> None:
        if not self.choosable:
            return
        if not self.selected():
            return
        menu = QMenu(self)
        for text, choice in (
            ("Save for the backward", True),
            ("Recompute in the backward", False),
            ("Leave it to the partitioner", None),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, wanted=choice: self.chosen.emit(wanted))
        menu.exec(self.tree.viewport().mapToGlobal(location))
