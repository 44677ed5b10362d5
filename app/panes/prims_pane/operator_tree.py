"""What an operator is made of: its tree, and what is left of it at each level."""

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QBrush, QColor, QDesktopServices
from PySide6.QtWidgets import QHeaderView, QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from app.theme import current
from app.widgets.filter_tree import FilterTree
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.decompositions import LEVELS, DecomposedOperator, Decomposition, at_level

_NAME, _LEVEL, _PLACE = range(3)
_INVITATION = (
    "Take an operator apart to see what it is made of, down to prims, and where each step is written."
)
_LINK_ROLE = int(Qt.ItemDataRole.UserRole)


class OperatorTree(QWidget):
    """Double-click leads to the line of a decomposition on GitHub."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Decomposition | Problem | None = None
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        self.summary = QLabel("", self)
        self.summary.setWordWrap(True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tree = FilterTree(("Operator", "Level", "Taken apart at"), "Filter operators", self)
        self.tree.stretch_column(_PLACE)
        for column, width in ((_NAME, 330), (_LEVEL, 110)):
            self.tree.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.tree.tree.header().resizeSection(column, width)
        column_of = QVBoxLayout(self)
        column_of.setContentsMargins(0, 0, 0, 0)
        column_of.addWidget(self.summary)
        column_of.addWidget(self.tree, 1)
        self.tree.tree.itemActivated.connect(self._open_link)
        current.signals().changed.connect(self._show_again)

    def show_tree(self, known: Decomposition | Problem | None, waiting_for: str) -> None:
        """Show it, or that it is waited for."""
        if known is None:
            self._shown = None
            self.tree.tree.clear()
            self.summary.setText(f"Taking {waiting_for} apart" if waiting_for else _INVITATION)
        elif known is not self._shown:
            self._fill(known)

    def _show_again(self) -> None:
        """In the colours of another look."""
        self._fill(self._shown)

    def _fill(self, known: Decomposition | Problem | None) -> None:
        self._shown = known
        self.tree.tree.clear()
        if isinstance(known, Problem):
            self.summary.setText(known.message())
        elif known is not None:
            self.summary.setText(summary_of(known))
            self.summary.setToolTip("\n".join(f"{count:,} {what}" for what, count in known.counts))
            top = _row(known.root, known.commit)
            self.tree.tree.addTopLevelItem(top)
            self.tree.tree.expandAll()
            self.tree.apply_filter()

    def _open_link(self, item: QTreeWidgetItem) -> None:
        link = item.data(_PLACE, _LINK_ROLE)
        if link:
            self.open_url(QUrl(str(link)))


def summary_of(known: Decomposition) -> str:
    """The schema, and how many operators are left at each level."""
    if not known.root.how:
        return f"{known.schema}\nThis torch takes it apart no further."
    if known.refused:
        return f"{known.schema}\nIts decomposition stands at {known.root.place}. It could not be run here: {known.refused}"
    parts = []
    for level in LEVELS:
        left = Counter(node.operator for node in at_level(known.root, level))
        parts.append(f"{level} {left.total()}")
    return f"{known.schema}\nWith ({known.arguments}): {', '.join(parts)} operators"


def _row(node: DecomposedOperator, commit: str) -> QTreeWidgetItem:
    colors = current.colors()
    level = "prim" if node.operator.startswith("prims.") else "core aten" if node.core else ""
    if node.how == "C++":
        level = "composite"
    item = QTreeWidgetItem([node.operator, level, str(node.place)])
    tint = {"prim": colors.fused, "core aten": colors.forward, "composite": colors.extern}
    item.setForeground(_LEVEL, QBrush(QColor(tint.get(level, colors.dim_text))))
    link = node.place.link(commit)
    item.setData(_PLACE, _LINK_ROLE, link)
    item.setToolTip(_PLACE, f"Double-click: {link}" if link else str(node.place))
    item.setForeground(_PLACE, QBrush(QColor(colors.accent if link else colors.dim_text)))
    if node.how and not node.parts:
        item.setToolTip(_NAME, "With these arguments it had nothing to do")
        item.setForeground(_NAME, QBrush(QColor(colors.dim_text)))
    if node.declined:
        item.setToolTip(_NAME, "Its decomposition did not want these arguments")
    for part in node.parts:
        item.addChild(_row(part, commit))
    return item
