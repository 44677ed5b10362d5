"""Paints arrows, stubs, and the titles of lanes and open modules."""

from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.canvas.painting.box_measure import DETAIL_PIXELS, detail_font
from app.canvas.painting.brushes import Brushes, pen
from app.canvas.scene import Scene, stub_path, stub_text, to_qt
from app.graph_layout.geometry import Box, Edge, LaneBand, Stub
from app.theme import fonts
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import faint
from compiler.analysis.text_format.visible_text import visible_line

CURVES_FROM = 0.16
HEADS_FROM = 0.3
STUB_TEXT_FROM = 0.55

_HEAD = 7.0
_LEFT = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def lane_plate(band: LaneBand, seen: QRectF) -> QRectF | None:
    """Where a lane's name goes, in screen pixels; None without room. `seen` is the part of the lane in view."""
    metrics = QFontMetricsF(_lane_font())
    width = metrics.horizontalAdvance(_lane_title(band)) + 20
    if width + 16 > seen.width():
        return None
    return QRectF(seen.left() + 8, seen.top() + 8, width, metrics.height() + 8)


def paint_lane_title(painter: QPainter, band: LaneBand, seen: QRectF, look: Brushes) -> None:
    """The lane's name in screen pixels; `seen` is the part of the lane in view. It stays while one scrolls."""
    plate = lane_plate(band, seen)
    if plate is None:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint(look.canvas, 225))
    painter.drawRoundedRect(plate, 5, 5)
    painter.setFont(_lane_font())
    painter.setPen(look.color(band.lane))
    draw_text(painter, plate, int(Qt.AlignmentFlag.AlignCenter), _lane_title(band))


def _lane_title(band: LaneBand) -> str:
    return "Forward ↓" if band.lane == "forward" else "Backward ↑"


def _lane_font() -> QFont:
    return fonts.interface(1.05, bold=True)


def paint_edges(painter: QPainter, scene: Scene, numbers: list[int], look: Brushes, zoom: float) -> None:
    """Arrows at rest. Far out they are plain lines, drawn all at once."""
    color = look.color("edge")
    if zoom < CURVES_FROM:
        painter.setPen(pen(faint(color, 150), 1.0, cosmetic=True))
        lines: list[QLineF] = []
        for number in numbers:
            points = scene.layout.edges[number].points
            lines.extend(QLineF(*first, *second) for first, second in pairwise(points))
        painter.drawLines(lines)
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    plain = pen(color, max(1.3, 0.8 / zoom))
    dashed = QPen(plain)
    dashed.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(plain)
    for number in numbers:
        if not scene.layout.edges[number].indirect:
            painter.drawPath(scene.path(number))
    painter.setPen(dashed)
    for number in numbers:
        if scene.layout.edges[number].indirect:
            painter.drawPath(scene.path(number))
    for number in numbers:
        if scene.layout.edges[number].flight:
            _paint_flight(painter, scene, number, look, zoom)
    if zoom >= HEADS_FROM:
        _paint_heads(painter, [scene.layout.edges[number] for number in numbers], color)


def _paint_flight(painter: QPainter, scene: Scene, number: int, look: Brushes, zoom: float) -> None:
    """From a collective to its wait: a double line in its colour."""
    path, width = scene.path(number), max(4.5, 2.4 / zoom)
    painter.setPen(pen(look.color("collective"), width))
    painter.drawPath(path)
    painter.setPen(pen(look.canvas, width * 0.4))
    painter.drawPath(path)


