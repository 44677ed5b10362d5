"""A time axis that the wheel zooms, dragging moves and a double click fits; what stands on it is drawn by who derives from it."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.theme import current

RIGHT = 14
CLICK = 4
"""Pixels that the mouse may move between press and release of a click, or be beside what it means."""
_MOST_ZOOM = 2000.0
_STEP = 1.25


class ZoomedAxis(QWidget):
    """Knows which part of a length is shown, and where on the widget."""

    LEFT = 0
    """Pixels before the axis begins."""

    def __init__(self, parent: QWidget | None, name: str) -> None:
        super().__init__(parent)
        self._from, self._to = 0.0, 1.0
        self._drag: tuple[float, float, float] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        current.signals().changed.connect(self.update)

    @property
    def _length(self) -> float:
        """Of the whole axis, in the unit of what stands on it."""
        raise NotImplementedError

    def _clicked(self, location: QPointF) -> None:
        """A click that did not drag."""
        raise NotImplementedError

    @property
    def shown(self) -> tuple[float, float]:
        """The part that is shown."""
        return self._from * self._length, self._to * self._length

    @property
    def _room(self) -> int:
        return self.width() - self.LEFT - RIGHT

    def _x(self, value: float) -> float:
        return self.LEFT + (value / self._length - self._from) / (self._to - self._from) * self._room

    def fit(self) -> None:
        """Show the whole."""
        self._show(0.0, 1.0)

    def zoom(self, factor: float, at: float) -> None:
        """Show less or more around a horizontal place of the widget."""
        share = min(max((at - self.LEFT) / max(self._room, 1), 0.0), 1.0)
        middle = self._from + share * (self._to - self._from)
        span = min(max((self._to - self._from) / factor, 1 / _MOST_ZOOM), 1.0)
        self._show(middle - share * span, span)

    def _show(self, begin: float, span: float) -> None:
        self._from = min(max(begin, 0.0), 1.0 - span)
        self._to = self._from + span
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self.zoom(_STEP**steps, event.position().x())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag = event.position().x(), self._from, self._to

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None and event.buttons():
            at, begin, end = self._drag
            self._show(begin + (at - event.position().x()) / max(self._room, 1) * (end - begin), end - begin)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._drag = self._drag, None
        if pressed is not None and abs(pressed[0] - event.position().x()) <= CLICK:
            self._clicked(event.position())

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.fit()
