"""At the sides of a canvas where it goes on: what is there fades out, and an arrow points on."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

_DEEP = 22.0
"""Pixels over which it fades."""
_WIDE, _HIGH = 7.0, 4.0
"""Half of the arrow across, and all of it along the way it points."""
_ROUND = 8.0
_NO_FADE = 0
_ALPHA = 225


def paint_more(
    painter: QPainter, frame: QRectF, sides: Iterable[Qt.Edge], canvas: QColor, arrow: QColor
) -> None:
    """frame: the view in pixels, which the painter draws in."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for side in sides:
        strip, outside, inside, way = _strip(frame, side)
        fade = QLinearGradient(outside, inside)
        for at, alpha in ((0.0, _ALPHA), (1.0, _NO_FADE)):
            color = QColor(canvas)
            color.setAlpha(alpha)
            fade.setColorAt(at, color)
        painter.fillRect(strip, fade)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(canvas)
        painter.drawRoundedRect(_pill(strip.center(), way), _ROUND, _ROUND)
        painter.setPen(QPen(arrow, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        across = QPointF(way.y(), way.x())
        tip = strip.center() + way * _HIGH / 2
        back = tip - way * _HIGH
        painter.drawPolyline([back - across * _WIDE, tip, back + across * _WIDE])
    painter.restore()


def _pill(center: QPointF, way: QPointF) -> QRectF:
    """Under the arrow, so that it stands on no text of a box."""
    wide, high = (_WIDE + 7, _ROUND) if way.y() else (_ROUND, _WIDE + 7)
    return QRectF(center.x() - wide, center.y() - high, 2 * wide, 2 * high)


def _strip(frame: QRectF, side: Qt.Edge) -> tuple[QRectF, QPointF, QPointF, QPointF]:
    """The strip, where its fade begins and ends, and which way is out."""
    inner = frame.adjusted(_DEEP, _DEEP, -_DEEP, -_DEEP)
    if side is Qt.Edge.TopEdge:
        strip = QRectF(frame.left(), frame.top(), frame.width(), _DEEP)
        return strip, frame.topLeft(), QPointF(frame.left(), inner.top()), QPointF(0, -1)
    if side is Qt.Edge.BottomEdge:
        strip = QRectF(frame.left(), inner.bottom(), frame.width(), _DEEP)
        return strip, frame.bottomLeft(), QPointF(frame.left(), inner.bottom()), QPointF(0, 1)
    if side is Qt.Edge.LeftEdge:
        strip = QRectF(frame.left(), frame.top(), _DEEP, frame.height())
        return strip, frame.topLeft(), QPointF(inner.left(), frame.top()), QPointF(-1, 0)
    strip = QRectF(inner.right(), frame.top(), _DEEP, frame.height())
    return strip, frame.topRight(), QPointF(inner.right(), frame.top()), QPointF(1, 0)
