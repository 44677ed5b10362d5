"""Memory over a step, from its allocations and releases in order."""

from collections import defaultdict

from compiler.model.prediction.predicted_step import MemoryCurve, MemoryPoint
from compiler.model.prediction.simulated_step import KINDS, Allocation, Moment, SimulatedStep

BLOCK = 512
"""Torch's caching allocator hands out memory in multiples of this."""
_POINTS = 600
LIBRARIES = "libraries"


def rounded(size: int) -> int:
    """What the allocator counts for an allocation."""
    return -(-size // BLOCK) * BLOCK


def memory_curve(step: SimulatedStep, library_bytes: int = 0) -> MemoryCurve:
    """The curve; `library_bytes` is held throughout by libraries."""
    kinds = (*KINDS, LIBRARIES)
    changes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for held in step.memory:
        index = kinds.index(held.kind)
        changes[held.begin].append((index, rounded(held.bytes)))
        changes[held.end].append((index, -rounded(held.bytes)))
    live = [0] * len(kinds)
    live[-1] = library_bytes
    size = max(len(step.moments) // _POINTS, 1)
    best: dict[int, MemoryPoint] = {}
    peaks: dict[str, int] = {}
    peak = MemoryPoint(0, tuple(live))
    moments = [moment.at for moment in step.moments]
    index = 0
    for tick in sorted(changes):
        if tick > step.length - 1:
            break
        for kind, change in changes[tick]:
            live[kind] += change
        while index < len(moments) - 1 and moments[index] < tick:
            index += 1
        point = MemoryPoint(index, tuple(live))
        bucket = index // size
        if bucket not in best or point.total > best[bucket].total:
            best[bucket] = point
        if point.total > peak.total:
            peak = point
        phase = step.moments[index].phase if step.moments else ""
        peaks[phase] = max(peaks.get(phase, 0), point.total)
    return MemoryCurve(
        kinds,
        tuple(best[bucket] for bucket in sorted(best)),
        peak,
        _phases(step.moments),
        tuple(peaks.items()),
    )


def largest(step: SimulatedStep, at: int, most: int = 8) -> tuple[Allocation, ...]:
    """The largest pieces that live at a moment, the largest first."""
    if not step.moments:
        return ()
    tick = step.moments[at].at
    found = [held for held in step.memory if held.begin <= tick < held.end]
    return tuple(sorted(found, key=lambda held: -held.bytes)[:most])


def _phases(moments: tuple[Moment, ...]) -> tuple[tuple[str, int], ...]:
    first: dict[str, int] = {}
    for index, moment in enumerate(moments):
        first.setdefault(moment.phase, index)
    return tuple(first.items())
