"""Paints boxes: nodes with their chips, and collapsed modules. How much of it depends on the zoom."""

from collections.abc import Container
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from app.canvas.marks import BoxMarks
from app.canvas.painting.box_measure import (
    DETAIL_LINE,
    TITLE_LINE,
    TITLE_PIXELS,
    chip_font,
    detail_font,
    large_title_font,
    module_line,
    second_line,
    title_font,
)
from app.canvas.painting.brushes import Brushes, mixed, pen
from app.canvas.scene import to_qt
from app.graph_layout.geometry import Box
from app.theme.drawn_text import draw_text, elided

TITLES_FROM = 0.2
"""Zoom from which there is room for a title."""

DETAILS_FROM = 0.6
SHAPES_FROM = 0.16
"""Zoom from which boxes have outlines and round corners."""

_ROUND = 6.0
_SCREEN_TITLE = 9.5
_LEAST_SCREEN_TITLE = 6.5
_PILL_ROLES = ("input", "output", "tangent", "saved")
_SINGLE_LINE = int(Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


def paint_box(painter: QPainter, box: Box, marks: BoxMarks, look: Brushes, zoom: float) -> None:
    """One box at a zoom where it is more than a speck."""
    rect = to_qt(box.rect)
    if zoom < SHAPES_FROM:
        _paint_speck(painter, box, rect, marks, look, zoom)
        return
    radius = (
        rect.height() / 2
        if box.node is not None and box.node.role in _PILL_ROLES and not box.chips
        else _ROUND
    )
    radius = min(radius, 15.0)
    _paint_halo(painter, box, rect, radius, marks, look, zoom)
    if box.node is None:
        _paint_stack(painter, rect, look)
    painter.setPen(pen(_mixed(look.color("line"), look.role(box), 0.45), 1.0))
    painter.setBrush(box_fill(box, marks, look))
    painter.drawRoundedRect(rect, radius, radius)
    _paint_role_bar(painter, box, rect, look)
    if zoom >= TITLES_FROM:
        _paint_text(painter, box, rect, look, zoom)
    if zoom >= DETAILS_FROM:
        _paint_chips(painter, box, marks, look)
    _paint_badges(painter, box, rect, marks, look)
    _paint_pass_frame(painter, box, rect, marks, look, zoom)


def box_fill(box: Box, marks: BoxMarks, look: Brushes) -> QColor:
    """The background: the colour that a source line and all made from it share, where there is one."""
    node = box.node
    if marks.nodes.painting is not None:
        color = marks.fills.get(box.id)
        return QColor(color) if color is not None else look.color("node")
    if node is None:
        return _mixed(look.color("node"), look.color("accent"), 0.07)
    index = marks.nodes.tints.get(node.id)
    return look.links[index % len(look.links)] if index is not None else look.color("node")


def _paint_speck(
    painter: QPainter, box: Box, rect: QRectF, marks: BoxMarks, look: Brushes, zoom: float
) -> None:
    """A box far away: one colour. What is marked is grown to a few pixels, so that it can be found."""
    color = _mark_color(box, marks, look, passes=True)
    if color is None:
        painter.fillRect(rect, far_color(box, marks, look))
    else:
        _paint_marked_speck(painter, rect, color, zoom)


def _paint_marked_speck(painter: QPainter, rect: QRectF, color: QColor, zoom: float) -> None:
    grow = 2.0 / zoom
    painter.fillRect(rect.adjusted(-grow, -grow, grow, grow), color)


def paint_speck_mark(painter: QPainter, box: Box, marks: BoxMarks, look: Brushes, zoom: float) -> None:
    """Only the mark on a box far away, over a picture of all boxes."""
    color = _mark_color(box, marks, look, passes=True)
    if color is not None:
        _paint_marked_speck(painter, to_qt(box.rect), color, zoom)


FarKey = tuple[str, str, bool, int | None, str | None]
"""What the colour of a box far away follows from: role, lane, module or not, tint, colour of the painting."""


def far_key(box: Box, marks: BoxMarks) -> FarKey:
    """Boxes with the same key have the same colour far away."""
    node = box.node
    if marks.nodes.painting is not None:
        return "", "", False, None, marks.fills.get(box.id, "")
    if node is None:
        return "", "", True, None, None
    return node.role, box.lane, False, marks.nodes.tints.get(node.id), None


def far_color(box: Box, marks: BoxMarks, look: Brushes) -> QColor:
    """The colour of a box far away, whether it is drawn alone or with a crowd."""
    return color_of(far_key(box, marks), look)


def color_of(key: FarKey, look: Brushes) -> QColor:
    """The colour of every box with this key. A painting's colours are never mixed, since a legend explains them."""
    role, lane, module, tint, painted = key
    if painted is not None:
        return QColor(painted or look.colors.line)
    if module:
        return _mixed(_mixed(look.color("node"), look.color("accent"), 0.07), look.color("accent"), 0.55)
    fill = look.links[tint % len(look.links)] if tint is not None else look.color("node")
    return _mixed(fill, look.role_color(role, lane), 0.55)


def _mark_color(box: Box, marks: BoxMarks, look: Brushes, passes: bool = False) -> QColor | None:
    """The colour of the most important mark on a box; what a pass did counts where there is no room for a frame."""
    rows: tuple[tuple[Container[str], str], ...] = (
        (marks.pinned, "pinned"),
        (marks.hovered, "hovered"),
        (marks.problems, "error"),
        (marks.found, "accent"),
    )
    if passes:
        rows += ((marks.made, "good"), (marks.changed, "edited"))
    return next((look.color(name) for boxes, name in rows if box.id in boxes), None)


def _paint_halo(
    painter: QPainter, box: Box, rect: QRectF, radius: float, marks: BoxMarks, look: Brushes, zoom: float
) -> None:
    """Selected, hovered, found, in error: a ring that stays visible when zoomed out."""
    color = _mark_color(box, marks, look)
    if color is None:
        return
    width = max(3.0, 2.0 / zoom)
    grown = rect.adjusted(-width / 2, -width / 2, width / 2, width / 2)
    soft = QColor(color)
    soft.setAlpha(60)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(soft, width * 2.6))
    painter.drawRoundedRect(grown, radius + width / 2, radius + width / 2)
    painter.setPen(pen(color, width))
    painter.drawRoundedRect(grown, radius + width / 2, radius + width / 2)


