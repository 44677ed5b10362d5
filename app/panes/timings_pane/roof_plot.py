"""The roofline: operations a second over operations for each byte, both logarithmic. Needs pyqtgraph; loaded when shown."""

import math

import numpy
import pyqtgraph
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from app.theme import current, fonts
from app.theme.colors import Colors
from app.translation.texts import tr
from compiler.analysis.timing.roofline import RoofPoint, rate_text
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.machine_peaks import MachineCeilings

_NO_WORDS_BELOW = 190
"""Pixels of height under which the lines go without words."""
_NEAR = 14
"""Pixels around a point that belong to it."""
_DASH = Qt.PenStyle.DashLine


class RoofPlot(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """Each kernel a point; those without arithmetic have no place here and stand in the table only."""

    kernel_clicked = Signal(int)
    """Index of the kernel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.locations: dict[int, tuple[float, float]] = {}
        """Kernel → (log10 operations a byte, log10 operations a second)."""
        self._roofs: list[pyqtgraph.GraphicsObject] = []
        self._drawn: object = None
        """What the roof was drawn from."""
        self._points = pyqtgraph.ScatterPlotItem(pxMode=True)
        self.addItem(self._points)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMenuEnabled(False)
        self.setLabel("bottom", tr("operations for each byte moved"))
        self.setLabel("left", tr("operations a second"))
        for side in ("left", "bottom"):
            self.getAxis(side).setStyle(tickFont=fonts.interface(0.85))
        self.getAxis("left").setWidth(92)
        self.scene().sigMouseClicked.connect(self._clicked)

    def show_points(
        self,
        points: dict[int, RoofPoint],
        colors_of: dict[int, str],
        marked: set[int],
        ceilings: MachineCeilings,
    ) -> None:
        """Draw these kernels under the roof that the ceilings make."""
        self.locations = {
            index: (math.log10(point.work.intensity), math.log10(point.flops_rate))
            for index, point in points.items()
            if point.work.intensity and point.flops_rate
        }
        colors = current.colors()
        at = numpy.array(list(self.locations.values())).reshape(-1, 2)
        self._points.setData(
            at[:, 0],
            at[:, 1],
            size=[15 if index in marked else 10 for index in self.locations],
            brush=[pyqtgraph.mkBrush(colors_of[index]) for index in self.locations],
            pen=[
                pyqtgraph.mkPen(colors.pinned if index in marked else colors.panel, width=2)
                for index in self.locations
            ],
        )
        frame = self._frame(ceilings)
        drawn = frame, ceilings, colors, self.height() < _NO_WORDS_BELOW
        if drawn != self._drawn:
            self._drawn = drawn
            self.restyle()
            self._draw_roofs(frame, ceilings)

    def _frame(self, ceilings: MachineCeilings) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the plot, in whole thirds of a decade so that it does not flicker."""
        xs = [location[0] for location in self.locations.values()] or [-1.0, 1.0]
        ys = [location[1] for location in self.locations.values()] or [8.0]
        peak = math.log10(ceilings.matmul("float32").rate.median)
        fastest = math.log10(max(row.rate.median for row in ceilings.copies))
        memory = math.log10(ceilings.copies[-1].rate.median)
        left = _down(min(*xs, peak - fastest) - 0.4)
        right = -_down(-max(*xs, peak - memory) - 0.6)
        return left, right, _down(min(*ys, left + memory) - 0.2), -_down(-max(peak, *ys) - 0.4)

    def _draw_roofs(self, frame: tuple[float, float, float, float], ceilings: MachineCeilings) -> None:
        for item in self._roofs:
            self.removeItem(item)
        self._roofs.clear()
        left, right, low, high = frame
        colors = current.colors()
        peak = math.log10(ceilings.matmul("float32").rate.median)
        fastest = max(ceilings.copies, key=lambda row: row.rate.median)
        for row, color, style, above in (
            (fastest, colors.dim_text, _DASH, True),
            (ceilings.copies[-1], colors.text, Qt.PenStyle.SolidLine, False),
        ):
            rate = math.log10(row.rate.median)
            xs = numpy.array([left, peak - rate])
            self._line(xs, xs + rate, color, style)
            words = tr("copying {size}: {rate_text}").format(
                size=describe_bytes(row.bytes), rate_text=rate_text(row.rate.median, "B/s")
            )
            # over the upper line and under the lower one, where no line crosses them
            at = left + (0.4 * (peak - rate - left) if above else 0.06 * (right - left))
            self._draw_text(words, at, at + rate, color, float(above), float(above))
        begin = peak - math.log10(fastest.rate.median)
        self._line(numpy.array([begin, right]), numpy.array([peak, peak]), colors.text)
        product = rate_text(ceilings.matmul("float32").rate.median, "FLOP/s")
        self._draw_text(
            tr("float32 matrix product: {product}").format(product=product),
            right,
            peak,
            colors.text,
            1.0,
            1.0,
        )
        self.setXRange(left, right, padding=0)
        self.setYRange(low, high, padding=0)
        self.getAxis("bottom").setTicks([_ticks(left, right, "")])
        self.getAxis("left").setTicks([_ticks(low, high, "FLOP/s")])

    def _line(self, xs: object, ys: object, color: str, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        line = pyqtgraph.PlotDataItem(xs, ys, pen=pyqtgraph.mkPen(color, width=1.5, style=style))
        line.setZValue(-1)
        self.addItem(line)
        self._roofs.append(line)

    def _draw_text(self, text: str, x: float, y: float, color: str, down: float, right: float = 0.0) -> None:
        if self.height() < _NO_WORDS_BELOW:
            return
        label = pyqtgraph.TextItem(text, color=QColor(color), anchor=(right, down))
        label.setFont(fonts.interface(0.85))
        label.setPos(x, y)
        self.addItem(label)
        self._roofs.append(label)

    def restyle(self) -> None:
        """Background and axes in the colours of the look."""
        colors: Colors = current.colors()
        self.setBackground(colors.panel)
        for name in ("left", "bottom"):
            self.getAxis(name).setPen(colors.line)
            self.getAxis(name).setTextPen(colors.dim_text)

    def kernel_near(self, location: QPointF) -> int | None:
        """The kernel whose point is nearest to a place of the scene, if it is near enough."""
        box = self.getViewBox()
        best: tuple[float, int] | None = None
        for index, (x, y) in self.locations.items():
            away = (box.mapViewToScene(QPointF(x, y)) - location).manhattanLength()
            if away <= _NEAR and (best is None or away < best[0]):
                best = away, index
        return best[1] if best else None

    def _clicked(self, event: object) -> None:
        index = self.kernel_near(event.scenePos())  # type: ignore[attr-defined]
        if index is not None:
            self.kernel_clicked.emit(index)


def _down(value: float) -> float:
    return math.floor(value * 3) / 3


def _ticks(low: float, high: float, unit: str) -> list[tuple[float, str]]:
    """Whole powers of ten."""
    powers = range(math.ceil(low), math.floor(high) + 1)
    return [(power, rate_text(10.0**power, unit) if unit else f"{10.0**power:g}") for power in powers]
