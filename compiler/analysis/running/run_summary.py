"""What a run came to: what was compiled, why again, what it took, and how often it was used."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from compiler.analysis.running.compile_bars import CompileBar, bars_of
from compiler.analysis.running.edit_effects import EditEffect, effects_of
from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.steps import Steps, step_spread, step_times, steps_of
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import generation_of, torch_id_of, whole_of
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import Frame
from compiler.model.capture.guards import RecompileRecord
from compiler.model.capture.run_story import GraphCalls, RunStory
from compiler.model.graph_breaks.ranked_breaks import break_count
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.stage import KernelStage
from compiler.model.timing.timings import TimingSummary

_NUMBER = re.compile(r"(?<![\w.])-?\d+(\.\d+)?(?![\w.])")
_HINT = re.compile(r"\(HINT: (.*?)\)\s*(\n|$)", re.DOTALL)
NO_OPERATION = "no operation in its graph"
STORM = 4
"""Compiles of one function from which on they are called a recompile storm."""


class Storm(msgspec.Struct, frozen=True):
    """A function that is compiled again and again."""

    text: str
    """A sentence: which function, how often, and the guard that drives it."""
    line: SourceLine | None
    """The user's line behind that guard; None where torch named none."""
    remedy: str
    """What torch advises, or empty."""


class CompileRow(msgspec.Struct, frozen=True):
    """One compile of one function."""

    id: str
    name: str
    path: str
    line: int
    seconds: float | None
    """With its backward's, which may be compiled later than it: when the program first asks for it."""
    kernels: int
    cause: str
    """Empty for the first; else the guard that failed, in torch's words."""
    outcome: str
    """Empty where it was compiled; else why it runs eagerly."""
    calls: int
    """Of its graph; 0 where it has none, or none was counted."""
    microseconds: float | None
    """Mean of a call of its graph without the first; None where it was called once at most."""
    caches: str = ""
    """What torch's graph caches gave for it; empty where they are off."""
    empty: bool = False
    """It was compiled, and no operation is in it: it has no graph, and none that could be called."""
    refused: bool = False
    """By torch's recompile limit: it is no compile."""

    @property
    def why(self) -> tuple[str, ...]:
        """Why it was compiled again, or was not, whether nothing is in it, and what came from a cache."""
        reported = self.outcome or short_cause(self.cause)
        parts = reported, NO_OPERATION if self.empty else "", self.caches
        return tuple(" ".join(part.split()) for part in parts if part)


class RunSummary(msgspec.Struct, frozen=True):
    """One process."""

    seconds: float
    """Of the run, from torch's import on."""
    compile_seconds: float
    graph_seconds: float
    """In compiled graphs, forward and backward; what is left of the run is outside of both."""
    counted: bool
    """Whether calls of what was compiled were counted; a log of torch's has none of them."""
    compiles: tuple[CompileRow, ...]
    breaks: int
    recompiles: int
    kernels: int
    storms: tuple["Storm", ...]
    steps: Steps
    step: TimingSummary | None
    """Nanoseconds of wall time from one step to the next, where nothing was compiled in between; since the last edit."""
    bars: tuple[CompileBar, ...]
    effects: tuple[EditEffect, ...] = ()
    """What edits of the running program did to its steps."""

    @property
    def made(self) -> int:
        """Compiles without those that torch's recompile limit refused."""
        return sum(not row.refused for row in self.compiles)


def summary_of(lane: Lane) -> RunSummary | None:
    """Of what came; None where nothing was compiled."""
    return None if lane.capture is None else summary_of_run(lane.capture, lane.story())


def summary_of_run(capture: Capture, story: RunStory) -> RunSummary:
    """Of one process."""
    calls = {row.graph: row for row in story.calls}
    kernels = _kernels(capture)
    bars = bars_of(capture)
    later: defaultdict[str, float] = defaultdict(float)
    for bar in bars:
        if bar.backward:
            later[bar.id] += bar.seconds
    refused = capture.refused_compiles()
    empty = frozenset(_empty(capture))
    rows = tuple(
        _row(
            frame,
            later[frame.id],
            kernels.get(frame.id, 0),
            calls.get(frame.id),
            frame.id in refused,
            frame.id in empty,
        )
        for frame in capture.frames
        if not frame.id.startswith("skipped")
    )
    compiling = [(bar.begin, bar.begin + bar.seconds) for bar in bars]
    times, effects = step_times(story, compiling), effects_of(story, compiling)
    return RunSummary(
        max(story.seconds, capture.seconds),
        capture.seconds,
        sum(row.nanoseconds + row.backward_nanoseconds for row in story.calls) / 1e9,
        bool(story.calls),
        rows,
        break_count(capture),
        len(capture.compiled_again()),
        sum(kernels.values()),
        tuple(_storms(rows, capture.recompiles)),
        steps_of(capture.frames, story.calls),
        effects[-1].after if effects else step_spread(times),
        bars,
        effects,
    )


