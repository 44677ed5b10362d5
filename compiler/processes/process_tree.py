"""What a process and all that it started hold of the memory, from /proc; nothing where there is none."""

import contextlib
import os
from collections import defaultdict
from pathlib import Path

_PARENT, _RESIDENT = 1, 21
_AFTER_NAME = ") "


def status_fields(process: int | str) -> tuple[str, list[str]]:
    """The name of a process, and what follows it in /proc/PID/stat: state, parent, group, session, … Raises OSError."""
    name, _, rest = (
        Path("/proc", str(process), "stat")
        .read_text(errors="replace")
        .partition("(")[2]
        .rpartition(_AFTER_NAME)
    )
    return name, rest.split()


def resident_memory(process: int) -> int:
    """Bytes resident in a process and its descendants; what they share counts once for each. 0 where it is not told."""
    children: dict[int, list[int]] = defaultdict(list)
    resident: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            _, fields = status_fields(entry.name)
            number = int(entry.name)
            children[int(fields[_PARENT])].append(number)
            resident[number] = int(fields[_RESIDENT]) * os.sysconf("SC_PAGE_SIZE")
    total, waiting = 0, [process]
    while waiting:
        number = waiting.pop()
        total += resident.get(number, 0)
        waiting += children.get(number, ())
    return total
