"""Two things beside each other: groups of rows that say what differs, how it was and how it is."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate

_NARROW = 620
_ROW_ROLE = int(Qt.ItemDataRole.UserRole)


class Row(Protocol):
    """One difference."""

    @property
    def what(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def tooltip(self) -> str: ...
    @property
    def parts(self) -> "Sequence[Row]": ...


class Rows(Protocol):
    """A titled group of differences."""

    @property
    def title(self) -> str: ...
    @property
    def rows(self) -> Sequence[Row]: ...
    @property
    def open(self) -> bool: ...


class DifferenceTree(QTreeWidget):
    """Rows that have parts open on demand."""

    row_clicked = Signal(object)
    """The row that was given for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Differences"))
        self.setHeaderLabels([tr("What"), tr("Before"), tr("After")])
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(RoomyDelegate(self))
        header = self.header()
        header.setStretchLastSection(False)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._font = fonts.monospace(0.92)
        self._brushes = QBrush(), QBrush()
        self.itemClicked.connect(self._tell)
        self.itemActivated.connect(self._tell)

    def show_groups(self, groups: Sequence[Rows], before: str = "", after: str = "") -> None:
        """Show these differences instead."""
        colors = current.colors()
        self._font = fonts.monospace(0.92)
        self._brushes = QBrush(QColor(colors.error)), QBrush(QColor(colors.good))
        self.setUpdatesEnabled(False)
        self.clear()
        self.setHeaderLabels([tr("What"), before or tr("Before"), after or tr("After")])
        for group in groups:
            head = QTreeWidgetItem([group.title])
            head.setFont(0, fonts.interface(bold=True))
            head.addChildren([self._made(row) for row in group.rows])
            self.addTopLevelItem(head)
            head.setFirstColumnSpanned(True)
            head.setExpanded(group.open)
        self.setUpdatesEnabled(True)

    def row_of(self, item: QTreeWidgetItem | None) -> object:
        """The row that an item shows, or None."""
        return item.data(0, _ROW_ROLE) if item is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock the two sides get the room."""
        super().resizeEvent(event)
        self.header().resizeSection(0, 210 if self.width() >= _NARROW else 130)

    def _made(self, row: Row) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.what, row.before, row.after])
        item.setData(0, _ROW_ROLE, row)
        item.setToolTip(0, f"{row.what}\n{row.tooltip}" if row.tooltip else row.what)
        for column, text, brush in ((1, row.before, self._brushes[0]), (2, row.after, self._brushes[1])):
            if text:
                item.setToolTip(column, text)
                item.setFont(column, self._font)
                item.setForeground(column, brush)
        if row.parts:
            item.addChildren([self._made(part) for part in row.parts])
        return item

    def _tell(self, item: QTreeWidgetItem) -> None:
        row = self.row_of(item)
        if row is not None:
            self.row_clicked.emit(row)
