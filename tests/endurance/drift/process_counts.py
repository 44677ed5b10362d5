"""What a process holds: memory, descriptors, threads, children, files in its scratch folder. Linux."""

import ctypes
import gc
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

DRIFT = 0.05
"""By how much memory may grow after warming up."""
_COMPARED = 0.08
"""Of the looks: how many after warming up are compared with as many at the end."""


@dataclass(frozen=True)
class Counts:
    """At one moment."""

    memory_mb: float
    descriptors: int
    threads: int
    children: int
    files: int

    def __str__(self) -> str:
        reported = ", ".join(f"{getattr(self, name)} {name}" for name in _COUNTED)
        return f"{self.memory_mb:.1f} MB, {reported}"


_COUNTED = tuple(field.name for field in fields(Counts) if field.name != "memory_mb")


class Looks:
    """What some processes held from look to look. The first looks, a share `warm` of all, are reported and not compared."""

    def __init__(self, processes: tuple[str, ...], warm: float) -> None:
        self._processes, self._warm = processes, warm
        self._looks: list[tuple[Counts, ...]] = []

    def add(self, what: str, held: tuple[Counts, ...]) -> None:
        """Tells it on stderr."""
        self._looks.append(held)
        reported = "; ".join(f"{name} {part}" for name, part in zip(self._processes, held, strict=True))
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {what}: {reported}\n")

    def compared(self, faults: list[str]) -> str:
        """The middle of the first looks once warm with the middle of the last ones; adds what grew."""
        number = len(self._looks)
        compared = max(round(number * _COMPARED), 1)
        warm = min(round(number * self._warm), number - compared)
        if warm < 0:
            return "nothing was looked at"
        texts = []
        for index, name in enumerate(self._processes):
            held = [look[index] for look in self._looks]
            before, after = middle(held[warm : warm + compared]), middle(held[-compared:])
            faults += grown(name, before, after)
            most = max(part.memory_mb for part in held)
            texts.append(
                f"{name} {reported(before, after)}, {most:.0f} MB at most, {constant(before, after)}"
            )
        return "; ".join(texts)


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


def middle(looks: Sequence[Counts]) -> Counts:
    """Of each figure the median: what a process holds for a moment only is no drift."""
    return Counts(
        *(statistics.median_low([getattr(look, field.name) for look in looks]) for field in fields(Counts))
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


def reported(before: Counts, after: Counts) -> str:
    """The memory of both, with the drift."""
    return (
        f"{before.memory_mb:.0f} → {after.memory_mb:.0f} MB ({after.memory_mb / before.memory_mb - 1:+.1%})"
    )


def constant(before: Counts, after: Counts) -> str:
    """What is counted beside memory, of both."""
    pairs = [(getattr(before, name), getattr(after, name), name) for name in _COUNTED]
    return ", ".join(
        f"{first} {name}" if first == last else f"{first} → {last} {name}" for first, last, name in pairs
    )
