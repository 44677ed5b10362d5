"""How far a layout is, and whether anybody still wants it. The one thing that its thread and the window share."""

import threading

from app.graph_layout.geometry import LayoutCancelledError


class CancelToken:
    """Counted up by the layout, read by whoever waits."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._done = 0
        self._total = 0

    def cancel(self) -> None:
        """Nobody wants the layout any more."""
        self._cancelled.set()

    def check(self) -> None:
        """Go on, or raise LayoutCancelledError."""
        if self._cancelled.is_set():
            raise LayoutCancelledError

    def expect(self, boxes: int) -> None:
        """So many boxes are measured, and then placed."""
        self._total = 2 * boxes

    def advance(self, boxes: int = 1) -> None:
        """So many boxes are measured, or placed."""
        self._done += boxes
        self.check()

    @property
    def boxes(self) -> int:
        """How many boxes there will be; 0 while that is not known."""
        return self._total // 2

    @property
    def part(self) -> float:
        """From 0 to 1."""
        return min(self._done / self._total, 1.0) if self._total else 0.0
