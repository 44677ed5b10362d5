"""Memory kept against operations repeated, a dot a budget; below it measured times where there are any."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.panes.partition_pane.wording import flops_text
from app.theme import current
from app.theme.drawn_text import draw_text
from app.translation.texts import tr
from compiler.model.ir.memory_budget_curve import CurvePoint, MeasuredPoint
from compiler.model.ir.tensor_types import describe_bytes

_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 16, 22, 26


class CurveView(QWidget):
    """A click on a dot asks for its budget."""

    budget_picked = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.points: tuple[CurvePoint, ...] = ()
        self.measured: tuple[MeasuredPoint, ...] = ()
        self.current: float | None = None
        self.setMinimumHeight(130)

    def show_curve(
        self, points: tuple[CurvePoint, ...], measured: tuple[MeasuredPoint, ...], current_budget: float
    ) -> None:
        """Draw these; the budget that the slider stands at is marked."""
        self.points = tuple(point for point in points if point.bytes is not None)
        self.measured, self.current = measured, current_budget
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, 240)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        upper, _ = self._areas()
        locations = [(self._location(point, upper), point) for point in self.points]
        near = min(locations, key=lambda row: (row[0] - event.position()).manhattanLength(), default=None)
        if near is not None and (near[0] - event.position()).manhattanLength() < 24:
            self.budget_picked.emit(near[1].budget)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        upper, lower = self._areas()
        self._paint_estimates(painter, upper)
        if self.measured:
            self._paint_times(painter, lower)
        painter.setPen(QColor(current.colors().dim_text))
        low = QRectF(0, self.height() - _BOTTOM + 4, self.width() - _RIGHT, _BOTTOM)
        draw_text(
            painter,
            low,
            Qt.AlignmentFlag.AlignRight,
            tr("{size} kept").format(size=describe_bytes(self._most())),
        )
        draw_text(painter, low.adjusted(_LEFT, 0, 0, 0), Qt.AlignmentFlag.AlignLeft, "0")

    def _areas(self) -> tuple[QRectF, QRectF]:
        """(where the estimates are drawn, where the times are)."""
        inner = QRectF(_LEFT, _TOP, self.width() - _LEFT - _RIGHT, self.height() - _TOP - _BOTTOM)
        if not self.measured:
            return inner, QRectF()
        half = (inner.height() - 30) / 2
        return (
            QRectF(inner.left(), inner.top(), inner.width(), half),
            QRectF(inner.left(), inner.bottom() - half, inner.width(), half),
        )

    def _most(self) -> int:
        return max([point.bytes or 0 for point in self.points], default=0)

    def _x(self, count: int | None, area: QRectF) -> float:
        return area.left() + area.width() * (count or 0) / max(self._most(), 1)

    def _location(self, point: CurvePoint, area: QRectF) -> QPointF:
        most = max(max(other.flops for other in self.points), 1.0)
        return QPointF(self._x(point.bytes, area), area.bottom() - area.height() * point.flops / most)

    def _frame(self, painter: QPainter, area: QRectF, title: str, top: str) -> None:
        colors = current.colors()
        painter.setPen(QPen(QColor(colors.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.drawLine(area.topLeft(), area.bottomLeft())
        painter.setPen(QColor(colors.dim_text))
        draw_text(painter, QRectF(0, area.top() - 8, _LEFT - 8, 18), Qt.AlignmentFlag.AlignRight, top)
        draw_text(painter, QRectF(0, area.bottom() - 9, _LEFT - 8, 18), Qt.AlignmentFlag.AlignRight, "0")
        draw_text(
            painter, QRectF(area.left(), area.top() - 21, area.width(), 18), Qt.AlignmentFlag.AlignLeft, title
        )

    def _paint_estimates(self, painter: QPainter, area: QRectF) -> None:
        colors = current.colors()
        most = max(point.flops for point in self.points)
        self._frame(painter, area, tr("Repeated in the backward (estimated)"), flops_text(most))
        locations = [
            self._location(point, area) for point in sorted(self.points, key=lambda row: row.bytes or 0)
        ]
        painter.setPen(QPen(QColor(colors.backward), 1.5))
        painter.drawPolyline(QPolygonF(locations))
        painter.setBrush(QColor(colors.backward))
        for location in locations:
            painter.drawEllipse(location, 3, 3)
        for point in self.points:
            if point.budget == self.current:
                painter.setPen(QPen(QColor(colors.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(self._location(point, area), 7, 7)

    def _paint_times(self, painter: QPainter, area: QRectF) -> None:
        colors = current.colors()
        most = max(row.high for row in self.measured)
        self._frame(painter, area, tr("One step (measured, quartiles)"), f"{most / 1e6:.2f} ms")
        painter.setPen(QPen(QColor(colors.good), 2))
        painter.setBrush(QColor(colors.good))
        for row in self.measured:
            x = self._x(row.bytes, area)
            low, middle, high = (
                area.bottom() - area.height() * value / most for value in (row.low, row.median, row.high)
            )
            painter.drawLine(QPointF(x, low), QPointF(x, high))
            painter.drawEllipse(QPointF(x, middle), 3.5, 3.5)
