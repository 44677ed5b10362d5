"""Where something that floats over a place may stand: its corners."""

from typing import NamedTuple

from PySide6.QtCore import QRect, QSize


class Corners(NamedTuple):
    """Of equal size, each as far from both of its edges."""

    bottom_right: QRect
    bottom_left: QRect
    top_right: QRect
    top_left: QRect


def corners(room: QRect, size: QSize, margin: int) -> Corners:
    """Those of a room; where it is smaller than what stands there, they reach out of it at the top and at the left."""
    left, top = room.left() + margin, room.top() + margin
    right = room.left() + room.width() - size.width() - margin
    bottom = room.top() + room.height() - size.height() - margin
    return Corners(*(QRect(x, y, size.width(), size.height()) for y in (bottom, top) for x in (right, left)))
