"""Predicted memory over a step, stacked by what it is for, with the memory that the GPU has as a line."""

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.colors import Colors
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend
from app.translation.texts import tr
from app.widgets.axes.memory_axes import MemoryAxes
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.predicted_step import MemoryPoint, PredictedStep
from compiler.model.prediction.simulated_step import (
    BUFFERS,
    COMMUNICATION,
    GATHERED,
    GRADIENTS,
    INPUTS,
    PARAMETERS,
    RESULTS,
    SAVED,
    STATE,
    TEMPORARY,
)

_ROOM = 1.06
"""Times the highest value: the height of the chart."""


class StepMemoryChart(MemoryAxes):
    """Hatched from edge to edge, as predictions are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Predicted memory over a step"), parent)
        self.reported: PredictedStep | None = None
        self._stack: tuple[tuple[PredictedStep, float, float, float], list[tuple[str, QPolygonF]]] | None = (
            None
        )
        """What was drawn last, as long as nothing about it changed: a step of many layers has a hundred thousand points."""
        self.setMinimumHeight(120)

    def show_prediction(self, reported: PredictedStep | None) -> None:
        """Draw a prediction; None clears."""
        self.reported = reported
        self.update()

    @property
    def shows_limit(self) -> bool:
        """Whether the GPU's memory is near enough to be drawn as a line at its own height."""
        reported = self.reported
        return reported is not None and reported.limit <= 4 * max(reported.memory.peak.total, 1)

    def tip_at(self, location: QPointF) -> str:
        point = self.point_at(location.x())
        return self.format_at(point) if point is not None else ""

    def point_at(self, x: float) -> MemoryPoint | None:
        """The point of the curve at a horizontal place."""
        points = self.reported.memory.points if self.reported is not None else ()
        index = self._index_at(x, len(points))
        return points[index] if index is not None else None

    def format_at(self, point: MemoryPoint) -> str:
        """What memory is for at a point."""
        assert self.reported is not None
        rows = zip(self.reported.memory.kinds, point.bytes, strict=True)
        lines = [tr("{size} in all").format(size=describe_bytes(point.total))]
        lines += [
            f"  {kind}: {describe_bytes(size)}"
            for kind, size in sorted(rows, key=lambda row: -row[1])
            if size
        ]
        return "\n".join(lines)

    # -- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = current.colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.panel))
        reported = self.reported
        if reported is None or not reported.memory.points:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        peak = reported.memory.peak.total
        most = _ROOM * max(peak, reported.limit if self.shows_limit else 0, 1)
        self._paint_heights(painter, most)
        self._paint_stack(painter, area, reported, most)
        self._paint_phases(painter, area, reported)
        self._paint_limit(painter, area, reported, most)
        self._paint_highest(painter, area, reported, most)

    def _paint_stack(self, painter: QPainter, area: QRectF, reported: PredictedStep, most: float) -> None:
        key = reported, area.width(), area.height(), most
        if self._stack is None or self._stack[0] != key:
            self._stack = key, _stack_shapes(area, reported, most)
        painter.setPen(Qt.PenStyle.NoPen)
        for name, shape in self._stack[1]:
            painter.setBrush(QColor(kind_color(name, current.colors())))
            painter.drawPolygon(shape)

    def _paint_phases(self, painter: QPainter, area: QRectF, reported: PredictedStep) -> None:
        colors, points = current.colors(), reported.memory.points
        starts = []
        for name, first in reported.memory.phases:
            index = next((number for number, point in enumerate(points) if point.at >= first), len(points))
            starts.append((name, area.left() + area.width() * index / len(points)))
        low = QRectF(area.left(), area.bottom() + 3, area.width(), self.BOTTOM - 4)
        for number, (name, x) in enumerate(starts):
            end = starts[number + 1][1] if number + 1 < len(starts) else area.right()
            if number:
                painter.setPen(QPen(QColor(colors.dim_text), 1, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4))
            words = elided(painter.fontMetrics(), f"{name} →", Qt.TextElideMode.ElideRight, int(end - x) - 8)
            painter.setPen(QColor(colors.dim_text))
            draw_text(
                painter, QRectF(x + 4, low.top(), end - x, low.height()), Qt.AlignmentFlag.AlignLeft, words
            )

    def _paint_limit(self, painter: QPainter, area: QRectF, reported: PredictedStep, most: float) -> None:
        if not self.shows_limit:
            return
        color = QColor(current.colors().text if reported.fits else current.colors().error)
        y = area.bottom() - area.height() * reported.limit / most
        painter.setPen(QPen(color, 1.6))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        words = tr("{size} for tensors on {machine}").format(
            size=describe_bytes(reported.limit), machine=reported.machine
        )
        width = painter.fontMetrics().horizontalAdvance(words)
        draw_text(
            painter, QRectF(area.right() - width - 4, y + 3, width + 2, 18), Qt.AlignmentFlag.AlignLeft, words
        )

    def _paint_highest(self, painter: QPainter, area: QRectF, reported: PredictedStep, most: float) -> None:
        points, peak = reported.memory.points, reported.memory.peak
        index = points.index(peak) if peak in points else 0
        location = QPointF(
            area.left() + area.width() * (index + 0.5) / len(points),
            area.bottom() - area.height() * peak.total / most,
        )
        self._paint_peak(
            painter, location, tr("predicted peak {size}").format(size=describe_bytes(peak.total))
        )


def _stack_shapes(area: QRectF, reported: PredictedStep, most: float) -> list[tuple[str, QPolygonF]]:
    """A shape for each kind of memory that there is any of."""
    points = one_a_pixel(reported.memory.points, max(int(area.width()), 1))
    width, scale = area.width() / len(points), area.height() / most
    base = [0] * len(points)
    found = []
    for kind, name in enumerate(reported.memory.kinds):
        top = [low + point.bytes[kind] for low, point in zip(base, points, strict=True)]
        if top == base:
            continue
        shape: list[QPointF] = []
        for index, value in enumerate(top):
            left, y = area.left() + index * width, area.bottom() - scale * value
            shape += [QPointF(left, y), QPointF(left + width, y)]
        for index in reversed(range(len(base))):
            left, y = area.left() + index * width, area.bottom() - scale * base[index]
            shape += [QPointF(left + width, y), QPointF(left, y)]
        found.append((name, QPolygonF(shape)))
        base = top
    return found


def one_a_pixel(points: Sequence[MemoryPoint], pixels: int) -> list[MemoryPoint]:
    """Of those that share a pixel the highest, so that no peak is lost."""
    if len(points) <= pixels:
        return list(points)
    edges = [len(points) * at // pixels for at in range(pixels + 1)]
    return [
        max(points[first:last], key=lambda point: point.total) for first, last in itertools.pairwise(edges)
    ]


def kind_color(kind: str, colors: Colors) -> str:
    """The colour of a kind of memory."""
    named = {
        PARAMETERS: (colors.parameter, 0.75),
        STATE: (colors.parameter, 0.4),
        GRADIENTS: (colors.backward, 0.75),
        BUFFERS: (colors.parameter, 0.2),
        INPUTS: (colors.input, 0.6),
        SAVED: (colors.backward, 0.4),
        GATHERED: (colors.collective, 0.75),
        COMMUNICATION: (colors.collective, 0.4),
        RESULTS: (colors.good, 0.6),
        TEMPORARY: (colors.forward, 0.55),
    }
    color, share = named.get(kind, (colors.extern, 0.5))
    return blend(colors.panel, color, share)
