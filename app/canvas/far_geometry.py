"""Boxes and arrows of a layout as tables, and drawn into a picture as specks and hairlines.

From far away thousands of boxes are a pixel or two each. Drawing them one by one takes longer than a frame; writing
their pixels from tables does not.
"""

import numpy as np
from numpy.typing import NDArray

from app.graph_layout.geometry import Box, Layout

Pixels = NDArray[np.uint32]
"""A picture by (row, column): premultiplied ARGB."""

_SHORTEST = 1.2
"""Parts of arrows that are shorter, in pixels, are hidden by the specks at their ends."""

_Table = NDArray[np.float64]


class FarGeometry:
    """Made once a layout, in any thread."""

    def __init__(self, layout: Layout) -> None:
        kinds: dict[tuple[str, str], int] = {}
        self.kinds: list[Box] = []
        """One box of each role and lane, and one module: all others of its kind look like it but for their tint."""
        numbers = []
        for box in layout.boxes:
            key = (box.node.role, box.lane) if box.node is not None else ("", "")
            if key not in kinds:
                kinds[key] = len(kinds)
                self.kinds.append(box)
            numbers.append(kinds[key])
        self.kind_of = np.array(numbers, dtype=np.int64)
        """Of each box the number of its kind."""
        boxes = [(b.rect.x, b.rect.y, b.rect.right, b.rect.bottom) for b in layout.boxes]
        self._boxes = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        ways = [edge.way for edge in layout.edges]
        places = np.frombuffer(b"".join(ways), dtype=np.float64).reshape(-1, 2)
        joined = np.ones(len(places), dtype=bool)
        ends = np.cumsum([len(way) // 2 for way in ways], dtype=np.int64)
        joined[ends - 1] = False
        starts = np.nonzero(joined)[0]
        self._lines = np.hstack((places[starts], places[starts + 1])).reshape(-1, 4)

    def draw_lines(self, pixels: Pixels, left: float, top: float, scale: float, color: int) -> None:
        """Write all arrows into a picture whose corner is at (left, top) in the scene."""
        height, width = pixels.shape
        lines = (self._lines - (left, top, left, top)) * scale
        x0, y0, x1, y1 = lines.T
        seen = (np.maximum(x0, x1) >= 0) & (np.minimum(x0, x1) < width)
        seen &= (np.maximum(y0, y1) >= 0) & (np.minimum(y0, y1) < height)
        seen &= np.maximum(np.abs(x1 - x0), np.abs(y1 - y0)) >= _SHORTEST
        start, end = _clipped(lines[seen], width, height)
        steps = np.ceil(np.abs(end - start).max(axis=1, initial=0.0)).astype(np.int64) + 1
        which = np.repeat(np.arange(len(steps)), steps)
        part = np.arange(len(which)) - np.repeat(np.cumsum(steps) - steps, steps)
        locations = start[which] + (end - start)[which] * (part / np.maximum(steps - 1, 1)[which])[:, None]
        columns, rows = locations.astype(np.int64).T
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        pixels[rows[inside], columns[inside]] = color

    def draw_boxes(
        self, pixels: Pixels, left: float, top: float, scales: tuple[float, float], colors: Pixels
    ) -> None:
        """Write all boxes, each in its colour and at least a pixel large. `scales`: across and down."""
        height, width = pixels.shape
        boxes = (self._boxes - (left, top, left, top)) * (*scales, *scales)
        seen = (boxes[:, 2] >= 0) & (boxes[:, 0] < width) & (boxes[:, 3] >= 0) & (boxes[:, 1] < height)
        locations, colors = boxes[seen], colors[seen]
        first = np.clip(np.floor(locations[:, :2]), 0, (width - 1, height - 1)).astype(np.int64)
        last = np.clip(np.ceil(locations[:, 2:]), 1, (width, height)).astype(np.int64)
        size = np.maximum(last - first, 1)
        area = size[:, 0] * size[:, 1]
        which = np.repeat(np.arange(len(area)), area)
        part = np.arange(len(which)) - np.repeat(np.cumsum(area) - area, area)
        across = size[which, 0]
        pixels[first[which, 1] + part // across, first[which, 0] + part % across] = colors[which]


def _clipped(lines: _Table, width: int, height: int) -> tuple[_Table, _Table]:
    """The ends of lines cut off (roughly) at the picture's border, so that a long one has no more points than fit."""
    start, end = lines[:, :2], lines[:, 2:]
    along = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        near = (np.array((0.0, 0.0)) - start) / along
        far = (np.array((float(width), float(height))) - start) / along
    low = np.nan_to_num(np.minimum(near, far), nan=0.0, posinf=0.0, neginf=0.0)
    high = np.nan_to_num(np.maximum(near, far), nan=1.0, posinf=1.0, neginf=1.0)
    first = np.clip(low.max(axis=1, initial=0.0), 0.0, 1.0)[:, None]
    second = np.clip(np.where(np.abs(along) < 1e-9, 1.0, high).min(axis=1, initial=1.0), 0.0, 1.0)[:, None]
    second = np.maximum(first, second)
    return start + along * first, start + along * second