def _paint_pass_frame(
    painter: QPainter, box: Box, rect: QRectF, marks: BoxMarks, look: Brushes, zoom: float
) -> None:
    """A frame around what the pass on show made or changed, outside of the ring of a selection."""
    name = "good" if box.id in marks.made else "edited" if box.id in marks.changed else ""
    if name:
        width = max(1.8, 1.2 / zoom)
        gap = 7.0
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(look.color(name), width))
        painter.drawRect(rect.adjusted(-gap, -gap, gap, gap))


def _paint_stack(painter: QPainter, rect: QRectF, look: Brushes) -> None:
    """A collapsed module looks like several sheets."""
    painter.setPen(pen(look.color("line"), 1.0))
    painter.setBrush(look.color("panel"))
    for shift in (6.0, 3.0):
        painter.drawRoundedRect(rect.adjusted(0, shift, shift, -shift), _ROUND, _ROUND)


def _paint_role_bar(painter: QPainter, box: Box, rect: QRectF, look: Brushes) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.role(box))
    inset = 9.0 if rect.height() > 30 else 7.0
    painter.drawRoundedRect(
        QRectF(rect.left() + 4.5, rect.top() + inset, 3.0, rect.height() - 2 * inset), 1.5, 1.5
    )


def _paint_text(painter: QPainter, box: Box, rect: QRectF, look: Brushes, zoom: float) -> None:
    painter.setPen(look.color("node_text"))
    if zoom < DETAILS_FROM:
        _paint_large_title(painter, box, rect, zoom)
        return
    left, width = rect.left() + 14, rect.width() - 22
    detail = module_line(box.repeats, len(box.members)) if box.node is None else second_line(box.node)
    _draw_elided(painter, title_font(), box.title, QRectF(left, rect.top() + 6, width, TITLE_LINE))
    if box.node is None:
        _paint_chevron(painter, QPointF(rect.right() - 15, rect.center().y()), look)
    if detail:
        painter.setPen(_mixed(look.color("dim_text"), look.color("node_text"), 0.25))
        _draw_elided(
            painter, detail_font(), detail, QRectF(left, rect.top() + 6 + TITLE_LINE, width, DETAIL_LINE)
        )


