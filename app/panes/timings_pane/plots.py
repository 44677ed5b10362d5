"""Heat map and curves. The only module that imports pyqtgraph; the pane loads it when it is first shown."""

import math
from collections.abc import Mapping

import numpy
import pyqtgraph
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPen, QResizeEvent
from PySide6.QtWidgets import QGraphicsRectItem, QWidget

from app.panes.timings_pane.heat_image import SHOWN_ITERATIONS, log_image, log_limits, recent_samples
from app.session.timing.ring_buffer import Samples
from app.session.timing.timing_recorder import TimingRecorder
from app.theme import current, fonts
from app.theme.colors import Colors
from app.translation.texts import tr
from app.widgets.layouts.boxes import as_widget, column_of, set_column, split_of
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.text_format.times import time_text, unit_for
from compiler.model.ir.ids import Place

MOST_CURVES = 8
_NAME_WIDTH, _NARROW_NAME_WIDTH = 150, 122
_NARROW = 400
"""Pixels of a heat map from which on names of kernels are shorter: the map itself needs the room."""
_NAME_LENGTH, _SHORT_LENGTH = 24, 19
_SPANS = (50, 100, 200, 400, SHOWN_ITERATIONS)
"""Iterations that the axes reach back, the first that holds all there are: a short run is not to stand in a corner of its plot."""
_LOW = 190
"""Pixels of height from which on plots say what is on their axes."""
_NAME_HEIGHT = 11
_NUMBER_WIDTH = 60
_ABOVE, _SIDE_BY_SIDE = [300, 200], [120, 100]
"""Heat map and curves: beside each other, names of kernels stand at the left of the one."""
_BOTH_HIGH, _BOTH_WIDE = 22, 480
"""Lines of text that heat map and curves need one above the other, and the pixels that they need side by side."""


