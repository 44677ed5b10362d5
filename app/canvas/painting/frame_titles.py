"""Titles of open modules: in their corner, or at the edge of the view while the corner is out of sight, as in a breadcrumb."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.canvas.painting.box_measure import TITLE_PIXELS
from app.canvas.painting.brushes import Brushes
from app.canvas.painting.edge_painting import lane_plate
from app.canvas.scene import Scene, to_qt
from app.graph_layout.blocks import HEADER
from app.graph_layout.geometry import Frame
from app.theme import fonts
from app.theme.drawn_text import draw_text, elided

_LEAST_TITLED = 30.0
"""Height on the screen below which an open module has no room for a title."""
_SCREEN_TEXT = 12.0
_ACROSS, _DOWN, _GAP = 6.0, 5.0, 4.0
_SEE_THROUGH = 215
_MOST_ROWS = 3
"""Of titles at the top edge, where many modules lie inside one another."""
_LEFT = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True)
class TitlePlace:
    """A title and where it is drawn, in units of the scene."""

    frame: Frame
    plate: QRectF
    held: bool
    """Kept at the edge of the view, away from the module's corner."""


def title_places(scene: Scene, view: QRectF, zoom: float) -> list[TitlePlace]:
    """The titles seen in a view (in units of the scene). Where titles in corners would cover one another, zoomed out, the
    inner module keeps its own; those held at the edge stand side by side, the outermost first.
    """
    size, frames = _size(zoom), scene.frames_in(view, _LEAST_TITLED / zoom)
    found: list[TitlePlace] = []
    taken: list[QRectF] = []
    away: list[tuple[Frame, QRectF]] = []
    for frame in sorted(frames, key=lambda frame: -frame.depth):
        plate = _plate(frame, to_qt(frame.rect), size)
        if plate is None:
            continue
        seen = to_qt(frame.rect).intersected(view)
        if not view.contains(plate.topLeft()):
            away.append((frame, seen))
        elif not any(plate.intersects(other) for other in taken):
            taken.append(plate)
            found.append(TitlePlace(frame, plate, False))
    taken.extend(_lane_plates(scene, view, zoom) if away else ())
    for frame, seen in reversed(away):
        wanted = _plate(frame, seen, size)
        plate = _free_place(wanted, seen, taken, view, zoom) if wanted is not None else None
        if plate is not None:
            taken.append(plate)
            found.append(TitlePlace(frame, plate, True))
    return found


def paint_frame_titles(painter: QPainter, places: Iterable[TitlePlace], look: Brushes, zoom: float) -> None:
    """Titles above everything."""
    size = _size(zoom)
    font = fonts.canvas(size, bold=True)
    metrics = QFontMetricsF(font)
    for place in places:
        plate = place.plate
        ground = QColor(look.canvas)
        ground.setAlpha(255 if zoom >= 0.5 or place.held else _SEE_THROUGH)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(plate, 4, 4)
        painter.setFont(font)
        painter.setPen(look.color("dim_text"))
        text = elided(metrics, _text(place.frame), Qt.TextElideMode.ElideMiddle, plate.width() - size * 0.5)
        draw_text(painter, plate.adjusted(size * 0.4, 0, 0, 0), int(_LEFT), text)


def _size(zoom: float) -> float:
    return max(TITLE_PIXELS - 1, (_SCREEN_TEXT - 1) / zoom)


def _text(frame: Frame) -> str:
    return f"▾ {frame.title}"


def _plate(frame: Frame, area: QRectF, size: float) -> QRectF | None:
    """Where a title of that letter height goes in the corner of an area, or None where that is too small for it."""
    if size * 1.7 > min(frame.rect.height * 0.5, 160):
        return None
    natural = QFontMetricsF(fonts.canvas(size, bold=True)).horizontalAdvance(_text(frame)) + size
    width = min(natural, area.width() - 2 * _ACROSS)
    if width < natural * 0.75:
        return None
    return QRectF(area.left() + _ACROSS, area.top() + _DOWN, width, max(HEADER - 10, size * 1.5))


def _free_place(
    wanted: QRectF, seen: QRectF, taken: list[QRectF], view: QRectF, zoom: float
) -> QRectF | None:
    """The wanted place, or the next one to the right of or below other titles, that is within what is seen of the module."""
    plate, gap = QRectF(wanted), _GAP / zoom
    for _ in range(_MOST_ROWS):
        plate.moveLeft(wanted.left())
        while plate.right() <= seen.right() and plate.bottom() <= seen.bottom():
            other = next((other for other in taken if plate.intersects(other)), None)
            if other is None:
                return plate
            plate.moveLeft(other.right() + gap)
        plate.translate(0, plate.height() + gap)
    return None


def _lane_plates(scene: Scene, view: QRectF, zoom: float) -> Iterable[QRectF]:
    """The names of lanes, which stay at the top of the view too."""
    for band in scene.layout.lanes:
        seen = to_qt(band.rect).intersected(view)
        plate = lane_plate(band, QRectF(0, 0, seen.width() * zoom, seen.height() * zoom))
        if plate is not None:
            yield QRectF(
                seen.left() + plate.left() / zoom,
                seen.top() + plate.top() / zoom,
                plate.width() / zoom,
                plate.height() / zoom,
            )
