"""An arrow under the mouse with its ends to be taken, and the arrow that is being drawn to another box."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.painting.brushes import pen

_RADIUS = 5.0


def paint_handles(painter: QPainter, path: QPainterPath, color: QColor, ground: QColor, zoom: float) -> None:
    """The arrow in colour, a ring at either end."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(color, max(2.4, 1.6 / zoom)))
    painter.drawPath(path)
    radius = _RADIUS / max(zoom, 0.4)
    painter.setBrush(ground)
    for end in (path.pointAtPercent(0), path.pointAtPercent(1)):
        painter.drawEllipse(end, radius, radius)


def paint_drag(
    painter: QPainter, fixed: QPointF, free: QPointF, target: QRectF | None, color: QColor, zoom: float
) -> None:
    """A straight dashed arrow from the end that stays to the mouse, and a frame around where it would go."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    line = pen(color, max(2.4, 1.8 / zoom))
    line.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(line)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawLine(fixed, free)
    painter.setPen(pen(color, max(2.4, 1.8 / zoom)))
    if target is not None:
        painter.drawRoundedRect(target.adjusted(-5, -5, 5, 5), 9, 9)
    painter.setBrush(color)
    radius = _RADIUS / max(zoom, 0.4)
    painter.drawEllipse(free, radius, radius)
