"""The strip left of a code view: marks, line numbers, stripes."""

from collections.abc import Iterator
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.theme import current
from app.theme.drawn_text import draw_text
from app.widgets.gutter_marks import GutterMark, GutterTime, draw_mark
from app.widgets.line_folds import LineFolds, fold_tip
from compiler.analysis.repeated_text.repeated_lines import RepeatedLines

_STRIPE = 4
_GAP = 5
_ROOM_FOR_BOTH = 108
"""Letters of width from which on a line's own time and that with callees have a column each."""


class GutterOwner(Protocol):
    """What the gutter asks of the view it belongs to, and what it tells it."""

    pinned: frozenset[int]
    shows_numbers: bool

    @property
    def has_marks(self) -> bool:
        """Whether room for signs is needed."""

    @property
    def widest_stripe(self) -> int:
        """Most stripes side by side."""

    @property
    def current_line(self) -> int:
        """Where the text cursor is."""

    folds: LineFolds

    def blockCount(self) -> int:
        """How many lines there are."""

    def font(self) -> QFont:
        """The font of the text."""

    def fontMetrics(self) -> QFontMetrics:
        """Its measures."""

    def visible_lines(self) -> Iterator[tuple[int, float, float]]:
        """(line, top, height) of every line in view."""

    def marks_on(self, line: int) -> list[GutterMark]:
        """Signs beside a line."""

    def stripes_on(self, line: int) -> tuple[str, ...]:
        """Colours of the bars beside a line."""

    def time_on(self, line: int) -> GutterTime | None:
        """What a line costs."""

    @property
    def widest_times(self) -> tuple[int, int]:
        """Letters of the longest own time, and of the longest with callees; 0 where there are none."""

    def width(self) -> int:
        """Pixels of the whole view."""

    def tooltip_of(self, line: int) -> str:
        """What is said about a line."""

    def line_at(self, y: float) -> int:
        """The line at a height, or 0."""

    def hover_at(self, y: float) -> None:
        """The mouse is at this height; negative: it left."""

    def click_line(self, line: int, modifiers: Qt.KeyboardModifier) -> None:
        """A line was clicked in the gutter."""


class CodeGutter(QWidget):
    """Draws what its editor holds for the visible lines; a click counts as a click on the line."""

    def __init__(self, editor: GutterOwner, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor = editor
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def width_needed(self) -> int:
        """Pixels for marks, the longest number and the widest stack of stripes."""
        metrics = self._editor.fontMetrics()
        width = _GAP
        if self._editor.has_marks:
            width += metrics.height() + 2
        width += sum(column + _GAP for column in self._time_columns() if column)
        if self._editor.shows_numbers:
            width += metrics.horizontalAdvance("9") * max(3, len(str(self._editor.blockCount()))) + _GAP
        width += self._fold_width()
        width += _STRIPE * max(1, self._editor.widest_stripe) + _GAP
        return width

    def _fold_width(self) -> int:
        """Pixels for the signs that fold, between numbers and stripes."""
        return self._editor.fontMetrics().horizontalAdvance("▾") + _GAP if self._editor.folds.runs else 0

    def _time_columns(self) -> tuple[int, int]:
        """Pixels for own times and for those with callees; one column for both where code would get too little room."""
        own, total = self._editor.widest_times
        letter = self._editor.fontMetrics().horizontalAdvance("0")
        if own and total and self._editor.width() < letter * _ROOM_FOR_BOTH:
            own, total = max(own, total), 0
        return letter * own, letter * total

    def sizeHint(self) -> QSize:
        return QSize(self.width_needed(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        editor, colors = self._editor, current.colors()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(colors.window))
        painter.setFont(editor.font())
        stripes_left = self.width() - _GAP - _STRIPE * max(1, editor.widest_stripe)
        height, folds = editor.fontMetrics().height(), self._fold_width()
        for line, top, line_height in editor.visible_lines():
            for mark in editor.marks_on(line):
                draw_mark(painter, QRectF(2, top, height, line_height), mark.shape, mark.color)
            self._paint_time(painter, line, top, line_height)
            if editor.shows_numbers:
                strong = line in editor.pinned or line == editor.current_line
                painter.setPen(QColor(colors.text if strong else colors.dim_text))
                box = QRectF(0, top, stripes_left - _GAP - folds, height)
                if editor.folds.row_on(line) is None:
                    draw_text(
                        painter, box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line)
                    )
            if folds:
                self._paint_fold(painter, line, QRectF(stripes_left - folds, top, folds - _GAP, line_height))
            for index, color in enumerate(editor.stripes_on(line)):
                box = QRectF(stripes_left + index * _STRIPE, top, _STRIPE - 1, line_height)
                painter.fillRect(box, QColor(color))
        painter.end()

    def _paint_fold(self, painter: QPainter, line: int, box: QRectF) -> None:
        """A triangle where something is folded or can be, and a line beside what repeats."""
        folds, color = self._editor.folds, QColor(current.colors().dim_text)
        sign = "▸" if folds.row_on(line) is not None else "▾" if folds.begins(line) is not None else ""
        if sign:
            painter.setPen(color)
            draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, sign)
        elif folds.is_repeated(line):
            middle = QRectF(box.center().x(), box.top(), 1, box.height())
            painter.fillRect(middle, QColor(current.colors().line))

    def _paint_time(self, painter: QPainter, line: int, top: float, height: float) -> None:
        row = self._editor.time_on(line)
        if row is None:
            return
        colors, left = current.colors(), float(_GAP)
        if self._editor.has_marks:
            left += self._editor.fontMetrics().height() + 2
        own, total = self._time_columns()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        first = QRectF(left - 3, top, own + 4, height)
        if row.own and own:
            painter.fillRect(first, QColor(row.color or colors.window))
            painter.setPen(QColor(colors.text))
            draw_text(painter, first.adjusted(0, 0, -2, 0), right, row.own)
        if row.total and (total or not row.own):
            box = (
                QRectF(left + own + _GAP * bool(own), top, total, height)
                if total
                else first.adjusted(0, 0, -2, 0)
            )
            painter.setPen(QColor(colors.dim_text))
            draw_text(painter, box, right, row.total)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        editor = self._editor
        line = editor.line_at(event.position().y())
        if not line or event.button() is not Qt.MouseButton.LeftButton:
            return
        begins = self.fold_at(event.position().toPoint())
        if (row := editor.folds.row_on(line)) is not None:
            editor.folds.unfold(row)
        elif begins is not None:
            editor.folds.fold(*begins)
        else:
            editor.click_line(line, event.modifiers())

    def fold_at(self, place: QPoint) -> tuple[RepeatedLines, int] | None:
        """The repetition that a click there would fold."""
        right = self.width() - _GAP - _STRIPE * max(1, self._editor.widest_stripe)
        on_sign = right - self._fold_width() <= place.x() < right
        return self._editor.folds.begins(self._editor.line_at(place.y())) if on_sign else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._editor.hover_at(event.position().y())

    def leaveEvent(self, event: QEvent) -> None:
        self._editor.hover_at(-1)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = self._editor.line_at(event.pos().y())
            tips = [mark.tooltip for mark in self._editor.marks_on(line) if mark.tooltip]
            if (begins := self._editor.folds.begins(line)) is not None:
                tips.append(fold_tip(*begins))
            QToolTip.showText(event.globalPos(), "\n\n".join(tips) or self._editor.tooltip_of(line), self)
            return True
        return super().event(event)
