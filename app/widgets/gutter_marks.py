"""What can stand in the gutter of a code view or before a row, as data, and how it is drawn."""

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

MARK_SHAPES = ("stop", "dot", "arrow", "cross", "bar", "gap")


@dataclass(frozen=True)
class GutterMark:
    """A sign beside one line. Shapes differ as well as colours, for those who cannot distinguish the colours."""

    line: int
    shape: str
    """One of `MARK_SHAPES`: ``stop`` a no-entry sign, ``dot``, ``arrow`` pointing at the line, ``cross``;
    at the very edge, beside any other: ``bar`` along the line, ``gap`` below it."""
    color: str
    tooltip: str = ""


@dataclass(frozen=True)
class GutterTime:
    """What a line costs, beside its number."""

    own: str = ""
    total: str = ""
    """With what it calls; empty where that is no more."""
    color: str = ""
    """Heat, behind the text."""


def draw_mark(painter: QPainter, box: QRectF, shape: str, color: str) -> None:
    """Draw a mark in the middle of a box."""
    size = min(box.width(), box.height(), 13.0)
    rect = QRectF(0, 0, size, size)
    rect.moveCenter(box.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    match shape:
        case "stop":
            painter.drawEllipse(rect)
            bar = rect.adjusted(size * 0.2, size * 0.4, -size * 0.2, -size * 0.4)
            painter.fillRect(bar, QColor("#ffffff"))
        case "arrow":
            corners = [
                rect.topLeft() + QPointF(size * 0.2, 0),
                QPointF(rect.right(), rect.center().y()),
                rect.bottomLeft() + QPointF(size * 0.2, 0),
            ]
            painter.drawPolygon(QPolygonF(corners))
        case "cross":
            painter.setPen(QPen(QColor(color), 2))
            inner = rect.adjusted(2, 2, -2, -2)
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
        case "bar":
            painter.fillRect(QRectF(box.left() - 2, box.top(), 3, box.height()), QColor(color))
        case "gap":
            edge = QPointF(box.left() - 2, box.bottom())
            painter.drawPolygon(
                QPolygonF([edge + QPointF(0, -4), edge + QPointF(6, 0), edge + QPointF(0, 4)])
            )
        case _:
            painter.drawEllipse(rect.adjusted(2, 2, -2, -2))
    painter.restore()


@cache
def mark_icon(shape: str, color: str) -> QIcon:
    """A mark as an icon; without a shape it is the room of one."""
    pixmap = QPixmap(16, 16)
    pixmap.fill(Qt.GlobalColor.transparent)
    if shape in MARK_SHAPES:
        painter = QPainter(pixmap)
        draw_mark(painter, QRectF(1, 1, 14, 14), shape, color)
        painter.end()
    return QIcon(pixmap)
