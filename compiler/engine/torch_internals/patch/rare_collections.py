"""Python's full cycle collections only where memory has grown: a compile makes millions of objects that live to its end, and
looking through all of them again and again took 15 % of an 80-layer model's capture.

Young objects are collected still, so what a program drops in a cycle goes. Only thresholds are set; a program that turned the
collector off keeps it off.
"""

import contextlib
import gc
import sys
import threading
from collections.abc import Iterator

import torch

from compiler.processes.free_memory import free_memory, resident_bytes

_NEVER = 1 << 30
"""Collections of the middle generation before a full one."""
_MOST_GROWTH = 1 << 30
"""Bytes of memory that may come before all objects are looked through."""
_SHARE_OF_FREE = 4
"""Nor more than a quarter of what the machine has left."""
_YOUNG = 100_000
"""Objects made, and not gone, before the young are looked through; Python's 700 find most of them still in use, and so do
10,000, which a recompile makes 25 times.
"""


class _Rarely:
    """Of the process: who enters while another is inside only counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = gc.get_threshold()
        self._set = self._before
        self._most = 0

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            self._before = gc.get_threshold()
            self._wait()
            gc.callbacks.append(self._watch)

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside:
                return
            gc.callbacks.remove(self._watch)
            if gc.get_threshold() == self._set:  # else the program chose others meanwhile
                gc.set_threshold(*self._before)

    def _wait(self) -> None:
        """Until memory has grown again."""
        free = free_memory()
        room = _MOST_GROWTH if free is None else min(free // _SHARE_OF_FREE, _MOST_GROWTH)
        self._most = (resident_bytes() or 0) + room
        self._apply(self._before[1], _NEVER)

    def _apply(self, middle: int, full: int) -> None:
        young = self._before[0]
        gc.set_threshold(max(young, _YOUNG) if young else 0, middle, full)
        self._set = gc.get_threshold()

    def _watch(self, phase: str, info: dict[str, int]) -> None:
        """After a collection: is a full one due? None can begin from here, so one of the next two is made one."""
        if phase != "stop" or gc.get_threshold() != self._set:
            return
        if info["generation"] == 2:
            self._wait()
            return
        now = resident_bytes()
        if now is None or now > self._most:
            self._apply(0, 0)


_rarely = _Rarely()


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Full collections as memory asks for them; where that cannot be known, as Python has them."""
    # since 3.14 a collection looks at a part of the old objects only, and no threshold of theirs is read
    if sys.version_info >= (3, 14) or resident_bytes() is None or _has_gpu():
        yield
        return
    _rarely.enter()
    try:
        yield
    finally:
        _rarely.leave()


def _has_gpu() -> bool:
    """A GPU's memory is not the process's, so what cycles hold there would not be noticed."""
    count = getattr(torch._C, "_cuda_getDeviceCount", None)
    return count is not None and count() > 0
