"""The arguments and the first environment of this process as the kernel tells them to others: a forked process carries those
of the one it was forked from, and would be taken for it.
"""

import ctypes
import os
from pathlib import Path

_ARGUMENTS, _ENVIRONMENT = 48 - 3, 50 - 3
"""Where /proc/PID/stat says they begin, counted from what follows the name; each end follows its beginning."""


def write_in_place(old: str, new: str) -> None:
    """Write one word over another of the same length in both. Anything else is left as it is, and so is a system without
    such files.
    """
    before, after = os.fsencode(old), os.fsencode(new)
    if not before or len(before) != len(after):
        return
    try:
        fields = Path("/proc/self/stat").read_text(errors="replace").rpartition(") ")[2].split()
        for name, field in (("cmdline", _ARGUMENTS), ("environ", _ENVIRONMENT)):
            content = Path("/proc/self", name).read_bytes()
            start, end = int(fields[field]), int(fields[field + 1])
            at = content.find(before)
            while 0 <= at and start + at + len(after) <= end:
                ctypes.memmove(start + at, after, len(after))
                at = content.find(before, at + len(before))
    except (OSError, ValueError, IndexError):
        return
