"""A drawing and a table: one above the other in a tall page, side by side in a flat one."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

_FLAT = 2.2
"""From this ratio of width to height on, a page is flat."""
_LEAST = 560
"""Pixels of width that both need side by side: a table of less shows numbers and not what they are of."""


class PageSplit(QSplitter):
    """Turns by itself."""

    def __init__(self, drawing: QWidget, table: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.addWidget(drawing)
        self.addWidget(table)
        self.setChildrenCollapsible(False)
        self.setSizes([300, 170])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        flat = self.width() > max(_FLAT * self.height(), _LEAST)
        direction = Qt.Orientation.Horizontal if flat else Qt.Orientation.Vertical
        if direction != self.orientation():
            self.setOrientation(direction)
            self.setSizes([560, 340] if flat else [300, 170])
