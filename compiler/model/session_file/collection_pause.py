"""No cycles are collected while much is decoded: what is read has none, and would be looked through again and again.

Python's collector runs in whichever thread allocates; in a thread of the window's work it would destroy widgets outside theirs.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextmanager
def collection_paused() -> Iterator[None]:
    """No cycle is collected until the last thread that asked for this is done."""
    _pause()
    try:
        yield
    finally:
        _resume()


class CollectionHold:
    """The same for who begins something in one place and ends it in another."""

    def __init__(self) -> None:
        self._taken = 0
        self._lock = threading.Lock()

    def take(self) -> None:
        """No cycle is collected until `give`."""
        with self._lock:
            self._taken += 1
        _pause()

    def give(self) -> None:
        """Undo one `take`; nothing where all are undone."""
        with self._lock:
            if not self._taken:
                return
            self._taken -= 1
        _resume()

    def give_all(self) -> None:
        """Undo all of them, for when the owner goes away."""
        while self._taken:
            self.give()


def _pause() -> None:
    global _pauses, _was_on
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1


def _resume() -> None:
    global _pauses
    with _lock:
        _pauses -= 1
        if _pauses == 0 and _was_on:
            gc.enable()
