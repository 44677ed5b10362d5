"""What large work made is set aside from Python's cycle collector, and looked at later, while nobody waits.

Otherwise its next full pass comes in the middle of some frame or click, which takes 60 ms longer with a graph of 10,000 nodes and 300
with one of 50,000. What is set aside holds few cycles, and nearly all of it is let go of without a collector.
"""

import gc
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

MUCH = 50_000
"""Objects. Whoever makes fewer does not delay a frame noticeably."""

_FULL_EVERY = 60.0
"""Seconds, at least."""
_SHARE = 200
"""So many times as long as a full pass takes goes by before the next."""
_CALM_MILLISECONDS = 2000
"""After something was shown people look at it, and click."""


def set_aside(made: int) -> bool:
    """So many objects are new: let no pass look at them but a full one, if that is worth it; whether it was. For any thread."""
    if made >= MUCH:
        gc.freeze()
    return made >= MUCH


class IdleCollection(QObject):
    """Belongs to whoever has large work done in a thread; lives in the window's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calm = QTimer(self, singleShot=True)
        self._calm.timeout.connect(self._on_calm)

    def after(self, made: int, then: Callable[[], None] = lambda: None) -> None:
        """So many objects are new and on show: set them aside if that is worth it, and call."""
        if set_aside(made):
            self._calm.start(_CALM_MILLISECONDS)
        then()

    def _on_calm(self) -> None:
        """Look at everything, where the last time is long enough ago; else then."""
        left = _next_full - time.monotonic()
        if left > 0:
            self._calm.start(max(int(left * 1e3), _CALM_MILLISECONDS))
            return
        _collect()


_next_full = time.monotonic() + _FULL_EVERY


def _collect() -> None:
    """Collect all, and set aside what is left, so that frames to come need not look at it."""
    global _next_full
    began = time.monotonic()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    ended = time.monotonic()
    _next_full = ended + max(_FULL_EVERY, _SHARE * (ended - began))
