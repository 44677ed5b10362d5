"""After large work is on show, Python's cycle collector looks at all that it made, once and while nobody waits.

Otherwise its next full pass comes in the middle of some frame, which takes 60 ms longer with a graph of 10,000 nodes.
"""

import gc
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

MUCH = 50_000
"""Objects. Whoever makes fewer does not delay a frame noticeably."""

_FULL_EVERY = 60.0
"""Seconds. In between only what is new is looked at; the rest is set aside."""


class IdleCollection(QObject):
    """Belongs to whoever has large work done in a thread; lives in the window's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._on_idle)
        self._waiting: list[Callable[[], None]] = []

    def after(self, made: int, then: Callable[[], None] = lambda: None) -> None:
        """So many objects are new: collect as soon as what waits to be painted is, and call; at once where it is not worth it."""
        if made >= MUCH:
            self._waiting.append(then)
            self._soon.start()
        else:
            then()

    def _on_idle(self) -> None:
        _collect()
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()


_last_full = -_FULL_EVERY


def _collect() -> None:
    """Collect, and set aside what is left, so that frames to come need not look at it."""
    global _last_full
    now = time.monotonic()
    if now - _last_full >= _FULL_EVERY:
        gc.unfreeze()
        _last_full = now
    gc.collect()
    gc.freeze()
