"""How long the window's event loop stands still while it has nothing to compute: it waits for something it must not wait for."""

import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 10
_CLOCKS = Path("/proc/thread-self/schedstat")


def _clocks() -> tuple[float, float]:
    """Seconds that this thread ran, and that it wanted to and was not let."""
    ran, waited, _ = _CLOCKS.read_text(encoding="utf-8").split()
    return int(ran) / 1e9, int(waited) / 1e9


class StandingStill(QObject):
    """Asks the loop every 10 ms. Linux."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worst = 0.0
        """Seconds in which it answered nothing and computed nothing."""
        self.worst_busy = 0.0
        """Seconds in which it answered nothing, whatever it did."""
        self.worst_own = 0.0
        """Seconds in which it answered nothing, without those in which others had the processor."""
        self._last, self._before = time.monotonic(), _clocks()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._ask)
        self._timer.start()

    def _ask(self) -> None:
        now, clocks = time.monotonic(), _clocks()
        ran, waited = (one - before for one, before in zip(clocks, self._before, strict=True))
        gap = now - self._last - _EVERY_MS / 1000
        self.worst_busy = max(self.worst_busy, gap)
        self.worst_own = max(self.worst_own, gap - waited)
        self.worst = max(self.worst, gap - ran - waited)
        self._last, self._before = now, clocks
