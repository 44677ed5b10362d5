"""The steps of a program: calls of the compiled function that it spends most time in, with all that belongs to it."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePath

import msgspec

from compiler.model.capture.frames import Frame
from compiler.model.capture.run_story import GraphCalls, RunStory
from compiler.model.timing.timings import TimingSummary, summarise

_Function = tuple[str, str, int]
_TORCHS = frozenset({"torch"})
"""Folders whose functions are called around those of the user."""
_SHORTEST = 0.4
"""Seconds between two counts that tell of steps: shorter ones stand around compiles, and hold first calls."""


class Steps(msgspec.Struct, frozen=True):
    """How often a compiled function was called."""

    count: int = 0
    name: str = ""
    path: str = ""
    line: int = 0


def steps_of(frames: tuple[Frame, ...], calls: Iterable[GraphCalls]) -> Steps:
    """Calls of the outermost function in which, resume functions and functions it calls included, most time was spent.

    A function whose own graph is empty is called as often as its resume functions are. Where they have no graph either
    (Dynamo gave it up: it runs eagerly), these are calls of the most called compiled function among those it calls.
    """
    by_id = {frame.id: frame for frame in frames}
    times: dict[_Function, int] = defaultdict(int)
    counts: dict[_Function, dict[_Function, int]] = defaultdict(lambda: defaultdict(int))
    resumed: dict[_Function, dict[_Function, int]] = defaultdict(lambda: defaultdict(int))
    for row in calls:
        frame = by_id.get(row.graph)
        if frame is None:
            continue
        outermost = _function(_outermost(frame, by_id))
        times[outermost] += row.nanoseconds + row.backward_nanoseconds
        counts[outermost][_function(frame)] += row.calls
        if _function(_broken(frame, by_id)) == outermost != _function(frame):
            resumed[outermost][_function(frame)] += row.calls
    if not times:
        return Steps()
    most = max(times, key=lambda function: times[function])
    count = counts[most].get(most) or max(resumed[most].values(), default=0)
    if not count:
        most, count = max(counts[most].items(), key=lambda pair: pair[1])
    return Steps(count, most[1], most[0], most[2])


def step_times(story: RunStory, compiling: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """(seconds since the beginning, wall seconds of a step then) between two counts with steps between them, leaving out
    those in which something was compiled, given as (begin, end), or edited.
    """
    spans = tuple(compiling)
    found = []
    for before, after in zip(story.samples, story.samples[1:], strict=False):
        steps, seconds = after.steps - before.steps, after.seconds - before.seconds
        if steps <= 0 or seconds < _SHORTEST:
            continue
        if any(begin < after.seconds and end > before.seconds for begin, end in spans):
            continue
        if any(before.seconds < edit.seconds < after.seconds for edit in story.edits):
            continue  # some of its steps ran with other edits
        found.append((after.seconds, seconds / steps))
    return tuple(found)


def step_spread(times: tuple[tuple[float, float], ...]) -> TimingSummary | None:
    """Median and quartiles of the nanoseconds of a step; None where none was seen whole."""
    return summarise([round(seconds * 1e9) for _, seconds in times])


def _function(frame: Frame) -> _Function:
    return frame.path, frame.name, frame.line


def _broken(frame: Frame, by_id: dict[str, Frame]) -> Frame:
    """The function whose breaks made a resume function; other functions themselves."""
    seen = {frame.id}
    while (above := by_id.get(frame.parent)) is not None and above.id not in seen:
        seen.add(above.id)
        frame = above
    return frame


def _outermost(frame: Frame, by_id: dict[str, Frame]) -> Frame:
    """The outermost function above it that is not torch's own wrapping."""
    seen, found = {frame.id}, frame
    while (above := by_id.get(frame.parent or frame.caller)) is not None and above.id not in seen:
        seen.add(above.id)
        frame = above
        if not any(part in _TORCHS for part in PurePath(frame.path).parts[:-1]):
            found = frame
    return found
