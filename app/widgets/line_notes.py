"""Quiet text after the end of a line of code, which is no part of the text: it can't be selected, searched or copied."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.theme.drawn_text import draw_text, elided

_GAP = 28.0
"""Between the code and its first note, in pixels."""
_BETWEEN = 18.0
_LEAST = 40.0
"""A note with less room than this is left away; the tooltip of the line has it."""


@dataclass(frozen=True)
class LineNote:
    """One note beside one line."""

    text: str
    color: str


def paint_notes(
    painter: QPainter,
    ends: Iterable[tuple[int, float, float, float]],
    notes: Mapping[int, Sequence[LineNote]],
    width: float,
    font: QFont,
) -> None:
    """Paint notes of lines given as (line, top, height, where its code ends); what has no room is shortened."""
    italic = QFont(font)
    italic.setItalic(True)
    painter.setFont(italic)
    metrics = QFontMetricsF(italic)
    for line, top, height, end in ends:
        left = end + _GAP
        for note in notes.get(line, ()):
            room = width - left - 8
            if room < _LEAST:
                break
            text = elided(metrics, note.text, Qt.TextElideMode.ElideRight, room)
            painter.setPen(QColor(note.color))
            draw_text(
                painter,
                QRectF(left, top, room, height),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine,
                text,
            )
            left += metrics.horizontalAdvance(text) + _BETWEEN
