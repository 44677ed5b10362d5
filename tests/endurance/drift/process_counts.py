"""What a process holds: memory, descriptors, threads, children, files in its scratch folder. Linux."""

import ctypes
import gc
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

DRIFT = 0.05
"""By how much memory may grow after warming up."""


@dataclass(frozen=True)
class Counts:
    """At one moment."""

    memory_mb: float
    descriptors: int
    threads: int
    children: int
    files: int


def counts(process: int, scratch: Path) -> Counts:
    """Of a process; of our own the memory that is in use, without what the C library keeps."""
    if process == os.getpid():
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
    place = Path(f"/proc/{process}")
    status = dict(
        line.split(":\t", 1) for line in (place / "status").read_text().splitlines() if ":\t" in line
    )
    return Counts(
        int(status["VmRSS"].split()[0]) / 1024,
        len(list((place / "fd").iterdir())),
        int(status["Threads"]),
        len((place / "task" / str(process) / "children").read_text().split()),
        sum(1 for path in scratch.rglob("*") if path.is_file()),
    )


def grown(what: str, before: Counts, after: Counts) -> list[str]:
    """What grew that must not."""
    faults = []
    for field in fields(Counts):
        first, last = getattr(before, field.name), getattr(after, field.name)
        most = first * (1 + DRIFT) + 1 if field.name == "memory_mb" else first
        if last > most:
            faults.append(f"{what}: {field.name} {first:.4g} → {last:.4g}")
    return faults


def middle(looks: Sequence[Counts]) -> Counts:
    """Of each figure the median: what a process holds for a moment only is no drift."""
    return Counts(
        *(statistics.median_low([getattr(look, field.name) for look in looks]) for field in fields(Counts))
    )


def constant(before: Counts, after: Counts) -> str:
    """What is counted beside memory, of both."""
    names = [field.name for field in fields(Counts) if field.name != "memory_mb"]
    pairs = [(getattr(before, name), getattr(after, name), name) for name in names]
    return ", ".join(
        f"{first} {name}" if first == last else f"{first} → {last} {name}" for first, last, name in pairs
    )


def told(before: Counts, after: Counts) -> str:
    """The memory of both, with the drift."""
    return (
        f"{before.memory_mb:.0f} → {after.memory_mb:.0f} MB ({after.memory_mb / before.memory_mb - 1:+.1%})"
    )
