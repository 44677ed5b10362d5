"""What a code view draws behind and over its text: backgrounds and outlines of lines, and where they are in the whole."""

from collections.abc import Collection, Iterable, Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from app.theme import current

VisibleLine = tuple[int, float, float]
"""(line, top, height)"""

_MOST_FILLED = 24
"""Pinned lines that get a background as well as an outline: a whole kernel in one colour could not be read."""
_TICK_WIDTH = 4


def paint_backgrounds(
    painter: QPainter,
    lines: Iterable[VisibleLine],
    width: float,
    tints: Mapping[int, str],
    pinned: Collection[int],
    cursor_line: int,
) -> None:
    """Tints of lines, the pinned ones warmer, and the line of the text cursor (0: none)."""
    colors = current.colors()
    warm, cursor = QColor(colors.pinned), QColor(colors.line)
    warm.setAlpha(60 if len(pinned) <= _MOST_FILLED else 0)
    cursor.setAlpha(90)
    for line, top, height in lines:
        box = QRectF(0, top, width, height)
        if tint := tints.get(line):
            painter.fillRect(box, QColor(tint))
        if line in pinned:
            painter.fillRect(box, warm)
        elif line == cursor_line:
            painter.fillRect(box, cursor)


def paint_outlines(
    painter: QPainter, lines: Iterable[VisibleLine], width: float, outlined: Collection[int], color: str
) -> None:
    """One box around each run of neighbouring lines."""
    if not outlined:
        return
    # The box lies just outside of its lines: inside it would hide underscores.
    painter.setPen(QPen(QColor(color), 1))
    run: QRectF | None = None
    for line, top, height in lines:
        box = QRectF(0, top, width - 1, height)
        if line in outlined:
            # A run that began above the view is left open there.
            box = box.adjusted(0, -9 if run is None and line - 1 in outlined else 0, 0, 0)
            run = box if run is None else run.united(box)
        elif run is not None:
            painter.drawRect(run.adjusted(0, -1, 0, 0))
            run = None
    if run is not None:
        painter.drawRect(run.adjusted(0, -1, 0, 0))


def paint_overview(
    painter: QPainter, area: QRectF, line_count: int, marked: Iterable[tuple[Collection[int], str]]
) -> None:
    """Ticks along the right edge that say where in the whole text the lines of each colour are."""
    scale = area.height() / max(line_count, 1)
    height = max(3.0, scale)
    left = area.right() - _TICK_WIDTH
    for lines, color in marked:
        last = -10.0
        for line in sorted(lines):
            top = area.top() + (line - 1) * scale
            if top - last >= 1:
                painter.fillRect(QRectF(left, top, _TICK_WIDTH, height), QColor(color))
                last = top
