"""One step on a time axis: an eager lane above a compiled lane. The wheel zooms, dragging moves, a double click fits."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.panes.timings_pane.timeline_lanes import Box, Lane, color_of, format_moved, format_span
from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.translation.texts import tr
from app.widgets.axes.zoomed_axis import AXIS, RIGHT, ZoomedAxis
from compiler.analysis.text_format.times import time_text, unit_for
from compiler.model.timing.step_trace import Span, SpanKind

_SEPARATE_FROM = 3.0
"""Pixels: narrower boxes have no room for a line between them."""
_LEAST_NAME, _LEAST_LETTERS = 12, 8
"""Pixels for any name; letters that a shortened one must have."""
_COMPACT_BELOW = 190
"""Pixels of height under which lanes have no line of words above them."""
_DARK_TEXT = (SpanKind.GENERATED, SpanKind.EXTERN, SpanKind.OPERATION)


class StepTimeline(ZoomedAxis):
    """Draws lanes; knows boxes by the kernels they are of."""

    kernel_clicked = Signal(int)
    line_clicked = Signal(str, int)
    """The user's line that asked for an eager operation: file, number."""
    LEFT = 78

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("One step on a time axis"))
        self.lanes: tuple[Lane, ...] = ()
        self._marked: frozenset[int] = frozenset()
        self.setMinimumHeight(90)

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Draw these; what is zoomed in on stays."""
        self.lanes = lanes
        self.update()

    def mark_kernels(self, kernels: set[int]) -> None:
        """Frame the boxes of these kernels."""
        self._marked = frozenset(kernels)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 260)

    # -- geometry ----------------------------------------------------------------------------------------------

    @property
    def _length(self) -> float:
        longest = [max(lane.length, lane.median or 0.0) for lane in self.lanes]
        return max(longest, default=1.0)

    @property
    def _compact(self) -> bool:
        return self.height() < _COMPACT_BELOW

    @property
    def _title(self) -> int:
        """Pixels of the line of words above a lane."""
        return 0 if self._compact else 18

    def _row_height(self) -> float:
        rows = sum(lane.rows for lane in self.lanes) or 1
        room = self.height() - AXIS - len(self.lanes) * (self._title + 6)
        return min(26.0, max(6.0, room / rows))

    def _top(self, index: int) -> float:
        """Where a lane begins."""
        height = self._row_height()
        return AXIS + sum(self._title + lane.rows * height + 6 for lane in self.lanes[:index])

    def box_area(self, lane: int, box: Box) -> QRectF:
        """Where a box is drawn."""
        height, top = self._row_height(), self._top(lane) + self._title
        left, right = self._x(box.span.begin), self._x(box.span.end)
        return QRectF(left, top + box.row * height, max(right - left, 1.0), height - 2)

    def box_at(self, location: QPointF) -> Box | None:
        """The innermost box at a point, with a little room beside thin ones."""
        found: tuple[float, Box] | None = None
        for index, lane in enumerate(self.lanes):
            for box in lane.boxes:
                area = self.box_area(index, box)
                if area.adjusted(-2, 0, 2, 2).contains(location):
                    distance = abs(area.center().x() - location.x()) if area.width() < 5 else 0.0
                    if found is None or distance <= found[0]:
                        found = distance, box
        return found[1] if found else None

    def _clicked(self, location: QPointF) -> None:
        box = self.box_at(location)
        if box is not None and box.span.kernel >= 0:
            self.kernel_clicked.emit(box.span.kernel)
        elif box is not None and box.span.line:
            self.line_clicked.emit(box.span.path, box.span.line)

    def tip_at(self, location: QPointF) -> str:
        box = self.box_at(location)
        if box is None:
            return self._format_lanes()
        span = box.span
        text = tr("{words_for}\n{time}, from {time2} on").format(
            words_for=format_span(span),
            time=time_text(span.end - span.begin),
            time2=time_text(span.begin),
        )
        text += format_moved(span)
        return text + (tr("\nClick to select it in every pane.") if span.kernel >= 0 or span.line else "")

    def _format_lanes(self) -> str:
        lines = [f"{lane.title}, {time_text(lane.length)}: {lane.note}" for lane in self.lanes]
        return "\n".join(
            [*lines, tr("The wheel zooms, dragging moves, a double click shows the whole step.")]
        )

    # -- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current.colors().panel))
        if not self.lanes:
            return
        self._paint_axis(painter)
        for index, lane in enumerate(self.lanes):
            self._paint_lane(painter, index, lane)

    def _paint_axis(self, painter: QPainter) -> None:
        unit, size = unit_for(self._length)
        begin, end = (at / size for at in self.shown)
        step = self._tick_step(end - begin)

        def label(tick: float) -> str:
            return f"{tick:g} {unit}" if tick == 0 or tick + step > end else f"{tick:g}"

        self._paint_ticks(painter, step, label, size)

    def _paint_lane(self, painter: QPainter, index: int, lane: Lane) -> None:
        colors = current.colors()
        height, top = self._row_height(), self._top(index)
        painter.setPen(QColor(colors.text))
        words = max(self._title, 18)
        draw_text(painter, QRectF(6, top, self.LEFT, words), Qt.AlignmentFlag.AlignVCenter, lane.title)
        painter.setPen(QColor(colors.dim_text))
        if self._compact:
            area = QRectF(6, top + 15, self.LEFT, words)
            draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, time_text(lane.length))
        else:
            text, room = f"{time_text(lane.length)} · {lane.note}", self.width() - self.LEFT - 8
            text = elided(painter.fontMetrics(), text, Qt.TextElideMode.ElideRight, room)
            area = QRectF(self.LEFT, top, self.width(), words)
            draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, text)
        painter.save()
        painter.setClipRect(QRectF(self.LEFT, 0, self._room + 2, self.height()))
        for box in lane.boxes:
            area = self.box_area(index, box)
            if area.right() >= self.LEFT and area.left() <= self.width():
                self._paint_box(painter, box, area)
        if lane.median is not None:
            self._paint_median(painter, top, lane, height)
        painter.restore()

    def _paint_box(self, painter: QPainter, box: Box, area: QRectF) -> None:
        colors = current.colors()
        span = box.span
        fill = color_of(span.kind, colors)
        painter.fillRect(area, QColor(fill))
        if area.width() >= _SEPARATE_FROM:  # so that kernels that follow at once are seen apart
            painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), QColor(colors.panel))
        if span.kernel >= 0 and span.kernel in self._marked:
            painter.setPen(QPen(QColor(colors.pinned), 2))
            painter.drawRect(area)
        shown = area.intersected(QRectF(self.LEFT, 0, self._room, self.height()))
        text = self._name_for(painter, span, shown)
        if text and area.height() >= 12:
            dark_on_light = span.kind in _DARK_TEXT and not colors.dark
            painter.setPen(
                QColor(
                    "#ffffff" if dark_on_light else colors.window if span.kind in _DARK_TEXT else colors.text
                )
            )
            draw_text(painter, shown.adjusted(3, 0, -3, 0), Qt.AlignmentFlag.AlignVCenter, text)

    @staticmethod
    def _name_for(painter: QPainter, span: Span, shown: QRectF) -> str:
        """As much of a span's name as fits, or nothing where that would say nothing."""
        name, room = span.name or format_span(span), int(shown.width()) - 6
        if room < _LEAST_NAME:
            return ""
        text = elided(painter.fontMetrics(), name, Qt.TextElideMode.ElideMiddle, room)
        return text if text == name or len(text) >= _LEAST_LETTERS else ""

    def _paint_median(self, painter: QPainter, top: float, lane: Lane, height: float) -> None:
        assert lane.median is not None
        color = QColor(current.colors().accent)
        x = self._x(lane.median)
        painter.setPen(QPen(color, 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, top), QPointF(x, top + self._title + lane.rows * height))
        if self._compact:
            return
        text = tr("median without {seen_with} {time}").format(
            seen_with=lane.seen_with, time=time_text(lane.median)
        )
        width = painter.fontMetrics().horizontalAdvance(text)
        fits = x + width + 8 < self.width() - RIGHT
        area = QRectF(x + 4 if fits else x - width - 6, top, width + 4, self._title)
        painter.fillRect(area, QColor(current.colors().panel))
        painter.setPen(color)
        draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, text)
