"""A process and all that it started, and what these hold of the memory, from /proc; nothing where there is none."""

import contextlib
import os
import signal
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

_PARENT, _STARTED, _RESIDENT = 1, 19, 21
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


def command_line(process: int) -> list[str]:
    """Its words. Raises OSError where it is gone."""
    return Path("/proc", str(process), "cmdline").read_bytes().decode("utf-8", "replace").split("\0")


def resident_memory(process: int) -> int:
    """Bytes resident in a process and its descendants; what they share counts once for each. 0 where it is not known."""
    return sum(int(fields[_RESIDENT]) for fields in _below(process).values()) * os.sysconf("SC_PAGE_SIZE")


def descendants(process: int) -> set[tuple[int, int]]:
    """(number, when it was started, in ticks) of each process that it started, and of those that these started."""
    return {
        (number, int(fields[_STARTED])) for number, fields in _below(process).items() if number != process
    }


def _below(process: int) -> dict[int, list[str]]:
    """The fields of a process and of its descendants, by number."""
    children: dict[int, list[int]] = defaultdict(list)
    found: dict[int, list[str]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            _, fields = status_fields(entry.name)
            children[int(fields[_PARENT])].append(int(entry.name))
            found[int(entry.name)] = fields
    below: dict[int, list[str]] = {}
    waiting = [process]
    while waiting:
        number = waiting.pop()
        if number in found:
            below[number] = found[number]
        waiting += children.get(number, ())
    return below


def kill_group(process: "subprocess.Popen[Any]") -> None:
    """End a process that leads a group with all of the group, and wait for it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
