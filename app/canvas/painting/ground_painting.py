"""Paints what lies behind the boxes: lanes and the outlines of open modules.

They cover the whole view, often several over one another. So they are filled with opaque colours mixed beforehand, and
only as far as they are in view: blending them layer by layer takes most of a frame.
"""

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.canvas.painting.brushes import Brushes, brushes, mixed, pen
from app.canvas.scene import to_qt
from app.graph_layout.geometry import Frame, LaneBand
from app.theme.colors import Colors

_LANE_STRENGTH = 16 / 255
_FRAME_STRENGTH = 14 / 255
_LANE_ROUND, _FRAME_ROUND = 14.0, 9.0


def paint_lane(painter: QPainter, band: LaneBand, area: QRectF, look: Brushes) -> None:
    """A column in a breath of its colour."""
    rect = to_qt(band.rect)
    color = _ground(look.colors, band.lane, -1)
    if area.contains(rect):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(rect, _LANE_ROUND, _LANE_ROUND)
    else:
        painter.setRenderHint(
            QPainter.RenderHint.Antialiasing, False
        )  # it makes plain fills many times slower
        painter.fillRect(rect.intersected(area), color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def paint_frame(painter: QPainter, frame: Frame, area: QRectF, look: Brushes, zoom: float) -> None:
    """An open module."""
    rect = to_qt(frame.rect)
    color = _ground(look.colors, frame.lane, frame.depth)
    if area.contains(rect):
        painter.setPen(pen(look.faint("dim_text", 90), 1.0, cosmetic=zoom < 0.5))
        painter.setBrush(color)
        painter.drawRoundedRect(rect, _FRAME_ROUND, _FRAME_ROUND)
        return
    beyond = 3 / zoom
    seen = rect.intersected(area.adjusted(-beyond, -beyond, beyond, beyond))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(seen, color)
    thin = 1 / zoom if zoom < 0.5 else 1.0
    line = look.faint("dim_text", 90)
    painter.fillRect(QRectF(seen.left(), seen.top(), seen.width(), thin), line)
    painter.fillRect(QRectF(seen.left(), seen.bottom() - thin, seen.width(), thin), line)
    painter.fillRect(QRectF(seen.left(), seen.top(), thin, seen.height()), line)
    painter.fillRect(QRectF(seen.right() - thin, seen.top(), thin, seen.height()), line)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


@lru_cache(maxsize=256)
def _ground(colors: Colors, lane: str, depth: int) -> QColor:
    """The colour of a lane (depth -1), or of an open module inside so many others."""
    look = brushes(colors)
    color = mixed(look.canvas, look.color(lane), _LANE_STRENGTH) if lane else QColor(look.canvas)
    for _ in range(depth + 1):
        color = mixed(color, look.color("dim_text"), _FRAME_STRENGTH)
    return color
