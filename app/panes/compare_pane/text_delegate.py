"""Paints a row of two programs: both sides where there is room, else the line before above the line after."""

from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.canvas.difference_item import state_color, state_sign
from app.canvas.painting.brushes import Brushes, brushes
from app.panes.compare_pane.text_rows import ROW, Line, TextRows
from app.theme import fonts
from app.theme.current import colors
from app.theme.drawn_text import draw_text, draw_text_at
from app.theme.palette import faint
from app.translation.texts import tr
from compiler.analysis.diff.graph_matching import KEPT
from compiler.analysis.diff.text_alignment import Span
from compiler.analysis.text_format.visible_text import visible

_PADDING = 6.0
_SINGLE = int(Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class TextDelegate(QStyledItemDelegate):
    """Knows the rows, how far the texts are shifted to the left, and which rows are selected."""

    def __init__(self, rows: TextRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self.shift = 0.0
        """Pixels that the texts are moved to the left."""
        self.pinned: frozenset[str] = frozenset()
        """Nodes selected, by their names in the merged drawing."""

    def line_height(self) -> int:
        """Height of a row."""
        return round(QFontMetricsF(_font()).height()) + 4

    def text_width(self, letters: int) -> float:
        """Width of so many letters with the gutter."""
        return QFontMetricsF(_font()).horizontalAdvance("0") * (letters + 8) + 24

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, self.line_height())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        line = index.data(ROW)
        if not isinstance(line, Line):
            return
        look, area = brushes(colors()), QRectF(option.rect)
        focused = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setFont(_font())
        if line.hidden:
            _paint_stretch(painter, area, line, look, focused)
        else:
            pinned = not self.pinned.isdisjoint(self._rows.nodes(line))
            self._paint_row(painter, area, line, look, pinned)
        if focused:
            painter.setPen(look.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -1.5, -1.5))
        painter.restore()

    def _paint_row(self, painter: QPainter, area: QRectF, line: Line, look: Brushes, pinned: bool) -> None:
        row = self._rows.text_row(line)
        texts, spans = self._rows.texts(row), self._rows.spans(line)
        if line.side != "both":
            self._paint_alone(painter, area, line, look)
            if pinned:
                _paint_pinned(painter, area, look)
            return
        half = area.width() / 2
        sides = (
            QRectF(area.left(), area.top(), half, area.height()),
            QRectF(area.left() + half, area.top(), half, area.height()),
        )
        for side, (rect, number, text, marked) in enumerate(
            zip(sides, (row.before, row.after), texts, spans, strict=True)
        ):
            state = row.state
            if state == "changed":
                state = "removed" if side == 0 else "added"
            if number and state != KEPT:
                painter.fillRect(
                    rect, faint(state_color(row.state if row.state == "changed" else state, look), 30)
                )
            elif not number:
                painter.fillRect(rect, faint(look.color("dim_text"), 14))
            if number:
                self._paint_side(painter, rect, number, text, row.state, marked, look)
        painter.fillRect(QRectF(area.left() + half - 0.5, area.top(), 1, area.height()), look.color("line"))
        if pinned:
            _paint_pinned(painter, area, look)

    def _paint_alone(self, painter: QPainter, area: QRectF, line: Line, look: Brushes) -> None:
        """The line of one side, over the whole width."""
        row, side = self._rows.text_row(line), 0 if line.side == "before" else 1
        state = row.state
        if state == "changed":
            state = ("removed", "added")[side]
        if state != KEPT:
            painter.fillRect(area, faint(state_color(state, look), 30))
        number = (row.before, row.after)[side]
        self._paint_side(
            painter, area, number, self._rows.texts(row)[side], state, self._rows.spans(line)[side], look
        )

    def _paint_side(
        self,
        painter: QPainter,
        rect: QRectF,
        number: int,
        text: str,
        state: str,
        marked: tuple[Span, ...],
        look: Brushes,
    ) -> None:
        metrics = QFontMetricsF(_font())
        gutter = metrics.horizontalAdvance("00000 ") + 16
        painter.save()
        painter.setClipRect(rect)
        painter.setPen(look.color("dim_text"))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        draw_text(painter, QRectF(rect.left(), rect.top(), gutter - 18, rect.height()), right, str(number))
        if state != KEPT:
            painter.setPen(state_color(state, look))
            draw_text(
                painter,
                QRectF(rect.left() + gutter - 14, rect.top(), 12, rect.height()),
                _SINGLE,
                state_sign(state),
            )
        painter.setClipRect(rect.adjusted(gutter, 0, 0, 0))
        left = rect.left() + gutter - self.shift
        width = metrics.horizontalAdvance("0")
        for first, last in marked:
            location = QRectF(left + first * width, rect.top() + 1, (last - first) * width, rect.height() - 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(look.color("warning"), 90))
            painter.drawRoundedRect(location, 2, 2)
        code, comment = _parts(text)
        painter.setPen(look.color("text"))
        base = QPointF(left, rect.center().y() + metrics.ascent() / 2 - metrics.descent() / 2)
        code, comment = visible(code), visible(comment)
        draw_text_at(painter, base, code)
        if comment:
            painter.setPen(look.color("dim_text"))
            draw_text_at(painter, base + QPointF(width * len(code), 0), comment)
        painter.restore()


def _paint_pinned(painter: QPainter, area: QRectF, look: Brushes) -> None:
    painter.fillRect(area, faint(look.color("pinned"), 45))
    painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), look.color("pinned"))


def _paint_stretch(painter: QPainter, area: QRectF, line: Line, look: Brushes, focused: bool) -> None:
    painter.fillRect(area, look.color("window"))
    painter.setPen(look.color("text" if focused else "dim_text"))
    draw_text(
        painter,
        area.adjusted(_PADDING, 0, 0, 0),
        int(Qt.AlignmentFlag.AlignCenter),
        tr("… {hidden:,} equal lines").format(hidden=line.hidden),
    )


@lru_cache(maxsize=512)
def _parts(text: str) -> tuple[str, str]:
    """The code of a line, and its comment."""
    text = text.expandtabs(4)
    code, found, comment = text.partition("  # ")
    if text.lstrip().startswith("#"):
        return "", text
    return (code, f"{found}{comment}") if found else (text, "")


@lru_cache(maxsize=1)
def _font_of(system: str) -> QFont:
    return fonts.monospace(0.92)


def _font() -> QFont:
    return _font_of(QGuiApplication.font().toString())
