"""Lines of a program that hold characters a screen hides or obeys are painted by us, with these written out. The text itself
stays what it is: what is copied, searched and saved is the file's.
"""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextBlock
from PySide6.QtWidgets import QPlainTextEdit

from app.theme import current
from app.theme.drawn_text import draw_text_at
from compiler.analysis.text_format.visible_text import hides_something, visible

__all__ = ["hides_something", "paint_hidden_text", "shown_end"]
_TAB = " " * 4


def paint_hidden_text(
    painter: QPainter, editor: QPlainTextEdit, lines: Iterable[tuple[int, float, float]]
) -> None:
    """Paint what the highlighter left unpainted, of the lines in view given as (line, top, height)."""
    colors, metrics = current.colors(), QFontMetricsF(editor.font())
    left = editor.contentOffset().x() + editor.document().documentMargin()
    painter.setFont(editor.font())
    cursor = editor.textCursor()
    for line, top, height in lines:
        block = editor.document().findBlockByNumber(line - 1)
        if not hides_something(block.text()):
            continue
        first, last = block.position(), block.position() + block.length()
        if cursor.hasSelection() and cursor.selectionStart() < last and cursor.selectionEnd() > first:
            # Qt paints what is selected in a colour of its own
            painter.fillRect(QRectF(0, top, editor.viewport().width(), height), editor.palette().highlight())
            painter.setPen(editor.palette().highlightedText().color())
        else:
            painter.setPen(QColor(colors.warning))
        draw_text_at(painter, QPointF(left, top + metrics.ascent()), _shown(block))


def shown_end(block: QTextBlock, font: QFont) -> float:
    """How wide a line of ours is; 0 where Qt paints it."""
    return QFontMetricsF(font).horizontalAdvance(_shown(block)) if hides_something(block.text()) else 0.0


def _shown(block: QTextBlock) -> str:
    return visible(block.text()).replace("\t", _TAB)