def _paint_large_title(painter: QPainter, box: Box, rect: QRectF, zoom: float) -> None:
    """Zoomed out, the title grows in the box, so that it keeps its size on the screen as long as there is room."""
    size = min(max(TITLE_PIXELS, _SCREEN_TITLE / zoom), rect.height() * 0.62)
    area = rect.adjusted(13, 0, -4, 0)
    natural = _width(round(size), box.title)
    least = _LEAST_SCREEN_TITLE / zoom
    size = min(size, max(size * area.width() / max(natural, 1.0), least))
    pixels = round(size)
    readable = size >= least * 0.95
    if readable and _width(pixels, box.title[:3]) < area.width():
        painter.setFont(large_title_font(pixels))
        draw_text(painter, area, _SINGLE_LINE, _elided(pixels, box.title, round(area.width())))


@lru_cache(maxsize=64)
def _metrics(pixels: int) -> QFontMetricsF:
    return QFontMetricsF(large_title_font(pixels))


@lru_cache(maxsize=4096)
def _width(pixels: int, text: str) -> float:
    """How wide a large title is. Titles repeat, and measuring one takes longer than painting it."""
    return _metrics(pixels).horizontalAdvance(text)


@lru_cache(maxsize=4096)
def _elided(pixels: int, text: str, width: int) -> str:
    return elided(_metrics(pixels), text, Qt.TextElideMode.ElideRight, width)


def _paint_chevron(painter: QPainter, center: QPointF, look: Brushes) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(look.color("dim_text"), 1.6))
    shape = (QPointF(-2.5, -4), QPointF(2.5, 0), QPointF(-2.5, 4))
    painter.drawPolyline(QPolygonF([center + point for point in shape]))


def _paint_chips(painter: QPainter, box: Box, marks: BoxMarks, look: Brushes) -> None:
    painter.setFont(chip_font())
    for chip, location in box.chips:
        rect = to_qt(location)
        color = look.color("accent" if chip.kind == "getitem" else "parameter")
        if chip.node in marks.nodes.pinned:
            edge, width = look.color("pinned"), 2.0
        elif chip.node in marks.nodes.hovered:
            edge, width = look.color("hovered"), 2.0
        else:
            edge, width = _mixed(look.color("node"), color, 0.5), 0.8
        painter.setPen(pen(edge, width))
        painter.setBrush(_mixed(look.color("node"), color, 0.13))
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        painter.setPen(_mixed(color, look.color("node_text"), 0.55))
        _draw_elided(painter, chip_font(), chip.label, rect.adjusted(7, 0, -5, 0))


def _paint_badges(painter: QPainter, box: Box, rect: QRectF, marks: BoxMarks, look: Brushes) -> None:
    """Edited: a corner in the edit's colour. Problem: a round badge with an exclamation mark."""
    if box.id in marks.edited:
        painter.setPen(pen(look.color("node"), 1.5))
        painter.setBrush(look.color("edited"))
        painter.drawEllipse(QPointF(rect.left() + 1, rect.top() + 1), 5.5, 5.5)
    if box.id in marks.problems:
        center = QPointF(rect.right() - 2, rect.top() + 2)
        painter.setPen(pen(look.color("node"), 1.5))
        painter.setBrush(look.color("error"))
        painter.drawEllipse(center, 8, 8)
        painter.setPen(pen(look.color("node"), 2.0))
        painter.drawLine(center + QPointF(0, -4), center + QPointF(0, 0.8))
        painter.drawPoint(center + QPointF(0, 4))


def _draw_elided(painter: QPainter, font: QFont, text: str, rect: QRectF) -> None:
    painter.setFont(font)
    draw_text(painter, rect, _SINGLE_LINE, _shortened(font.key(), text, round(rect.width() * 2)))


@lru_cache(maxsize=8192)
def _shortened(font: str, text: str, half_pixels: int) -> str:
    """The text as far as it fits. `font` is a key, since fonts cannot be hashed."""
    made = QFont()
    made.fromString(font)
    return elided(QFontMetricsF(made), text, Qt.TextElideMode.ElideRight, half_pixels / 2)


def _mixed(first: QColor, second: QColor, amount: float) -> QColor:
    """A colour between two."""
    return _mixed_rgb(first.rgb(), second.rgb(), amount)


@lru_cache(maxsize=1024)
def _mixed_rgb(one: int, other: int, amount: float) -> QColor:
    return mixed(QColor.fromRgb(one), QColor.fromRgb(other), amount)
