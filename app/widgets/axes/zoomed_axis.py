"""A time axis that the wheel zooms, dragging moves and a double click fits; what stands on it is drawn by who derives from it."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.drawn_text import draw_text
from app.theme.palette import blend
from app.widgets.axes.drawn_widget import DrawnWidget
from compiler.analysis.text_format.axis_ticks import ticks

RIGHT = 14
AXIS = 20
"""Pixels that the numbers of the axis take above what stands on it."""
CLICK = 4
"""Pixels that the mouse may move between press and release of a click, or be beside what it means."""
_MOST_ZOOM = 2000.0
_STEP = 1.25


class ZoomedAxis(DrawnWidget):
    """Knows which part of a length is shown, and where on the widget."""

    LEFT = 0
    """Pixels before the axis begins."""

    def __init__(self, parent: QWidget | None, name: str) -> None:
        super().__init__(name, parent)
        self._from, self._to = 0.0, 1.0
        self._drag: tuple[float, float, float] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

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

    def _tick_step(self, span: float) -> float:
        """How far apart numbers stand, so that a span of these has not too many."""
        return (ticks(span, max(2, (self.width() - self.LEFT) // 90))[1:] or [span])[0]

    def _paint_ticks(
        self, painter: QPainter, step: float, label: Callable[[float], str], unit: float = 1.0
    ) -> None:
        """A line at every so many units, with a number above it."""
        colors = current.colors()
        begin, end = (at / unit for at in self.shown)
        tick = step * int(begin / step)
        while tick <= end + step / 1e3:
            x = self._x(tick * unit)
            if x >= self.LEFT - 1:
                painter.setPen(QPen(QColor(blend(colors.panel, colors.line, 0.6)), 1))
                painter.drawLine(QPointF(x, AXIS), QPointF(x, self.height()))
                painter.setPen(QColor(colors.dim_text))
                area = QRectF(x - 45, 2, 90, AXIS - 4)
                draw_text(painter, area, Qt.AlignmentFlag.AlignCenter, label(tick))
            tick += step

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
