"""A lane for each process: every compile as a bar, and below it the time of a step. The wheel zooms, dragging moves."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.axes.zoomed_axis import AXIS, CLICK, RIGHT, ZoomedAxis
from compiler.analysis.running.compile_bars import CompileBar
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.run_story import RunEdit

_BAR, _CURVE, _GAP = 20, 26, 10
_LEAST_NAME = 24


@dataclass(frozen=True)
class RunLane:
    """One process as it is drawn."""

    title: str
    seconds: float
    bars: tuple[CompileBar, ...]
    steps: tuple[tuple[float, float], ...]
    """(seconds since the beginning, seconds of a step then)."""
    going_on: bool
    edits: tuple[RunEdit, ...] = ()
    """When it was edited while it ran."""


class RunTimeline(ZoomedAxis):
    """Draws lanes one below the other on the same axis."""

    compile_clicked = Signal(int, str)
    """Number of the lane, compile id."""
    lane_clicked = Signal(int)
    LEFT = 116

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Compiles and steps on a time axis"))
        self.lanes: tuple[RunLane, ...] = ()
        self._shown, self._marked = 0, ""

    def show_lanes(self, lanes: tuple[RunLane, ...], shown: int) -> None:
        """Draw these; `shown` is the one whose capture the other panes show."""
        self.lanes, self._shown = lanes, shown
        self.setMinimumHeight(self._height_of(len(lanes)))
        self.update()

    def mark(self, compile_id: str) -> None:
        """Frame this compile of the lane that is shown."""
        self._marked = compile_id
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, self._height_of(max(len(self.lanes), 1)))

    @staticmethod
    def _height_of(lanes: int) -> int:
        return AXIS + lanes * (_BAR + _CURVE + _GAP)

    # -- geometry ----------------------------------------------------------------------------------------------

    @property
    def _length(self) -> float:
        return max((lane.seconds for lane in self.lanes), default=1.0) or 1.0

    @staticmethod
    def _top(index: int) -> float:
        return AXIS + index * (_BAR + _CURVE + _GAP)

    def bar_area(self, index: int, bar: CompileBar) -> QRectF:
        """Where a compile is drawn."""
        left, right = self._x(bar.begin), self._x(bar.begin + bar.seconds)
        return QRectF(left, self._top(index), max(right - left, 2.0), _BAR)

    def bar_at(self, location: QPointF) -> tuple[int, CompileBar] | None:
        """The compile at a point, with a little room beside thin ones; the thinner one of two."""
        found: list[tuple[float, int, CompileBar]] = []
        for index, lane in enumerate(self.lanes):
            for bar in lane.bars:
                area = self.bar_area(index, bar)
                if area.adjusted(-2, 0, 2, 2).contains(location):
                    found.append((abs(area.center().x() - location.x()), index, bar))
        return min(found, key=lambda row: row[0])[1:] if found else None

    def lane_at(self, location: QPointF) -> int | None:
        """The process at a point."""
        index = int((location.y() - AXIS) // (_BAR + _CURVE + _GAP))
        return index if location.y() >= AXIS and index < len(self.lanes) else None

    def _clicked(self, location: QPointF) -> None:
        hit, lane = self.bar_at(location), self.lane_at(location)
        if hit is not None:
            self.compile_clicked.emit(hit[0], hit[1].id)
        elif lane is not None:
            self.lane_clicked.emit(lane)

    def tip_at(self, location: QPointF) -> str:
        hit = self.bar_at(location)
        text = _format_compile(hit[1]) if hit is not None else self._format_edit(location)
        return text or tr("The wheel zooms, dragging moves, a double click shows all.")

    def _format_edit(self, location: QPointF) -> str:
        """What was edited at a point, or empty."""
        index = self.lane_at(location)
        edits = self.lanes[index].edits if index is not None else ()
        near = next((edit for edit in edits if abs(self._x(edit.seconds) - location.x()) <= CLICK), None)
        if near is None:
            return ""
        return "\n".join(
            (tr("From here on with"), *near.edits) if near.edits else (tr("From here on without edits"),)
        )

    # -- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current.colors().panel))
        self._paint_axis(painter)
        for index, lane in enumerate(self.lanes):
            self._paint_lane(painter, index, lane)
        painter.end()

    def _paint_axis(self, painter: QPainter) -> None:
        begin, end = self.shown
        step = (end - begin) / 4 if end - begin < 2 else self._tick_step(end - begin)
        self._paint_ticks(painter, step, lambda tick: f"{tick:.3g} s" if tick < 100 else f"{tick:,.0f} s")

    def _paint_lane(self, painter: QPainter, index: int, lane: RunLane) -> None:
        colors, top = current.colors(), self._top(index)
        painter.setPen(QColor(colors.text if index == self._shown else colors.dim_text))
        title = elided(painter.fontMetrics(), lane.title, Qt.TextElideMode.ElideMiddle, self.LEFT - 14)
        draw_text(painter, QRectF(8, top, self.LEFT - 10, _BAR), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setPen(QColor(colors.dim_text))
        draw_text(
            painter, QRectF(8, top + _BAR, self.LEFT - 10, _CURVE), Qt.AlignmentFlag.AlignVCenter, tr("step")
        )
        painter.save()
        painter.setClipRect(QRectF(self.LEFT, 0, self._room + 2, self.height()))
        whole = QRectF(self._x(0.0), top, self._x(lane.seconds) - self._x(0.0), _BAR)
        painter.fillRect(whole, QColor(blend(colors.panel, colors.line, 0.45)))
        for bar in lane.bars:
            area = self.bar_area(index, bar)
            if area.right() >= self.LEFT and area.left() <= self.width():
                self._paint_bar(painter, bar, area, index == self._shown and bar.id == self._marked)
        self._paint_steps(painter, lane, top + _BAR)
        painter.setPen(QPen(QColor(colors.edited), 2))
        for edit in lane.edits:
            x = self._x(edit.seconds)
            painter.drawLine(QPointF(x, top), QPointF(x, top + _BAR + _CURVE))
        painter.restore()

    def _paint_bar(self, painter: QPainter, bar: CompileBar, area: QRectF, marked: bool) -> None:
        colors = current.colors()
        painter.fillRect(area, QColor(color_of(bar)))
        if area.width() >= 3:  # so that compiles that follow at once are seen apart
            painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), QColor(colors.panel))
        if marked:
            painter.setPen(QPen(QColor(colors.pinned), 2))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        shown = area.intersected(QRectF(self.LEFT, 0, self._room, self.height()))
        room = int(shown.width()) - 6
        if room >= _LEAST_NAME:
            painter.setPen(QColor(colors.window if colors.dark else "#ffffff"))
            text = elided(painter.fontMetrics(), bar.id, Qt.TextElideMode.ElideRight, room)
            draw_text(painter, shown.adjusted(4, 0, -2, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_steps(self, painter: QPainter, lane: RunLane, top: float) -> None:
        colors = current.colors()
        if not lane.steps:
            return
        most = max(seconds for _, seconds in lane.steps)
        room = _CURVE - 8
        points = [QPointF(self._x(at), top + 4 + room - seconds / most * room) for at, seconds in lane.steps]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.accent), 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        last = lane.steps[-1][1]
        text = time_text(last * 1e9)
        width = painter.fontMetrics().horizontalAdvance(text) + 4
        x = min(points[-1].x() + 6, self.width() - RIGHT - width)
        area = QRectF(x, top + 2, width, _CURVE - 4)
        painter.fillRect(area, QColor(colors.panel))
        painter.setPen(QColor(colors.accent))
        draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, text)


def color_of(bar: CompileBar) -> str:
    """The colour of a compile in timeline, table and legend."""
    colors = current.colors()
    if bar.failed:
        return colors.error
    if bar.again:
        return colors.warning
    return colors.backward if bar.backward else colors.forward


def _format_compile(bar: CompileBar) -> str:
    what = tr("backward of ") if bar.backward else ""
    again = tr(", compiled again") if bar.again else ""
    lines = [f"{bar.id}: {what}{bar.title}{again}, {time_text(bar.seconds * 1e9)}"]
    longest = sorted(bar.phases, key=lambda phase: -phase.seconds)[:6]
    lines += [f"  {phase.name}: {time_text(phase.seconds * 1e9)}" for phase in longest]
    return "\n".join([*lines, tr("Click to show it in every pane.")])
