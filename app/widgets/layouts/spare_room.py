"""Where cards of notices may lie when what is at the window's corners is read: a canvas, beside what is drawn on it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QSize
from PySide6.QtWidgets import QWidget

from app.places.corners import corners

_NAME = "spare_room"


class SpareRoom(QObject):
    """Marks its parent. `covers`: how many things would be covered at a place in it."""

    def __init__(self, parent: QWidget, covers: Callable[[QRect], int]) -> None:
        super().__init__(parent)
        self.setObjectName(_NAME)
        self.covers = covers


def spare_places(window: QWidget, size: QSize, margin: int) -> list[tuple[QRect, int]]:
    """Corners of what is marked and shown, in the window's coordinates, with how much is covered there."""
    found = []
    for mark in window.findChildren(SpareRoom, _NAME):
        widget = mark.parent()
        if not isinstance(widget, QWidget) or widget.visibleRegion().isEmpty():
            continue
        at = corners(widget.rect(), size, margin)
        if not widget.rect().contains(at.bottom_right) or not widget.rect().contains(at.top_left):
            continue
        for place in (at.bottom_left, at.bottom_right, at.top_left, at.top_right):
            found.append(
                (place.translated(widget.mapTo(window, widget.rect().topLeft())), mark.covers(place))
            )
    return found
