"""Whether other processes took the machine's cores while something was timed: then no factor is reported."""

import os
import time
from pathlib import Path

import torch

_STAT = Path("/proc/stat")
_IDLE = slice(3, 5)
"""Columns: idle, and waiting for a disk."""
_GUESTS = slice(8, None)
"""Counted in others already."""
_LEAST = 0.5
"""Cores: less than half a one too few is what every desktop has."""
_SHORTEST = 0.2
"""Seconds. In less the kernel's clock ticks are too coarse."""


class MachineLoad:
    """Counts from where it is made. Where the system does not say (only Linux does), the machine is taken to be idle."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._all, self._own = _busy_seconds(), _own_seconds()

    def others(self) -> float:
        """Cores that other processes used since then, where that left fewer than torch has threads; else 0."""
        spent = time.monotonic() - self._began
        now = _busy_seconds()
        if now is None or self._all is None or spent < _SHORTEST:
            return 0.0
        used = (now - self._all - (_own_seconds() - self._own)) / spent
        left = (os.cpu_count() or 1) - torch.get_num_threads()
        return used if used > max(left, 0) + _LEAST else 0.0


def _busy_seconds() -> float | None:
    try:
        ticks = [int(part) for part in _STAT.read_text().split("\n", 1)[0].split()[1:]]
    except (OSError, ValueError):
        return None
    return (sum(ticks) - sum(ticks[_IDLE]) - sum(ticks[_GUESTS])) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    spent = os.times()
    return spent.user + spent.system
