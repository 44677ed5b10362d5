"""Where the time of a compile went: torch's own phases, one inside the other, and the builds of kernels."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from compiler.model.capture.capture import Capture

REST = "rest"


class TimedRow(msgspec.Struct, frozen=True):
    """A row of the breakdown; what is in it adds up to it, the rest included."""

    name: str
    seconds: float
    count: int = 1
    rows: tuple["TimedRow", ...] = ()
    detail: str = ""
    """What it is, where the name does not say it."""


def by_phase(capture: Capture) -> TimedRow:
    """The whole compile by torch's phases, the longest first; what no phase covers is the rest."""
    phases = [phase for phase in capture.phases if phase.kind == "phase"]
    children: dict[int, list[int]] = defaultdict(list)
    for index, phase in enumerate(phases):
        children[phase.parent].append(index)

    def rows(indices: Iterable[int], seconds: float) -> tuple[TimedRow, ...]:
        named: dict[str, list[int]] = defaultdict(list)
        for index in indices:
            named[phases[index].name].append(index)
        found = []
        for name, same in named.items():
            spent = sum(phases[index].seconds for index in same)
            inner = [child for index in same for child in children.get(index, ())]
            graphs = ", ".join(dict.fromkeys(phases[index].detail for index in same if phases[index].detail))
            found.append(TimedRow(name, spent, len(same), rows(inner, spent), graphs))
        found.sort(key=lambda row: -row.seconds)
        left = seconds - sum(row.seconds for row in found)
        return (*found, TimedRow(REST, left)) if found and left > 0 else tuple(found)

    return TimedRow("whole compile", capture.seconds, 1, rows(children.get(-1, ()), capture.seconds))


def by_pass(capture: Capture) -> TimedRow:
    """Every pass over a graph, all its runs together, the longest first. They are part of the phases."""
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in capture.passes:
        spent[run.phase, run.name].append(run.seconds)
    rows = [
        TimedRow(name, sum(times), len(times), detail=phase)
        for (phase, name), times in spent.items()
        if sum(times)
    ]
    rows.sort(key=lambda row: -row.seconds)
    return TimedRow("passes over graphs", sum(row.seconds for row in rows), len(rows), tuple(rows))


def by_build(capture: Capture) -> TimedRow:
    """Every build of a kernel, the longest first. They run side by side, so together they may take longer than the wall."""
    rows = [
        TimedRow(phase.name, phase.seconds, detail=phase.detail)
        for phase in capture.phases
        if phase.kind == "build"
    ]
    rows.sort(key=lambda row: -row.seconds)
    return TimedRow("kernel builds", sum(row.seconds for row in rows), len(rows), tuple(rows))


def by_stage(capture: Capture) -> TimedRow:
    """What making each stage took, where that was timed, in the pipeline's order."""
    rows = [
        TimedRow(stage.title, stage.seconds, detail=stage.id)
        for stage in capture.stages
        if stage.seconds is not None
    ]
    rows.sort(key=lambda row: -row.seconds)
    return TimedRow("stages", sum(row.seconds for row in rows), len(rows), tuple(rows))
