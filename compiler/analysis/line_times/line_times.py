"""The time of each line of a program, from the times of kernels: its own, and with what it calls.

A kernel that was fused from several lines is one measured time; no clock distinguishes its lines. It is divided equally among
them, so that the lines' own times add up to the kernels'; what a line has for certain and what it could have at most is kept
beside it. Within a line that is reached on several ways, its part is divided equally among these.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from compiler.analysis.line_times.kernel_origins import KernelOrigin, Stack
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place
from compiler.model.timing.timings import KernelTiming, TimingSummary

LineKey: TypeAlias = tuple[str, int]
"""(path, line from 1)."""


class Spent(msgspec.Struct, frozen=True):
    """Nanoseconds of a step."""

    median: float = 0.0
    """Parts of the medians of kernels, added up."""
    low: float = 0.0
    """The same parts of their 25th percentiles."""
    high: float = 0.0
    """And of their 75th."""
    alone: float = 0.0
    """Of the median: kernels that no other line has a part in."""
    most: float = 0.0
    """All of every kernel that it has a part in."""

    @property
    def divided(self) -> bool:
        """Whether a part of it is a share of something measured together with other lines."""
        return self.most > self.alone * (1 + 1e-9)


class LinePart(msgspec.Struct, frozen=True):
    """A line's part of one kernel."""

    kernel: Place
    summary: TimingSummary
    """Of the whole kernel."""
    share: float
    """With callees: from above 0 to 1."""
    own: float
    """0 where only something the line calls is in the kernel."""


class LineTime(msgspec.Struct, frozen=True):
    """What a line costs in one step."""

    path: str
    line: int
    own: Spent
    total: Spent
    """With callees: of every kernel in whose stack the line stands."""
    parts: tuple[LinePart, ...]
    """The largest part first."""
    stack: Stack
    """The way to it that costs most, itself innermost."""


class LineTimes(msgspec.Struct, frozen=True):
    """Every line that a timed kernel leads to."""

    lines: tuple[LineTime, ...]
    """The most expensive by its own time first, then by the time with callees."""
    measured: float
    """Nanoseconds of all kernels: the medians added up."""
    unlinked: float
    """Of that, kernels that lead to no line."""
    unlinked_kernels: tuple[Place, ...] = ()

    def of_file(self, path: str) -> dict[int, LineTime]:
        """The lines of one file, by number."""
        return {row.line: row for row in self.lines if row.path == path}

    def at(self, path: str, line: int) -> LineTime | None:
        """One line, or None where it costs nothing that was measured."""
        return next((row for row in self.lines if (row.path, row.line) == (path, line)), None)

    @property
    def hottest(self) -> LineTime | None:
        """The line with most time of its own."""
        return next((row for row in self.lines if row.own.median > 0), None)


def line_times(rows: Iterable[KernelTiming], origins: Mapping[Place, KernelOrigin]) -> LineTimes:
    """The lines of what was timed; kernels that did not run count nothing."""
    sums: dict[LineKey, _Sums] = defaultdict(_Sums)
    measured = unlinked = 0.0
    lost: list[Place] = []
    for row in rows:
        if row.summary is None:
            continue
        measured += row.summary.median
        shares = _shares(origins.get(row.kernel.place, KernelOrigin()).stacks)
        if not shares:
            unlinked += row.summary.median
            lost.append(row.kernel.place)
        _divide(sums, row.kernel.place, row.summary, shares)
    lines = sorted(
        (found.reported(key) for key, found in sums.items()),
        key=lambda row: (-row.own.median, -row.total.median, row.path, row.line),
    )
    return LineTimes(tuple(lines), measured, unlinked, tuple(lost))


def _shares(stacks: Iterable[Stack]) -> dict[Stack, float]:
    """Of one kernel, the part of each way to a line; they add up to 1."""
    by_line: dict[LineKey, list[Stack]] = defaultdict(list)
    for stack in stacks:
        by_line[_key(stack[-1])].append(stack)
    return {stack: 1 / len(by_line) / len(ways) for ways in by_line.values() for stack in ways}


class _Sums:
    def __init__(self) -> None:
        self.parts: list[LinePart] = []
        self.ways: dict[Stack, float] = defaultdict(float)

    def reported(self, key: LineKey) -> LineTime:
        own = [(part.own, part.summary) for part in self.parts if part.own > 0]
        return LineTime(
            *key,
            _added(own),
            _added([(part.share, part.summary) for part in self.parts]),
            tuple(sorted(self.parts, key=lambda part: -part.share * part.summary.median)),
            max(self.ways, key=lambda stack: self.ways[stack]),
        )


def _divide(
    sums: dict[LineKey, _Sums], kernel: Place, summary: TimingSummary, shares: Mapping[Stack, float]
) -> None:
    total: dict[LineKey, float] = defaultdict(float)
    own: dict[LineKey, float] = defaultdict(float)
    for stack, share in shares.items():
        own[_key(stack[-1])] += share
        reached: dict[LineKey, Stack] = {}
        for depth, frame in enumerate(stack):
            reached.setdefault(_key(frame), stack[: depth + 1])
        for key, way in reached.items():  # a function that calls itself counts once
            total[key] += share
            sums[key].ways[way] += share * summary.median
    for key, share in total.items():
        sums[key].parts.append(LinePart(kernel, summary, min(share, 1.0), min(own.get(key, 0.0), 1.0)))


def _added(rows: list[tuple[float, TimingSummary]]) -> Spent:
    return Spent(
        sum(share * row.median for share, row in rows),
        sum(share * row.low for share, row in rows),
        sum(share * row.high for share, row in rows),
        sum(row.median for share, row in rows if share > 1 - 1e-9),
        sum(row.median for _, row in rows),
    )


def _key(frame: SourceLine) -> LineKey:
    return frame.path, frame.line
