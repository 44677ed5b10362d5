"""Finds what lies in a part of the canvas: rectangles sorted by their top, asked with two binary searches."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.graph_layout.geometry import Rect


class SpatialIndex:
    """An index over rectangles that do not change. Tall ones are kept apart, so that they do not widen every search."""

    def __init__(self, rects: Sequence[Rect]) -> None:
        table = np.array([(r.x, r.y, r.right, r.bottom) for r in rects], dtype=np.float64).reshape(-1, 4)
        self._table = table
        heights = table[:, 3] - table[:, 1]
        limit = max(float(np.median(heights)) * 4, 200.0) if len(rects) else 0.0
        self._tall = np.nonzero(heights > limit)[0]
        short = np.nonzero(heights <= limit)[0]
        self._short = short[np.argsort(table[short, 1], kind="stable")]
        self._tops = table[self._short, 1]
        self._reach = limit

    def inside(self, x0: float, y0: float, x1: float, y1: float, least: float = 0.0) -> list[int]:
        """Numbers of all rectangles that touch an area and are so high at least, in their own order."""
        near = self._near(x0, y0, x1, y1)
        if least:
            near = near[self._table[near, 3] - self._table[near, 1] >= least]
        return [int(number) for number in np.sort(near)]

    def count(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """How many rectangles touch an area."""
        return len(self._near(x0, y0, x1, y1))

    def count_whole(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """How many rectangles lie in an area, with all of them."""
        table = self._table[self._near(x0, y0, x1, y1)]
        whole = (table[:, 0] >= x0) & (table[:, 2] <= x1) & (table[:, 1] >= y0) & (table[:, 3] <= y1)
        return int(np.count_nonzero(whole))

    def _near(self, x0: float, y0: float, x1: float, y1: float) -> NDArray[np.int64]:
        low = np.searchsorted(self._tops, y0 - self._reach, side="left")
        high = np.searchsorted(self._tops, y1, side="right")
        near: NDArray[np.int64] = np.concatenate((self._short[low:high], self._tall))
        table = self._table[near]
        touches = (table[:, 2] >= x0) & (table[:, 0] <= x1) & (table[:, 3] >= y0) & (table[:, 1] <= y1)
        chosen: NDArray[np.int64] = near[touches]
        return chosen

    def at(self, x: float, y: float) -> int | None:
        """The last rectangle that holds a point, or None."""
        hits = self.inside(x, y, x, y)
        return hits[-1] if hits else None
