"""What edits of a running program did to the time of its steps: seen before and after each, in the same run."""

import itertools
import statistics
from collections.abc import Iterable

import msgspec

from compiler.analysis.running.steps import step_spread, step_times
from compiler.analysis.text_format.times import change_text, summary_text, time_text
from compiler.model.capture.counted import first_of
from compiler.model.capture.run_story import RunEdit, RunStory
from compiler.model.timing.timings import TimingSummary

_FEW = 4
"""Counts from which on quartiles say something."""
_MOST_REPORTED = 3


class EditEffect(msgspec.Struct, frozen=True):
    """One change of what the program runs with."""

    edit: RunEdit
    before: TimingSummary | None
    """Nanoseconds of a step from the change before until this one; None where none was seen whole."""
    after: TimingSummary | None
    """From this one until the next, or until now."""
    others: float = 0.0
    """Cores that other processes used before or after, the larger median: then the two are not compared."""


def effects_of(story: RunStory, compiling: Iterable[tuple[float, float]]) -> tuple[EditEffect, ...]:
    """Of all edits of one process, in order. `compiling`: (begin, end) of what was compiled meanwhile."""
    times = step_times(story, compiling)
    marks = [0.0, *(edit.seconds for edit in story.edits), float("inf")]
    spans = [
        step_spread(tuple(row for row in times if begin < row[0] <= end))
        for begin, end in itertools.pairwise(marks)
    ]
    busy = [
        statistics.median([row.others for row in story.samples if begin < row.seconds <= end] or [0.0])
        for begin, end in itertools.pairwise(marks)
    ]
    return tuple(
        EditEffect(edit, spans[number], spans[number + 1], max(busy[number : number + 2]))
        for number, edit in enumerate(story.edits)
    )


def effect_sentence(effect: EditEffect) -> str:
    """``With relu → gelu: a step takes 11.8 ms [11.7–11.9]; before 12.3 ms [12.1–12.6] (0.96x)``."""
    reported = first_of(effect.edit.edits, _MOST_REPORTED)
    with_edits = f"With {reported}" if reported else "Without edits again"
    if effect.after is None:
        return f"{with_edits}: no step was seen whole yet"
    text = f"{with_edits}: a step takes {_time(effect.after)}"
    if effect.before is not None:
        busy = f"the machine is busy: other processes used {effect.others:.1f} cores"
        compared = busy if effect.others else change_text(effect.before, effect.after)
        text += f"; before {_time(effect.before)} ({compared})"
    return text


def _time(summary: TimingSummary) -> str:
    if summary.count < _FEW:
        return f"{time_text(summary.median)} (seen {summary.count}×)"
    return summary_text(summary)
