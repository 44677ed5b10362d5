"""Where a canvas opens: everything where that is readable, else the beginning, else where there is something to read."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, QSize

FIT_ZOOM = 1.25
"""Fitting never enlarges more than this: twelve boxes need not fill a wall."""

READABLE = 0.7
READABLE_WHOLE = 0.6
"""What is seen as a whole may be a little smaller: its last box in view is worth more than larger letters."""

MARGIN = 28.0
_LEAST_MARGIN = 8.0
"""Of the view's pixels, around what fits only by giving up the rest of its margin."""

_LEAST_HIGH = 420.0
"""Of what does not fit, the first sight is to show this much from top to bottom, a few rows of boxes, where that is readable."""

_PLACES = 12
"""To either side of the beginning, tried for the one where most is in view."""

_FEW = 160.0
"""A chain of boxes, with titles of modules between them, has two in this height: a sight with fewer than one is mostly empty."""

_CHAIN = 440.0
"""So wide is a chain with what joins it. As many boxes over all of a wide view are no beginning: they stand far apart."""

_NEAR, _STEPS = 1.0, 8
"""Screens away from the upper edge that still show where the graph begins, and places tried in each."""

_JUST_BELOW = 0.4
"""Of a view's height: titles of modules and lanes have room above the first box."""

_NEARLY = 0.75
"""A place that shows this part of what the fullest one shows is as good."""

_MOST_SCREENS = 20
"""So far down something to read is looked for."""


@dataclass(frozen=True)
class Content:
    """What a canvas holds, in scene units."""

    bounds: QRectF = field(default_factory=QRectF)
    beginning: QRectF = field(default_factory=QRectF)
    """Where reading begins."""
    heart: QRectF = field(default_factory=QRectF)
    """What says most of the whole, such as the layer that repeats; empty where nothing does."""
    crowd: Callable[[QRectF], int] = lambda _area: 0
    """How many things there are in a part, with all of them."""


@dataclass(frozen=True)
class Sight:
    """A zoom, and what is in the middle of the view."""

    zoom: float
    center: QPointF


def fit_zoom(bounds: QRectF, size: QSize) -> float:
    """The zoom at which all of it is in view."""
    across = size.width() / (bounds.width() + 2 * MARGIN)
    down = size.height() / (bounds.height() + 2 * MARGIN)
    return min(across, down, FIT_ZOOM)


def first_sight(content: Content, size: QSize) -> Sight:
    """How a layout is seen first in a view of this size."""
    whole = _as_a_whole(content.bounds, size)
    if whole is not None:
        return whole
    across = size.width() / (content.bounds.width() + 2 * MARGIN)
    zoom = max(min(across, size.height() / _LEAST_HIGH, 1.0), READABLE)
    seen = _Window(content, size, zoom)
    start = seen.from_top(seen.first_top(), content.beginning)
    if seen.is_filled(start):
        return Sight(zoom, start)
    near = seen.near(start)
    if seen.is_filled(near):
        return Sight(zoom, near)
    held = seen.held(start)
    if not content.heart.isEmpty():
        sight = _at_heart(content, size)
        if _Window(content, size, sight.zoom).held(sight.center) > held:
            return sight
    return Sight(zoom, seen.first_full(start))


def _at_heart(content: Content, size: QSize) -> Sight:
    """All of it, with a margin for what goes on around it, or its upper end."""
    heart = content.heart
    zoom = min(fit_zoom(heart, size), 1.0)
    if zoom >= READABLE_WHOLE:
        return Sight(zoom, heart.center())
    return Sight(READABLE, _Window(content, size, READABLE).from_top(heart.top() - MARGIN, heart))


def _as_a_whole(bounds: QRectF, size: QSize) -> Sight | None:
    """All of it with what margin there is; None where it would not be readable."""
    room = 2 * _LEAST_MARGIN
    closest = min(
        (size.width() - room) / max(bounds.width(), 1), (size.height() - room) / max(bounds.height(), 1)
    )
    fitting = fit_zoom(bounds, size)
    if fitting < READABLE and closest < READABLE_WHOLE and not bounds.isEmpty():
        return None
    return Sight(max(fitting, min(closest, READABLE)), bounds.center())


