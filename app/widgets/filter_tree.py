"""A tree or table with a filter field above it."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.widgets.bar_delegate import RoomyDelegate


class FilterTree(QWidget):
    """Rows that do not hold the filter's text are hidden, unless a row inside them does."""

    def __init__(self, columns: Sequence[str], placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(placeholder)
        self.field.setClearButtonEnabled(True)
        self.tree = QTreeWidget(self)
        self.tree.setAccessibleName(", ".join(filter(None, columns)))
        self.tree.setColumnCount(len(columns))
        self.tree.setHeaderLabels(list(columns))
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(False)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setItemDelegate(RoomyDelegate(self.tree))
        self.tree.header().setStretchLastSection(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._top = QHBoxLayout()
        self._top.addWidget(self.field, 1)
        column.addLayout(self._top)
        column.addWidget(self.tree)
        self.field.textChanged.connect(self.apply_filter)

    def put_next_to_filter(self, widget: QWidget) -> None:
        """Show a button in the filter's line."""
        self._top.addWidget(widget)

    def stretch_column(self, stretched: int) -> None:
        """Give one column the room that the others leave."""
        header = self.tree.header()
        header.setResizeContentsPrecision(100)  # rows that are measured
        for column in range(self.tree.columnCount()):
            mode = (
                QHeaderView.ResizeMode.Stretch
                if column == stretched
                else QHeaderView.ResizeMode.ResizeToContents
            )
            header.setSectionResizeMode(column, mode)

    def apply_filter(self) -> None:
        """Hide what does not match; call after filling the tree."""
        wanted = self.field.text().casefold()
        for index in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(index)
            if item is not None:
                self._filter(item, wanted, False)

    def make_current(self, row: int) -> None:
        """Make a top-level row the current one; a row that is not there is ignored."""
        item = self.tree.topLevelItem(row)
        if item is not None:
            self.tree.setCurrentItem(item)

    def items(self) -> Iterator[QTreeWidgetItem]:
        """Every row, depth first."""
        stack = [self.tree.topLevelItem(i) for i in reversed(range(self.tree.topLevelItemCount()))]
        while stack:
            item = stack.pop()
            if item is None:
                continue
            yield item
            stack += [item.child(i) for i in reversed(range(item.childCount()))]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.field.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        else:
            super().keyPressEvent(event)

    def _filter(self, item: QTreeWidgetItem, wanted: str, parent_matches: bool) -> bool:
        texts = [item.text(column) for column in range(item.columnCount())]
        matches = parent_matches or any(wanted in text.casefold() for text in texts)
        children = (item.child(i) for i in range(item.childCount()))
        below = [self._filter(child, wanted, matches) for child in children if child is not None]
        shown = matches or any(below)
        item.setHidden(not shown)
        return shown