def paint_lit_edge(painter: QPainter, scene: Scene, number: int, color: QColor, zoom: float) -> None:
    """An arrow of a selected or hovered box."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(color, max(2.4, 1.6 / zoom)))
    painter.drawPath(scene.path(number))
    if zoom >= HEADS_FROM:
        _paint_heads(painter, [scene.layout.edges[number]], color)


def paint_stub(painter: QPainter, stub: Stub, look: Brushes, zoom: float) -> None:
    """A short arrow, the far end's name and the bytes of a saved tensor."""
    if zoom < CURVES_FROM:
        return
    color = look.color(_stub_color(stub))
    rect = to_qt(stub.rect)
    y = rect.center().y()
    start = QPointF(rect.left() + 2, y) if stub.outgoing else QPointF(rect.right() - 22, y)
    end = start + QPointF(18, 0)
    dashed = pen(color, max(1.3, 0.8 / zoom))
    dashed.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(dashed)
    painter.drawLine(start, end - QPointF(4, 0))
    _paint_head(painter, end, QPointF(1, 0), color)
    if zoom < STUB_TEXT_FROM:
        return
    name, size = stub_text(stub)
    painter.setFont(detail_font())
    painter.setPen(color)
    area = rect.adjusted(24, 0, -4, 0) if stub.outgoing else rect.adjusted(6, 0, -26, 0)
    side = Qt.AlignmentFlag.AlignLeft if stub.outgoing else Qt.AlignmentFlag.AlignRight
    metrics = QFontMetricsF(detail_font())
    lines = [name] + ([size] if size else [])
    height = DETAIL_PIXELS * 1.35
    top = y - height * len(lines) / 2
    for index, line in enumerate(lines):
        location = QRectF(area.left(), top + index * height, area.width(), height)
        text = elided(metrics, line, Qt.TextElideMode.ElideRight, area.width())
        draw_text(
            painter, location, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text
        )


def paint_whole_stub(painter: QPainter, scene: Scene, stub: Stub, look: Brushes, zoom: float) -> None:
    """The cut arrows of a stub in full, each with its label in the middle."""
    near = scene.boxes[stub.box]
    color = look.color(_stub_color(stub))
    for end in {end.box: end for end in stub.ends}.values():  # many tensors to one box are one line
        far = scene.boxes.get(end.box)
        if far is None:
            continue
        path = stub_path(near, far, stub.outgoing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(color, max(1.8, 1.3 / zoom)))
        painter.drawPath(path)
        _paint_head(painter, path.pointAtPercent(1), QPointF(1, 0), color)
        if end.label and len(stub.ends) <= 6 and zoom >= 0.3:
            _paint_label(painter, path, end.label, look, zoom)


def _paint_label(painter: QPainter, path: QPainterPath, text: str, look: Brushes, zoom: float) -> None:
    font, text = fonts.canvas(max(DETAIL_PIXELS, 10 / zoom)), visible_line(text)
    metrics = QFontMetricsF(font)
    middle = path.pointAtPercent(0.5)
    width, height = metrics.horizontalAdvance(text) + 10, metrics.height() + 4
    plate = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
    painter.setPen(pen(look.color("line"), 1))
    painter.setBrush(look.color("panel"))
    painter.drawRoundedRect(plate, 4, 4)
    painter.setFont(font)
    painter.setPen(look.color("text"))
    draw_text(painter, plate, int(Qt.AlignmentFlag.AlignCenter), text)


def _paint_heads(painter: QPainter, edges: list[Edge], color: QColor) -> None:
    seen: set[tuple[float, float]] = set()
    for edge in edges:
        tip, before = edge.points[-1], edge.points[-2]
        if tip not in seen:
            seen.add(tip)
            _paint_head(painter, QPointF(*tip), QPointF(0, 1 if tip[1] >= before[1] else -1), color)


def _paint_head(painter: QPainter, tip: QPointF, along: QPointF, color: QColor) -> None:
    across = QPointF(-along.y(), along.x())
    back = tip - along * _HEAD
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([tip, back + across * (_HEAD * 0.48), back - across * (_HEAD * 0.48)]))


def _stub_color(stub: Stub) -> str:
    if not any(end.saved for end in stub.ends):
        return "dim_text"
    return "forward" if stub.outgoing else "backward"


def seen_boxes(scene: Scene, ids: frozenset[str], area: QRectF) -> list[Box]:
    """Boxes of these ids that touch an area."""
    found = (scene.boxes[box] for box in ids if box in scene.boxes)
    return [box for box in found if to_qt(box.rect).intersects(area)]


def lit_boxes(scene: Scene, ids: frozenset[str]) -> list[Box]:
    """Boxes of these ids that the layout has, few enough to light up all their arrows."""
    return [scene.boxes[box] for box in sorted(ids) if box in scene.boxes][:40]
