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
    global _pauses, _was_on
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
