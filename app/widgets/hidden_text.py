"""Lines of a program that hold characters a screen hides or obeys are painted by us, with these written out. The text itself
stays what it is: what is copied, searched and saved is the file's.

Qt lays the line out as it is and paints it without colour; where a letter of it is seen is known here only, so the selection, the
text cursor and what the mouse points at are translated.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit

from app.theme import current
from compiler.analysis.text_format.visible_text import hides_something, visible

__all__ = ["HiddenLine", "hides_something", "paint_hidden_text", "place_seen", "shown_end", "unpainted"]
_COLOR = QTextFormat.Property.UserProperty + 1
"""Of a format that paints nothing: the colour that it had."""
_WIDE = 1e7
_LONGEST = 20_000
"""Characters of a line that are seen; what a stranger hid in the rest would be laid out with every picture."""
_CURSOR = 1
"""Pixels."""


def unpainted(shown: QTextCharFormat) -> QTextCharFormat:
    """The format without a colour to paint in, which it keeps for us."""
    made = QTextCharFormat(shown)
    if shown.foreground().style() is not Qt.BrushStyle.NoBrush:
        made.setProperty(_COLOR, shown.foreground().color())
    made.setForeground(Qt.GlobalColor.transparent)
    return made


class HiddenLine:
    """One such line as it is seen."""

    def __init__(self, block: QTextBlock, font: QFont) -> None:
        self._starts = [0]
        """Where each of Qt's 16-bit characters, and the end, stands in what is seen."""
        self._written_out: list[tuple[int, int]] = []
        seen = []
        for char in block.text():
            first = self._starts[-1]
            shown = visible(char) if first < _LONGEST else ""
            seen.append(shown)
            last = first + (_units(char) if shown == char else len(shown))
            if _units(char) == 2:
                self._starts.append(first)
            self._starts.append(last)
            if shown not in ("", char):
                self._written_out.append((first, last))
        if self._starts[-1] >= _LONGEST:
            seen.append("…")
        self._layout = QTextLayout("".join(seen), font)
        self._layout.setTextOption(block.layout().textOption())
        self._layout.setFormats(self._formats(block))
        self._layout.beginLayout()
        line = self._layout.createLine()
        line.setLineWidth(_WIDE)
        line.setPosition(QPointF(0, 0))
        self._layout.endLayout()

    @property
    def width(self) -> float:
        """In pixels."""
        return self._layout.lineAt(0).naturalTextWidth()

    def x_of(self, index: int) -> float:
        """Where a character is seen to begin, in pixels from the line's beginning."""
        place = self._starts[min(index, len(self._starts) - 1)]
        found: Any = self._layout.lineAt(0).cursorToX(place)  # PySide gives (x, the place that was possible)
        return float(found[0])

    def index_at(self, x: float) -> int:
        """The character, or the end, whose beginning is seen next to there."""
        seen = self._layout.lineAt(0).xToCursor(x)
        after = min(bisect_left(self._starts, seen), len(self._starts) - 1)
        before = max(after - 1, 0)
        return before if seen - self._starts[before] < self._starts[after] - seen else after

    def paint(
        self, painter: QPainter, at: QPointF, palette: QPalette, selected: tuple[int, int] | None
    ) -> None:
        """In the colours that its letters have, what is written out in a warning's. `selected`: from and to."""
        marked = []
        if selected is not None:
            shape = QTextCharFormat()
            shape.setBackground(palette.highlight())
            shape.setForeground(palette.highlightedText())
            marked.append(_range(self._starts[selected[0]], self._starts[selected[1]], shape))
        painter.setPen(palette.text().color())
        self._layout.draw(painter, at, marked)

    def paint_cursor(self, painter: QPainter, at: QPointF, index: int, width: int) -> None:
        self._layout.drawCursor(painter, at, self._starts[index], width)

    def _formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        """The colours of its letters, and that of what is written out, which goes before."""
        found, end = [], len(self._starts) - 1
        for part in block.layout().formats():
            shape, color = QTextCharFormat(part.format), part.format.property(_COLOR)
            if isinstance(color, QColor):
                shape.setForeground(color)
            else:
                shape.clearForeground()
            first, last = part.start, min(part.start + part.length, end)
            found.append(_range(self._starts[first], self._starts[last], shape))
        warning = QTextCharFormat()
        warning.setForeground(QColor(current.colors().warning))
        return [*found, *(_range(first, last, warning) for first, last in self._written_out)]


def paint_hidden_text(
    painter: QPainter,
    editor: QPlainTextEdit,
    lines: Iterable[tuple[int, float, float]],
    paint_ground: Callable[[tuple[int, float, float]], None],
) -> None:
    """Paint what the highlighter left unpainted, of the lines in view given as (line, top, height). `paint_ground` paints
    over what Qt has painted of a line: what is selected, and its cursor with the mark of its direction.
    """
    cursor = editor.textCursor()
    for line, top, height in lines:
        block = editor.document().findBlockByNumber(line - 1)
        if not hides_something(block.text()):
            continue
        shown, at = HiddenLine(block, editor.font()), QPointF(_left(editor), top)
        first, length = block.position(), block.length() - 1
        begin = min(max(cursor.selectionStart() - first, 0), length)
        end = min(max(cursor.selectionEnd() - first, 0), length)
        if begin < end or block == cursor.block():
            paint_ground((line, top, height))
        shown.paint(painter, at, editor.palette(), (begin, end) if begin < end else None)
        if _has_cursor(editor) and block == cursor.block():
            painter.setPen(editor.palette().text().color())
            shown.paint_cursor(painter, at, cursor.positionInBlock(), _CURSOR)
    hides = hides_something(cursor.block().text())
    if editor.cursorWidth() != (wanted := 0 if hides else _CURSOR):  # Qt's own would stand elsewhere
        editor.setCursorWidth(wanted)


def place_seen(editor: QPlainTextEdit, at: QPointF) -> int | None:
    """Where in the text the letter is that is seen there; None on a line that Qt paints, and finds it on."""
    block = editor.cursorForPosition(at.toPoint()).block()
    if not hides_something(block.text()):
        return None
    return block.position() + HiddenLine(block, editor.font()).index_at(at.x() - _left(editor))


def shown_end(block: QTextBlock, font: QFont) -> float:
    """How wide a line of ours is; 0 where Qt paints it."""
    return HiddenLine(block, font).width if hides_something(block.text()) else 0.0


def _units(char: str) -> int:
    return 2 if ord(char) > 0xFFFF else 1


def _has_cursor(editor: QPlainTextEdit) -> bool:
    keys = Qt.TextInteractionFlag.TextEditable | Qt.TextInteractionFlag.TextSelectableByKeyboard
    return editor.hasFocus() and bool(editor.textInteractionFlags() & keys)


def _left(editor: QPlainTextEdit) -> float:
    return editor.contentOffset().x() + editor.document().documentMargin()


def _range(first: int, last: int, shape: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = first, last - first, shape
    return made
