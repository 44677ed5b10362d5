"""How much memory is in use and left, and whether there is enough for one more worker."""

import os
from pathlib import Path

_WORKER = 600 << 20
_LEFT_OVER = 1 << 30
_ENOUGH_IN_ALL = 8 << 30
"""Where it is not known what is free, a machine with so much has room."""
_CGROUP = Path("/sys/fs/cgroup")
_STATM = Path("/proc/self/statm")


def has_room_for_worker() -> bool:
    """Whether a worker that only waits leaves enough for those that work."""
    free = free_memory()
    if free is not None:
        return free >= _WORKER + _LEFT_OVER
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= _ENOUGH_IN_ALL


def free_memory(meminfo: Path = Path("/proc/meminfo"), cgroup: Path = _CGROUP) -> int | None:
    """Bytes that this machine, or the container that we are in, can still give; None where that is not known."""
    found = []
    if meminfo.exists():
        rows = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        if "MemAvailable" in rows:
            found.append(int(rows["MemAvailable"].split()[0]) << 10)
    for most, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        limit, current = cgroup / most, cgroup / used
        if limit.exists() and current.exists() and (text := limit.read_text().strip()).isdigit():
            found.append(max(int(text) - int(current.read_text()), 0))
    return min(found, default=None)


def resident_bytes() -> int | None:
    """Memory that this process holds now; None where the system does not say so at no cost."""
    try:
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