def short_cause(cause: str) -> str:
    """The guard that failed and the user's line, ``0/0: self.step == 0 (train.py:12)``, of what torch says at length; torch's own
    line, in brackets there, is left out.
    """
    first = cause.split("\n", 1)[0]
    guard, comment, rest = first.partition("  # ")
    line = re.search(r"# ([^\s(]\S*):(\d+) in ", f"# {rest}") if comment else None
    return f"{guard.strip()} ({Path(line[1]).name}:{line[2]})" if line is not None else guard.strip()


def _kernels(capture: Capture) -> Counter[str]:
    found: Counter[str] = Counter()
    for stage in capture.stages:
        if isinstance(stage.content, KernelStage):
            found[whole_of(stage.compile_id)] += len(stage.kernels)
    return found


def _empty(capture: Capture) -> Iterator[str]:
    """Compiles with guards and without a graph. A log has no bytecode of most; it says how many operations a graph had."""
    logged = capture.log.statuses if capture.log is not None else ()
    without = {status.compile_id for status in logged if status.status == "empty"}
    for frame in capture.frames:
        left = frame.graph or frame.error or frame.skip_reason
        if not left and (frame.rewritten or torch_id_of(frame.id) in without):
            yield frame.id


def _row(
    frame: Frame, later: float, kernels: int, calls: GraphCalls | None, refused: bool, empty: bool
) -> CompileRow:
    seconds = frame.seconds
    if later:
        seconds = (seconds or 0.0) + later
    mean = None
    if calls is not None and calls.calls > 1:
        mean = (calls.nanoseconds - calls.first_nanoseconds) / (calls.calls - 1) / 1e3
    outcome = frame.error or frame.skip_reason
    return CompileRow(
        frame.id,
        frame.name,
        frame.path,
        frame.line,
        seconds,
        kernels,
        frame.recompile_reasons[0] if frame.recompile_reasons else "",
        outcome,
        calls.calls if calls is not None else 0,
        mean,
        "; ".join(frame.caches),
        empty=empty,
        refused=refused,
    )


def _storms(rows: tuple[CompileRow, ...], recompiles: tuple[RecompileRecord, ...]) -> Iterator[Storm]:
    groups: dict[tuple[str, str, int, int], list[CompileRow]] = {}
    for row in rows:  # what a program resets, and so compiles once more, is no storm
        groups.setdefault((row.path, row.name, row.line, generation_of(row.id)), []).append(row)
    failed = {record.compile_id: record for record in recompiles}
    for (path, name, line, _), group in groups.items():
        if len(group) < STORM:
            continue
        made = sum(not row.refused for row in group)
        times = f"{counted(made, 'time')}{' and then given up' if made < len(group) else ''}"
        guards = {row.id: _guard(row.cause) for row in group if row.cause}
        driven, where, remedy = "", None, ""
        if guards:
            kind, count = Counter(_NUMBER.sub("0", guard) for guard in guards.values()).most_common(1)[0]
            if count == 1 and len(guards) > 1:
                yield Storm(
                    f"{name} ({path}:{line}) was compiled {times}, each time for another reason",
                    None,
                    "",
                )
                continue
            alike = {row: guard for row, guard in guards.items() if _NUMBER.sub("0", guard) == kind}
            values = len(set(alike.values()))
            other = (
                ", with another value each time"
                if values == count > 1
                else ", with other values"
                if values > 1
                else ""
            )
            first = next(iter(alike))
            record = failed.get(first)
            # torch may give a reason that is no guard: another backend, code that was taken away, another thread's compile
            guard = record is None or any(entry.failed for entry in record.entries[:1])
            driven = f"; {counted(count, 'time')} because {'this guard failed' if guard else 'of this'}{other}: {alike[first]}"
            where = _line_of(failed.get(first))
            remedy = _hint(next(row.cause for row in group if row.id == first))
        text = f"{name} ({path}:{line}) was compiled {times}{driven}"
        yield Storm(text, where, remedy)


def _line_of(record: RecompileRecord | None) -> SourceLine | None:
    entries = record.entries if record is not None else ()
    return next((guard.line for entry in entries for guard in entry.failed if guard.line is not None), None)


def _hint(cause: str) -> str:
    found = _HINT.search(cause)
    return " ".join(found[1].split()) if found is not None else ""


def _guard(cause: str) -> str:
    """The guard of a reason without the numbering that torch puts before it."""
    return cause.split(": ", 1)[-1].split("  #", 1)[0].strip()
