"""A drawing and a table: one above the other in a tall page, side by side in a flat one."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

_FLAT = 2.2
"""From this ratio of width to height on, a page is flat."""
_SIDE_BY_SIDE = (560, 340)


class PageSplit(QSplitter):
    """Turns by itself. `beside`: what the drawing and the table get of a flat page, to one another."""

    def __init__(
        self,
        drawing: QWidget,
        table: QWidget,
        parent: QWidget | None = None,
        side_by_side: tuple[int, int] = _SIDE_BY_SIDE,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._side_by_side = side_by_side
        self.addWidget(drawing)
        self.addWidget(table)
        self.setChildrenCollapsible(False)
        self.setSizes([300, 170])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        flat = self.width() > _FLAT * self.height()
        direction = Qt.Orientation.Horizontal if flat else Qt.Orientation.Vertical
        if direction != self.orientation():
            self.setOrientation(direction)
            self.setSizes(list(self._side_by_side) if flat else [300, 170])
