"""What charts of memory have in common: the area of the curve, lines at heights, and the peak with its words."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend
from app.widgets.axes.drawn_widget import DrawnWidget
from compiler.model.ir.tensor_types import describe_bytes


class MemoryAxes(DrawnWidget):
    """Bytes from below to above; who derives from it says what stands beside each other."""

    LEFT, RIGHT, TOP, BOTTOM = 84, 14, 28, 24

    def sizeHint(self) -> QSize:
        return QSize(600, 260)

    def _area(self) -> QRectF:
        return QRectF(
            self.LEFT,
            self.TOP,
            self.width() - self.LEFT - self.RIGHT,
            self.height() - self.TOP - self.BOTTOM,
        )

    def _index_at(self, x: float, count: int) -> int | None:
        """Which of so many that share the width evenly is at a horizontal place."""
        area = self._area()
        index = int((x - area.left()) / max(area.width(), 1) * count)
        return index if count and area.left() <= x <= area.right() and index < count else None

    def _paint_heights(self, painter: QPainter, most: float) -> None:
        """Lines at nothing, half and all of a height, with their bytes."""
        colors, area = current.colors(), self._area()
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for share in (0.0, 0.5, 1.0):
            y = area.bottom() - area.height() * share
            painter.setPen(QPen(QColor(blend(colors.panel, colors.line, 0.7)), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colors.dim_text))
            label = QRectF(0, y - 9, self.LEFT - 8, 18)
            draw_text(painter, label, align, describe_bytes(round(most * share)))

    def _paint_peak(self, painter: QPainter, location: QPointF, words: str) -> None:
        """A ring around the highest point, and above it what it is."""
        area, color = self._area(), QColor(current.colors().error)
        painter.setPen(QPen(color, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(location, 5, 5)
        words = elided(painter.fontMetrics(), words, Qt.TextElideMode.ElideRight, int(area.width()))
        width = painter.fontMetrics().horizontalAdvance(words)
        left = min(max(location.x() - width / 2, area.left()), area.right() - width)
        painter.setPen(color)
        where = QRectF(left, self.TOP - 24, width + 2, 20)
        draw_text(painter, where, Qt.AlignmentFlag.AlignVCenter, words)