class _Window:
    """The part of a content that a view shows at a zoom, moved about."""

    def __init__(self, content: Content, size: QSize, zoom: float) -> None:
        self._content = content
        self.width, self.height = size.width() / zoom, size.height() / zoom

    def held(self, center: QPointF) -> int:
        """How much is in view."""
        area = QRectF(0, 0, self.width, self.height)
        area.moveCenter(center)
        return self._content.crowd(area)

    def first_top(self) -> float:
        """The upper edge of all where the beginning is just below it; else that of the beginning, such as of a lane beside a
        longer one.
        """
        top, beginning = self._content.bounds.top(), self._content.beginning
        return (top if beginning.bottom() < top + self.height * _JUST_BELOW else beginning.top()) - MARGIN

    def is_filled(self, center: QPointF) -> bool:
        """Whether somewhere in view is a chain from top to bottom."""
        width = min(self.width, _CHAIN)
        places = 2 * math.ceil(self.width / width)
        column = QRectF(0, 0, width, self.height)
        for place in range(places + 1):
            column.moveCenter(center)
            column.moveLeft(center.x() - self.width / 2 + (self.width - width) * place / places)
            if self._content.crowd(column) >= self.height / _FEW:
                return True
        return False

    def near(self, start: QPointF) -> QPointF:
        """The highest place, not far below the start, with nearly as much as any there."""
        top, middles = start.y() - self.height / 2, self._middles(start.x())
        steps = range(int(_NEAR * _STEPS) + 1)
        places = [self._fullest(top + self.height * step / _STEPS, middles, start.x()) for step in steps]
        return self._first_with(places, _NEARLY)

    def _middles(self, middle: float) -> list[float]:
        """Places to the left and right of this one."""
        reach = range(-_STEPS, _STEPS + 1)
        return [middle + self.width * _NEAR * step / _STEPS for step in reach]

    def from_top(self, top: float, around: QRectF) -> QPointF:
        """With this at the upper edge: where `around` and most other things are seen."""
        middle = around.center().x()
        slack = max(self.width / 2 - around.width() / 2 - MARGIN, 0.0)
        places = [middle + slack * step / _PLACES for step in range(-_PLACES, _PLACES + 1)]
        return self._fullest(top, places, middle)

    def first_full(self, start: QPointF) -> QPointF:
        """The highest place with at least half of what the fullest shows, or the start where that has so much too."""
        bounds = self._content.bounds
        tops = [bounds.top() - MARGIN + step * self.height / 2 for step in range(2 * _MOST_SCREENS)]
        steps = min(math.ceil(2 * bounds.width() / self.width), 2 * _PLACES)
        middles = [bounds.left() + bounds.width() * (step + 0.5) / steps for step in range(steps)]
        places = [
            self._fullest(top, middles, start.x()) for top in tops if top + self.height / 2 < bounds.bottom()
        ]
        return self._first_with([start, *places], 1 / 2)

    def _first_with(self, places: list[QPointF], part: float) -> QPointF:
        """The first that shows at least this part of what the fullest of them shows."""
        counts = [self.held(place) for place in places]
        enough = max(counts) * part
        return next(place for place, count in zip(places, counts, strict=True) if count >= enough)

    def _fullest(self, top: float, middles: list[float], wanted: float) -> QPointF:
        bounds = self._content.bounds
        left, right = bounds.left() - MARGIN + self.width / 2, bounds.right() + MARGIN - self.width / 2
        y = top + self.height / 2
        if left >= right:
            return QPointF(bounds.center().x(), y)
        inside = sorted({min(max(x, left), right) for x in middles}, key=lambda x: abs(x - wanted))
        return max((QPointF(x, y) for x in inside), key=self.held)
