"""Memory over the kernels of a step: as Inductor planned it, stacked by what it is for, and as it was measured."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.colors import Colors
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.axes.memory_axes import MemoryAxes
from compiler.analysis.timing.memory_plan import MemoryPlan
from compiler.model.ir.ids import Place
from compiler.model.ir.tensor_types import describe_bytes

ROLES = ("saved", "result", "temporary")
"""As they are stacked, lowest first."""
_MOST_NAMED = 6


class MemoryChart(MemoryAxes):
    """A click asks for the kernel there."""

    kernel_clicked = Signal(int)
    """Index into the plan's kernels."""
    TOP = 26

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Memory over the kernels of a step"), parent)
        self.plan = MemoryPlan((), ())
        self.measured: dict[int, int] = {}
        """Kernel of the plan → bytes since the step began."""
        self._marked: set[int] = set()
        self._live: dict[str, tuple[int, ...]] = {}
        self.setMinimumHeight(100)

    def show_plan(self, plan: MemoryPlan, measured: dict[Place, int], marked: set[int]) -> None:
        """Draw a plan and what was measured of it."""
        self.plan, self._marked = plan, marked
        self.measured = {
            index: measured[location] for index, location in enumerate(plan.kernels) if location in measured
        }
        self._live = {role: plan.live(role) for role in ROLES}
        self.update()

    @property
    def peak(self) -> tuple[int, int]:
        """(kernel, bytes) where the plan has most."""
        live = self.plan.live()
        return max(enumerate(live), key=lambda row: row[1], default=(0, 0))

    def kernel_at(self, x: float) -> int | None:
        """The kernel of the plan at a horizontal place."""
        return self._index_at(x, len(self.plan.kernels))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.kernel_at(event.position().x())
        if index is not None:
            self.kernel_clicked.emit(index)

    def tip_at(self, location: QPointF) -> str:
        index = self.kernel_at(location.x())
        return self.format_at(index) if index is not None else ""

    def format_at(self, index: int) -> str:
        """What lives while a kernel runs."""
        buffers = self.plan.at(index)
        lines = [
            self.plan.kernels[index].nodes[0],
            tr("planned {size}").format(size=describe_bytes(self.plan.live()[index])),
        ]
        if index in self.measured:
            lines.append(
                tr("measured {size} more than when the step began").format(
                    size=describe_bytes(self.measured[index])
                )
            )
        for buffer in buffers[:_MOST_NAMED]:
            size = describe_bytes(buffer.bytes) if buffer.bytes is not None else tr("size not known")
            lines.append(f"  {' = '.join(buffer.names)}: {size}, {buffer.role}")
        if len(buffers) > _MOST_NAMED:
            lines.append(tr("  and {value} smaller").format(value=len(buffers) - _MOST_NAMED))
        return "\n".join(lines)

    # -- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = current.colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.panel))
        if not self.plan.kernels:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        index, peak = self.peak
        most = max(peak, *self.measured.values(), 1) if self.measured else max(peak, 1)
        self._paint_heights(painter, most)
        self._paint_stack(painter, area, most)
        self._paint_boundary(painter, area)
        self._paint_measured(painter, area, most)
        location = QPointF(self._x(area, index + 0.5), area.bottom() - area.height() * peak / most)
        words = tr("planned peak {size} at {nodes}").format(
            size=describe_bytes(peak), nodes=self.plan.kernels[index].nodes[0]
        )
        self._paint_peak(painter, location, words)

    def _x(self, area: QRectF, index: float) -> float:
        return area.left() + area.width() * index / len(self.plan.kernels)

    def _paint_stack(self, painter: QPainter, area: QRectF, most: int) -> None:
        colors = current.colors()
        base = [0] * len(self.plan.kernels)
        for role in ROLES:
            top = [low + more for low, more in zip(base, self._live[role], strict=True)]
            points = [QPointF(area.left(), area.bottom())]
            for index, value in enumerate(top):
                y = area.bottom() - area.height() * value / most
                points += [QPointF(self._x(area, index), y), QPointF(self._x(area, index + 1), y)]
            for index in reversed(range(len(base))):
                y = area.bottom() - area.height() * base[index] / most
                points += [QPointF(self._x(area, index + 1), y), QPointF(self._x(area, index), y)]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(role_color(role, colors)))
            painter.drawPolygon(QPolygonF(points[1:]))
            base = top
        for index in self._marked:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.pinned), 2))
            painter.drawRect(
                QRectF(self._x(area, index), area.top(), area.width() / len(self.plan.kernels), area.height())
            )

    def _paint_boundary(self, painter: QPainter, area: QRectF) -> None:
        """Where the backward begins."""
        colors = current.colors()
        parts = [location.stage.split(":")[1] for location in self.plan.kernels]
        painter.setPen(QColor(colors.dim_text))
        low = QRectF(area.left(), area.bottom() + 3, area.width(), self.BOTTOM - 4)
        if "backward" not in parts or "forward" not in parts:
            draw_text(
                painter,
                low,
                Qt.AlignmentFlag.AlignLeft,
                tr("%n kernel(s) in running order", None, len(parts)),
            )
            return
        x = self._x(area, parts.index("backward"))
        painter.setPen(QPen(QColor(colors.dim_text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4))
        words, room = tr("forward, kernels in running order →"), int(x - area.left()) - 6
        words = elided(painter.fontMetrics(), words, Qt.TextElideMode.ElideRight, room)
        draw_text(painter, low, Qt.AlignmentFlag.AlignLeft, words)
        left = QRectF(x + 5, low.top(), self.width() - x - 5, low.height())
        words = elided(painter.fontMetrics(), tr("backward →"), Qt.TextElideMode.ElideRight, left.width())
        draw_text(painter, left, Qt.AlignmentFlag.AlignLeft, words)

    def _paint_measured(self, painter: QPainter, area: QRectF, most: int) -> None:
        if not self.measured:
            return
        color = QColor(current.colors().text)
        locations = [
            QPointF(self._x(area, index + 0.5), area.bottom() - area.height() * max(value, 0) / most)
            for index, value in sorted(self.measured.items())
        ]
        painter.setPen(QPen(color, 1.2, Qt.PenStyle.DotLine))
        painter.drawPolyline(QPolygonF(locations))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for location in locations:
            painter.drawEllipse(location, 2.5, 2.5)


def role_color(role: str, colors: Colors) -> str:
    """The colour of a kind of buffer."""
    named = {"saved": colors.backward, "result": colors.good, "temporary": colors.forward}
    return blend(colors.panel, named[role], 0.55)