class HeatMap(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """One row a kernel, one column an iteration, newest right; a click on a row asks for that kernel."""

    row_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = -1
        self._columns = SHOWN_ITERATIONS
        self._limits = (0.0, 0.0)
        self.span = SHOWN_ITERATIONS
        self._names: list[str] = []
        self._frames: list[QGraphicsRectItem] = []
        self._marked: list[int] = []
        self._image = pyqtgraph.ImageItem(axisOrder="col-major")
        self._map = pyqtgraph.colormap.get("viridis")
        self._image.setColorMap(self._map)
        self._bar = pyqtgraph.ColorBarItem(values=(0, 1), colorMap=self._map, interactive=False, width=12)
        self.addItem(self._image)
        self._bar.setImageItem(self._image, insert_in=self.getPlotItem())
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMenuEnabled(False)
        self.invertY(True)
        _fit_iterations(self)
        self.getAxis("left").setWidth(_NAME_WIDTH)
        self.getAxis("left").setStyle(
            tickLength=0, hideOverlappingLabels=False, tickFont=fonts.interface(0.8)
        )
        self.setXRange(-SHOWN_ITERATIONS, 0, padding=0)
        self.scene().sigMouseClicked.connect(self._clicked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The axis says as much as it has room for."""
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it once by itself, before there is an axis
            self._name_rows()
            _fit_iterations(self)

    def show_samples(self, samples: list[Samples], names: list[str]) -> None:
        """Draw these samples; scales change only when they must."""
        image = log_image(samples)
        limits = log_limits(image)
        if limits != self._limits:
            self._limits = limits
            self._bar.setLevels(limits)
            self._bar.axis.setTicks([_decades(*limits)])
        self._image.setImage(image, autoLevels=False, levels=self._limits)
        if image.shape[0] != self._columns:
            self._columns = image.shape[0]
            self.mark_rows(self._marked)
        self._image.setRect(QRectF(-image.shape[0], 0, image.shape[0], image.shape[1]))
        if len(samples) != self._rows:
            self._rows = len(samples)
            self.setYRange(0, max(self._rows, 1), padding=0)
        self._names = names
        self._name_rows()

    def _name_rows(self) -> None:
        """As long and as many as there is room for."""
        narrow, axis = self.width() < _NARROW, self.getAxis("left")
        axis.setWidth(_NARROW_NAME_WIDTH if narrow else _NAME_WIDTH)
        longest = _SHORT_LENGTH if narrow else _NAME_LENGTH
        axis.setTicks([row_names(self._names, self.getViewBox().height(), longest)])

    def mark_rows(self, rows: list[int]) -> None:
        """Frame the rows that are selected."""
        self._marked = rows
        for frame in self._frames:
            self.removeItem(frame)
        pen = QPen(QColor(current.colors().pinned), 2)
        pen.setCosmetic(True)
        self._frames = []
        for row in rows:
            frame = QGraphicsRectItem(QRectF(-self._columns, row, self._columns, 1))
            frame.setPen(pen)
            self.addItem(frame)
            self._frames.append(frame)

    def restyle(self, colors: Colors) -> None:
        """Background, axes and the colour scale's ticks in the colours of the look."""
        self.setBackground(colors.panel)
        for axis in (self.getAxis("left"), self.getAxis("bottom"), self._bar.axis):
            axis.setPen(colors.line)
            axis.setTextPen(colors.dim_text)

    def row_at(self, y: float) -> int | None:
        """The row at a height of the plot's own coordinates."""
        return int(y) if 0 <= y < self._rows else None

    def _clicked(self, event: object) -> None:
        location = self.getViewBox().mapSceneToView(event.scenePos())  # type: ignore[attr-defined]
        row = self.row_at(location.y())
        if row is not None:
            self.row_clicked.emit(row)


class Curves(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """Times of a few series over the newest iterations, in a fixed range that is only reset when left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = [pyqtgraph.PlotDataItem(skipFiniteCheck=True) for _ in range(MOST_CURVES)]
        for line in self._lines:
            self.addItem(line)
        self._top = 0.0
        self.span = SHOWN_ITERATIONS
        self._unit = ("µs", 1e3)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMenuEnabled(False)
        _fit_iterations(self)
        self.getAxis("left").setWidth(_NAME_WIDTH)
        self.getAxis("left").setStyle(hideOverlappingLabels=True)  # a number that is cut says another one
        self.setXRange(-SHOWN_ITERATIONS, 0, padding=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The axis says as much as it has room for."""
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it once by itself, before there is an axis
            _fit_iterations(self)

    def show_series(self, series: list[Samples], colors: list[str]) -> None:
        """Draw these, at most `MOST_CURVES`."""
        self._fit(series)
        for index, line in enumerate(self._lines):
            if index >= len(series):
                line.setData([], [])
                continue
            row = series[index]
            # Iterations in which a kernel did not run are bridged: points between gaps would not show.
            ran = row >= 0
            line.setPen(pyqtgraph.mkPen(colors[index], width=1))
            line.setData(numpy.arange(-len(row), 0)[ran], row[ran] / self._unit[1])

    def restyle(self, colors: Colors) -> None:
        """Background and axes in the colours of the look."""
        self.setBackground(colors.panel)
        for name in ("left", "bottom"):
            self.getAxis(name).setPen(colors.line)
            self.getAxis(name).setTextPen(colors.dim_text)

    def _fit(self, series: list[Samples]) -> None:
        highest = max((float(numpy.percentile(row, 99)) for row in series if len(row)), default=0.0)
        if highest <= 0 or self._top * 0.35 < highest <= self._top:
            return
        self._top = highest * 1.3
        self._unit = unit_for(highest)
        self.setLabel("left", self._unit[0])
        self.setYRange(0, self._top / self._unit[1], padding=0)


class TimingPlots(QWidget):
    """Heat map above, curves of the selected kernels below (of the whole step while none is selected)."""

    row_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heat_map = HeatMap(self)
        self.curves = Curves(self)
        self.legend = LegendStrip(self)
        lower = as_widget(column_of(self.legend, (self.curves, 1), margins=0, spacing=0), self)
        self._split = split_of(
            self.heat_map, lower, parent=self, vertical=True, sizes=_ABOVE, collapsible=True
        )
        set_column(self, self._split, margins=0)
        self.heat_map.row_clicked.connect(self.row_clicked)
        current.signals().changed.connect(self.restyle)
        self.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is more width than height, and where one above the other would be too low."""
        super().resizeEvent(event)
        low = self.height() < _BOTH_HIGH * self.fontMetrics().height() and self.width() > _BOTH_WIDE
        flat = low or self.width() > 2.5 * self.height()
        direction = Qt.Orientation.Horizontal if flat else Qt.Orientation.Vertical
        if direction != self._split.orientation():
            self._split.setOrientation(direction)
            self._split.setSizes(_SIDE_BY_SIDE if flat else _ABOVE)
        self.curves.getAxis("left").setWidth(_NUMBER_WIDTH if flat else _NAME_WIDTH)

    def show_times(self, recorder: TimingRecorder, chosen: list[int], known: Mapping[Place, str]) -> None:
        """Draw the newest samples; `known`: kernels by what and where they compute; `chosen` are the kernels whose curves are wanted."""
        samples = recent_samples(recorder)
        count = max(map(len, samples), default=len(recorder.compiled_samples()))
        span = next((span for span in _SPANS if span >= count), _SPANS[-1])
        for plot in (self.heat_map, self.curves):
            _reach_back(plot, span)
        names = [known.get(kernel.place, kernel.name) for kernel in recorder.kernels]
        self.heat_map.show_samples(samples, names)
        colors = curve_colors(current.colors())
        drawn = chosen[:MOST_CURVES]
        if drawn:
            self.curves.show_series([samples[index] for index in drawn], colors)
            entries = [LegendEntry(names[row], colors[place], "swatch") for place, row in enumerate(drawn)]
            if len(chosen) > MOST_CURVES:
                note = tr("{value} more selected, not drawn").format(value=len(chosen) - MOST_CURVES)
                entries.append(LegendEntry(note, current.colors().line, "outline"))
        else:
            self.curves.show_series([recorder.compiled_samples()[-SHOWN_ITERATIONS:]], colors)
            entries = [
                LegendEntry(tr("whole compiled step; select kernels to see theirs"), colors[0], "swatch")
            ]
        if tuple(entries) != self.legend.entries:
            self.legend.set_entries(tuple(entries))

    def restyle(self) -> None:
        """Everything in the colours of the look."""
        colors = current.colors()
        self.heat_map.restyle(colors)
        self.curves.restyle(colors)


def _fit_iterations(plot: pyqtgraph.PlotWidget) -> None:
    """Ticks that do not run into one another, and a title that is not wider than the plot."""
    metrics = plot.fontMetrics()
    room = min(plot.getViewBox().width(), plot.width() - plot.getAxis("left").width())
    wanted = metrics.horizontalAdvance("−400") * 1.5
    steps = next((step for step in _STEPS if room * step / plot.span >= wanted), _STEPS[-1])
    axis = plot.getAxis("bottom")
    axis.setTickSpacing(steps, steps / 4)
    title = tr("iterations, newest at 0")
    fits = (
        metrics.horizontalAdvance(title) * 1.3 <= room
    )  # pyqtgraph's letters are larger than those of the window
    plot.setLabel("bottom", title if fits else tr("iterations"))
    axis.showLabel(plot.height() >= _LOW)
    axis.resizeEvent()  # pyqtgraph centres a title only then


def _reach_back(plot: HeatMap | Curves, span: int) -> None:
    if plot.span != span:
        plot.span = span
        plot.setXRange(-span, 0, padding=0)
        _fit_iterations(plot)


_STEPS = (10, 20, 50, 100, 200, 400)
"""Iterations between two ticks with a number."""


def curve_colors(colors: Colors) -> list[str]:
    """Eight colours that can be distinguished on the panel."""
    names = ("forward", "backward", "input", "extern", "edited", "fused", "warning", "error")
    return [str(getattr(colors, name)) for name in names]


def _decades(low: float, high: float) -> list[tuple[float, str]]:
    """Ticks of the colour scale: 1, 2 and 5 of each decade that lie in it, as times."""
    ticks = []
    for decade in range(int(numpy.floor(low)), int(numpy.ceil(high)) + 1):
        for step in (1, 2, 5) if high - low < 3 else (1,):
            value = decade + float(numpy.log10(step))
            if low <= value <= high:
                ticks.append((value, _round_time(step * 10.0**decade)))
    return ticks


def _round_time(microseconds: float) -> str:
    if microseconds < 1:
        return f"{microseconds * 1e3:.0f} ns"
    if microseconds < 1000:
        return f"{microseconds:.0f} µs"
    return time_text(microseconds * 1e3).replace(".00", "").replace(".0 ", " ")


def row_names(names: list[str], height: float, longest: int = _NAME_LENGTH) -> list[tuple[float, str]]:
    """Names beside their rows, thinned out where rows are too low to read; the first is whole too."""
    every = max(1, math.ceil(_NAME_HEIGHT * len(names) / max(height, 1.0)))
    half = longest // 2
    short = (name if len(name) <= longest else f"{name[: half - 1]}…{name[-half:]}" for name in names)
    return [(index + 0.5, name) for index, name in enumerate(short) if index % every == every // 2]
