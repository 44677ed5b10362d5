"""Rows of widgets that go on in the next line where the room ends, as words do, so that no button is cut off."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """For bars of buttons in panes of any width. Each widget has the size it wishes for."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + self.spacing() * max(len(sizes) - 1, 0)
        return self._with_margins(QSize(wide, max((size.height() for size in sizes), default=0)))

    def minimumSize(self) -> QSize:
        """The widest alone."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return self._with_margins(size)

    def _with_margins(self, size: QSize) -> QSize:
        return size.grownBy(self.contentsMargins())

    def _arrange(self, rect: QRect, move: bool) -> int:
        """Gives the height, margins included."""
        margins = self.contentsMargins()
        rect = rect.marginsRemoved(margins)
        left, top, line = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if line and left + size.width() > rect.left() + rect.width():
                left, top, line = rect.left(), top + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(left, top), size))
            left += size.width() + self.spacing()
            line = max(line, size.height())
        return top + line - rect.top() + margins.top() + margins.bottom()
