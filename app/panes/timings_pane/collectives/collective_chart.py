"""Draws calls of generated wrappers from left to right, and above them each collective from its call to its wait: as wide
as they took where all of a wrapper's calls were timed, else in their order alone.
"""

from collections.abc import Mapping
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.axes.drawn_widget import DrawnWidget
from compiler.analysis.queries.collective_order import CallOrder, OrderedCall, OrderedFlight
from compiler.analysis.text_format.times import time_text
from compiler.model.ir.ids import Place

_LEFT, _RIGHT, _TITLE, _ROW, _GAP = 104, 12, 20, 24, 14
_LEAST_SLOT = 26.0
_LEAST_TIMED = 4.0
"""Pixels that a call has, however short it is."""


class CollectiveChart(DrawnWidget):
    """One band for each wrapper."""

    call_clicked = Signal(object)
    """A Place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Collectives and the kernels beside them, in the order of the calls"), parent)
        self.orders: tuple[CallOrder, ...] = ()
        self._rows: list[tuple[int, ...]] = []
        """For each band the row of each flight, so that those that travel at once stand above each other."""
        self._times: dict[Place, float] = {}
        self._marked: frozenset[Place] = frozenset()

    def show_orders(self, orders: tuple[CallOrder, ...]) -> None:
        """Draw these."""
        self.orders = orders
        self._rows = [rows_of(order.flights, len(order.calls)) for order in orders]
        self.setMinimumSize(self.sizeHint())
        self.update()

    def show_times(self, times: Mapping[Place, float]) -> None:
        """Median nanoseconds of calls, by place; empty where nothing was timed."""
        if times != self._times:
            self._times = dict(times)
            self.update()

    def timed(self, band: int) -> list[float]:
        """Nanoseconds of every call of a wrapper; empty where one of them was not timed."""
        found = [self._times.get(call.place) for call in self.orders[band].calls]
        return [] if None in found else [time for time in found if time is not None]

    def mark(self, places: set[Place]) -> None:
        """Frame these calls."""
        self._marked = frozenset(places)
        self.update()

    def sizeHint(self) -> QSize:
        most = max((len(order.calls) for order in self.orders), default=1)
        bands = range(len(self.orders))
        return QSize(int(_LEFT + _RIGHT + most * _LEAST_SLOT), int(sum(map(self._height, bands))) + 8)

    # -- geometry ------------------------------------------------------------------------------------------------

    def _flight_rows(self, band: int) -> int:
        return max(self._rows[band], default=-1) + 1

    def _height(self, band: int) -> float:
        return _TITLE + (self._flight_rows(band) + 1) * _ROW + _GAP

    def _top(self, band: int) -> float:
        return sum(map(self._height, range(band)))

    def _slot(self, band: int) -> float:
        count = max(len(self.orders[band].calls), 1)
        return max((self.width() - _LEFT - _RIGHT) / count, _LEAST_SLOT)

    def _edges(self, band: int) -> list[float]:
        """Where each call begins, and where the last one ends."""
        count, times = len(self.orders[band].calls), self.timed(band)
        if not times or not sum(times):
            return [_LEFT + index * self._slot(band) for index in range(count + 1)]
        room = max(self.width() - _LEFT - _RIGHT - count * _LEAST_TIMED, 0)
        widths = (_LEAST_TIMED + room * time / sum(times) for time in times)
        return list(accumulate(widths, initial=float(_LEFT)))

    def call_area(self, band: int, index: int) -> QRectF:
        """Where a call is drawn."""
        left, right = self._edges(band)[index : index + 2]
        top = self._top(band) + _TITLE + self._flight_rows(band) * _ROW
        return QRectF(left, top, max(right - left - 2, 2), _ROW - 4)

    def flight_area(self, band: int, number: int) -> QRectF:
        """Where a collective is drawn while it travels."""
        flight, edges = self.orders[band].flights[number], self._edges(band)
        end = flight.wait if flight.wait is not None else flight.start
        top = self._top(band) + _TITLE + self._rows[band][number] * _ROW
        return QRectF(edges[flight.start], top, max(edges[end + 1] - edges[flight.start] - 2, 2), _ROW - 4)

    def _at(self, location: QPointF) -> tuple[int, OrderedCall, OrderedFlight | None] | None:
        for band, order in enumerate(self.orders):
            for number, flight in enumerate(order.flights):
                if self.flight_area(band, number).contains(location):
                    return band, order.calls[flight.start], flight
            for index, call in enumerate(order.calls):
                if self.call_area(band, index).contains(location):
                    return band, call, None
        return None

    # -- hands ---------------------------------------------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        found = self._at(event.position())
        if found is not None:
            self.call_clicked.emit(found[1].place)

    def tip_at(self, location: QPointF) -> str:
        found = self._at(location)
        return self._format_call(*found) if found is not None else ""

    def _format_call(self, band: int, call: OrderedCall, flight: OrderedFlight | None) -> str:
        lines = [f"{call.name}: {call.sent.text}" if call.sent is not None else call.name]
        order, times = self.orders[band], self.timed(band)
        if call.place in self._times:
            lines.append(tr("the call takes {time}, median").format(time=time_text(self._times[call.place])))
        if flight is not None and times and flight.wait is not None:
            computing = sum(times[index] for index in order.between(flight))
            waiting = time_text(times[flight.wait])
            lines.append(
                tr("then {time} of kernels are called, then it is waited for {waiting}").format(
                    time=time_text(computing), waiting=waiting
                )
            )
        if flight is not None:
            names = [order.calls[index].name for index in order.between(flight)]
            lines.append(
                tr("meanwhile: {names}").format(names=", ".join(names))
                if names
                else tr("nothing is called meanwhile")
            )
            if flight.wait is None:
                lines.append(tr("this code does not wait for it"))
        return "\n".join([*lines, tr("Click to select it in every pane.")])

    # -- painting ------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, colors = QPainter(self), current.colors()
        painter.fillRect(self.rect(), QColor(colors.panel))
        for band, order in enumerate(self.orders):
            top = self._top(band)
            painter.setPen(QColor(colors.text))
            draw_text(
                painter, QRectF(8, top + 2, 400, _TITLE - 2), Qt.AlignmentFlag.AlignVCenter, order.title
            )
            painter.setPen(QColor(colors.dim_text))
            if order.flights:
                area = QRectF(8, top + _TITLE, _LEFT - 12, _ROW - 4)
                draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, tr("travels"))
            area = self.call_area(band, 0)
            area = QRectF(8, area.top(), _LEFT - 12, area.height())
            axis = tr("calls, timed") if self.timed(band) else tr("calls, in order")
            draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter, axis)
            for number, flight in enumerate(order.flights):
                self._paint_flight(painter, band, number, order, flight)
            for index, call in enumerate(order.calls):
                self._paint_call(painter, self.call_area(band, index), call)
        painter.end()

    def _paint_flight(
        self, painter: QPainter, band: int, number: int, order: CallOrder, flight: OrderedFlight
    ) -> None:
        colors, area = current.colors(), self.flight_area(band, number)
        color = QColor(blend(colors.panel, colors.collective, 0.45))
        painter.fillRect(area, color)
        painter.setPen(QPen(QColor(colors.collective), 1))
        for index in {flight.start, flight.wait}:
            if index is not None:  # down to the calls that begin and end it
                x = self.call_area(band, index).center().x()
                painter.drawLine(QPointF(x, area.bottom()), QPointF(x, self.call_area(band, index).top()))
        start = order.calls[flight.start]
        text = f"{start.name} · {start.sent.text}" if start.sent is not None else start.name
        self._paint_name(painter, area, text, colors.text)

    def _paint_call(self, painter: QPainter, area: QRectF, call: OrderedCall) -> None:
        colors = current.colors()
        fill = {"kernel": colors.fused, "extern": colors.extern}.get(call.kind, colors.collective)
        painter.fillRect(area, QColor(fill))
        if call.place in self._marked:
            painter.setPen(QPen(QColor(colors.pinned), 2))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        self._paint_name(painter, area, call.name, colors.window if colors.dark else "#ffffff")

    @staticmethod
    def _paint_name(painter: QPainter, area: QRectF, text: str, color: str) -> None:
        room = int(area.width()) - 8
        shown = elided(painter.fontMetrics(), text, Qt.TextElideMode.ElideRight, room)
        if len(shown) > 2:
            painter.setPen(QColor(color))
            draw_text(painter, area.adjusted(4, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, shown)


def rows_of(flights: tuple[OrderedFlight, ...], calls: int) -> tuple[int, ...]:
    """The first free row for each flight, in the order in which they begin."""
    free: list[int] = []
    rows = []
    for flight in flights:
        row = next((index for index, until in enumerate(free) if until < flight.start), len(free))
        end = flight.wait if flight.wait is not None else flight.start
        free[row : row + 1] = [min(end, calls)]
        rows.append(row)
    return tuple(rows)
