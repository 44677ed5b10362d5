"""Text that our own painting draws: what a screen hides, or turns around, is written out, as labels and lists do it.

All drawing goes through here; a test sees to it that no other file calls Qt's own.
"""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter

from compiler.analysis.text_format.visible_text import visible

_shown = lru_cache(maxsize=8192)(visible)
"""What is drawn is short, and drawn again with every frame."""


def draw_text(painter: QPainter, area: QRect | QRectF, flags: int | Qt.AlignmentFlag, text: str) -> None:
    """QPainter.drawText in a rectangle."""
    whole = area if isinstance(area, QRectF) else QRectF(area)
    painter.drawText(whole, int(flags), _shown(text))


def draw_text_at(painter: QPainter, start: QPointF, text: str) -> None:
    """QPainter.drawText from a point on the base line on."""
    painter.drawText(start, _shown(text))


def elided(metrics: QFontMetrics | QFontMetricsF, text: str, mode: Qt.TextElideMode, room: float) -> str:
    """As much of a text as fits; what is hidden is written out first, since that is longer."""
    if isinstance(metrics, QFontMetricsF):
        return metrics.elidedText(_shown(text), mode, room)
    return metrics.elidedText(_shown(text), mode, int(room))
