"""A diagram of two graphs in one, or of one of them: what became of each box is drawn on it in a colour, a line and a sign."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from app.canvas.graph_item import GraphItem
from app.canvas.painting.brushes import Brushes, brushes, pen
from app.canvas.painting.edge_painting import CURVES_FROM
from app.canvas.painting.node_painting import DETAILS_FROM, SHAPES_FROM
from app.canvas.scene import Hit, to_qt
from app.graph_layout.geometry import Box
from app.theme import fonts
from app.theme.current import colors
from app.theme.drawn_text import draw_text
from compiler.model.ir.ids import NodeId

_LOOKS = {
    "added": ("good", Qt.PenStyle.SolidLine, "+"),
    "removed": ("error", Qt.PenStyle.DashLine, "−"),
    "changed": ("warning", Qt.PenStyle.SolidLine, "~"),
    "moved": ("accent", Qt.PenStyle.DotLine, "↕"),
}
STATES = tuple(_LOOKS)
_ROUND = 9.0
_BADGE = 8.0


@dataclass(frozen=True)
class Differences:
    """What became of nodes and arrows; what is not named is equal."""

    states: Mapping[NodeId, str] = field(default_factory=dict)
    what: Mapping[NodeId, tuple[str, ...]] = field(default_factory=dict)
    """What is different, in words."""
    gone_edges: frozenset[tuple[NodeId, NodeId]] = frozenset()
    new_edges: frozenset[tuple[NodeId, NodeId]] = frozenset()


def state_color(state: str, look: Brushes) -> QColor:
    """The colour of what became of a node."""
    return look.color(_LOOKS[state][0])


def state_sign(state: str) -> str:
    """The sign of the same; empty for what is equal."""
    return _LOOKS[state][2] if state in _LOOKS else ""


class DifferenceItem(GraphItem):
    """Paints the diagram as always, then the differences over it."""

    def __init__(self) -> None:
        super().__init__()
        self._differences = Differences()

    def set_differences(self, differences: Differences) -> None:
        """Draw other differences."""
        self._differences = differences
        self.update()

    def state_of(self, box: Box) -> str:
        """What became of a box; of a collapsed module, where something in it differs: ``changed``."""
        states = self._differences.states
        if box.node is not None:
            return states.get(box.node.id, "")
        inside = {states[node] for node in box.members if node in states}
        return (inside.pop() if len(inside) == 1 else "changed") if inside else ""

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        super().paint(painter, option, widget)
        area: QRectF = option.exposedRect
        zoom, look = painter.worldTransform().m11(), brushes(colors())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= 0.1)
        if zoom >= CURVES_FROM:
            self._paint_edges(painter, area, look, zoom)
        for box in self.scene_data.boxes_in(area):
            state = self.state_of(box)
            if state:
                _paint_state(painter, box, state, look, zoom, box.id in self.marks.pinned)
            if zoom >= DETAILS_FROM:
                self._paint_chips(painter, box, look)
            if state and box.node is None and zoom >= DETAILS_FROM:
                self._paint_counts(painter, box, look)

    def tip(self, hit: Hit) -> str:
        """The tooltip of what is under the mouse, with what is different about it."""
        reported = super().tip(hit)
        node = hit.node or (hit.box.node.id if hit.box is not None and hit.box.node is not None else "")
        state = self._differences.states.get(node, "")
        lines = [state.capitalize(), *self._differences.what.get(node, ())] if state else []
        return "\n".join(line for line in (reported, *lines) if line)

    def _paint_edges(self, painter: QPainter, area: QRectF, look: Brushes, zoom: float) -> None:
        scene, differences = self.scene_data, self._differences
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for number in scene.edges_in(area):
            pairs = scene.layout.edges[number].nodes
            gone = all(pair in differences.gone_edges for pair in pairs)
            if not gone and not all(pair in differences.new_edges for pair in pairs):
                continue
            line = pen(look.color("error" if gone else "good"), max(1.9, 1.2 / zoom))
            if gone:
                line.setDashPattern([3.0, 3.0])
            painter.setPen(line)
            painter.drawPath(scene.path(number))

    def _paint_chips(self, painter: QPainter, box: Box, look: Brushes) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for chip, location in box.chips:
            state = self._differences.states.get(chip.node, "")
            if state:
                line = pen(state_color(state, look), 1.8)
                line.setStyle(_LOOKS[state][1])
                painter.setPen(line)
                rect = to_qt(location)
                painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)

    def _paint_counts(self, painter: QPainter, box: Box, look: Brushes) -> None:
        """How much differs in a collapsed module."""
        states = self._differences.states
        counts = Counter(states[node] for node in box.members if node in states)
        text = "  ".join(f"{_LOOKS[state][2]}{counts[state]}" for state in STATES if counts[state])
        font = _badge_font()
        rect = to_qt(box.rect)
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(text) + 14
        plate = QRectF(rect.right() - width + 4, rect.top() - 12, width, 18)
        painter.setPen(pen(look.color("warning"), 1.0))
        painter.setBrush(look.color("panel"))
        painter.drawRoundedRect(plate, 9, 9)
        painter.setPen(look.color("text"))
        draw_text(painter, plate, int(Qt.AlignmentFlag.AlignCenter), text)


def _paint_state(painter: QPainter, box: Box, state: str, look: Brushes, zoom: float, pinned: bool) -> None:
    name, style, sign = _LOOKS[state]
    rect, color = to_qt(box.rect), look.color(name)
    if zoom < SHAPES_FROM:
        grow = 1.5 / zoom
        painter.fillRect(rect.adjusted(-grow, -grow, grow, grow), color)
        return
    if state == "removed":  # what is gone is paler than what is there
        wash = QColor(look.canvas)
        wash.setAlpha(150)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(wash)
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), _ROUND, _ROUND)
    gap = 6.5 if pinned else 2.5
    around = rect.adjusted(-gap, -gap, gap, gap)
    tint = QColor(color)
    tint.setAlpha(26)
    painter.setBrush(tint if state != "removed" else Qt.BrushStyle.NoBrush)
    line = pen(color, max(2.2, 1.5 / zoom))
    line.setStyle(style)
    painter.setPen(line)
    painter.drawRoundedRect(around, _ROUND, _ROUND)
    if zoom >= DETAILS_FROM * 0.6:
        _paint_badge(painter, around.topLeft() + QPointF(2, 2), sign, color, look)


def _paint_badge(painter: QPainter, center: QPointF, sign: str, color: QColor, look: Brushes) -> None:
    painter.setPen(pen(look.canvas, 1.5))
    painter.setBrush(color)
    painter.drawEllipse(center, _BADGE, _BADGE)
    painter.setFont(_badge_font())
    painter.setPen(look.color("panel"))
    plate = QRectF(center.x() - _BADGE, center.y() - _BADGE - 0.5, 2 * _BADGE, 2 * _BADGE)
    draw_text(painter, plate, int(Qt.AlignmentFlag.AlignCenter), sign)


def _badge_font() -> QFont:
    return fonts.canvas(12, bold=True)
