"""What is drawn beside the lines of a source file: signs in the gutter, quiet texts at the ends, and their legend."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from app.panes.source_pane.annotations import WHOLE_FUNCTIONS, Annotations
from app.theme.colors import Colors
from app.theme.heat import heat_ramp
from app.translation.texts import tr
from app.widgets.gutter_marks import GutterMark
from app.widgets.legend_strip import LegendEntry
from app.widgets.line_notes import LineNote
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.programs import SourceFile

_MOST_NAMED = 8
"""Graphs that the legend names; a line's tooltip names its own."""


def break_marks(notes: Annotations, colors: Colors) -> list[GutterMark]:
    """One sign for a line, the gravest there is."""
    found = []
    for line in notes.breaks:
        shape, color = ("cross", colors.warning) if _is_whole(notes, line) else ("stop", colors.error)
        found.append(GutterMark(line, shape, color, notes.describe(line)))
    for line in notes.inside:
        if line not in notes.breaks:
            found.append(GutterMark(line, "arrow", colors.dim_text, notes.describe(line)))
    return found


class LineProblem(NamedTuple):
    """What went wrong at a line of a file."""

    line: int
    """As it is shown: the last one where the file had fewer lines when it was captured."""
    problem: Problem
    what: str
    """What the error says; of a line that was changed since the file was captured, with what it is now."""


def problems_of(problems: Iterable[Problem], file: SourceFile) -> list[LineProblem]:
    """Those that name a line of the file, in order."""
    here = [
        problem
        for problem in problems
        if problem.path == file.path and problem.line and problem.severity is not Severity.NOTE
    ]
    if not here:  # asked at every change of colours
        return []
    found, lines = [], file.text.split("\n")
    for problem in here:
        assert problem.line is not None
        what, captured = problem.said or problem.what, "".join(lines[problem.line - 1 : problem.line]).strip()
        if problem.written and problem.written != captured:
            what = tr("line is now “{line}”: {what}").format(line=problem.written, what=what)
        found.append(LineProblem(min(problem.line, len(lines)), problem, what))
    return found


def problem_marks(found: Iterable[LineProblem], colors: Colors) -> list[GutterMark]:
    """In the gutter: all of them."""
    return [
        GutterMark(row.line, "cross", _problem_color(row.problem, colors), row.problem.message())
        for row in found
    ]


def problem_notes(found: Iterable[LineProblem], colors: Colors) -> dict[int, list[LineNote]]:
    """At the ends of the lines: what is an error."""
    return {
        row.line: [LineNote(row.what, _problem_color(row.problem, colors))]
        for row in found
        if row.problem.severity is Severity.ERROR
    }


def _problem_color(problem: Problem, colors: Colors) -> str:
    return colors.error if problem.severity is Severity.ERROR else colors.warning


def line_notes(notes: Annotations, colors: Colors, reasons: bool, sizes: bool) -> dict[int, list[LineNote]]:
    """Why capturing stopped, then sizes of variables, each if wanted."""
    found: dict[int, list[LineNote]] = {}
    for line in {**notes.breaks, **notes.inside} if reasons else ():
        if text := notes.reason(line):
            found.setdefault(line, []).append(LineNote(text, _reason_color(notes, line, colors)))
    for line in notes.sizes if sizes else ():
        found.setdefault(line, []).append(LineNote(notes.size_text(line), colors.dim_text))
    return found


def legend(
    notes: Annotations, colors: Colors, stripes: Mapping[str, str], timed: bool = False, in_part: bool = False
) -> tuple[LegendEntry, ...]:
    """Only what is on screen in this file; `stripes`: compile id → colour; `timed`: whether lines have times; `in_part`: whether
    lines are missing.
    """
    named = list(stripes.items())[:_MOST_NAMED]
    entries = [
        LegendEntry(tr("captured in graph {name}").format(name=name), color, "stripe")
        for name, color in named
    ]
    if len(stripes) > _MOST_NAMED:
        more = tr("and {value} more graphs").format(value=len(stripes) - _MOST_NAMED)
        entries.append(LegendEntry(more, colors.dim_text, "stripe"))
    if notes.eager:
        entries.append(LegendEntry(tr("ran eagerly"), colors.line, "stripe"))
    if timed:
        entries.append(
            LegendEntry(tr("own time of a step's kernels; grey: with what it calls"), heat_ramp(colors)[-1])
        )
    shapes = {mark.shape for mark in break_marks(notes, colors)}
    if "stop" in shapes:
        entries.append(LegendEntry(tr("graph break"), colors.error, "stop"))
    if "arrow" in shapes:
        entries.append(LegendEntry(tr("break inside this call"), colors.dim_text, "arrow"))
    if "cross" in shapes:
        entries.append(LegendEntry(tr("function runs eagerly"), colors.warning, "cross"))
    if in_part:
        entries.append(LegendEntry(tr("blank: not in the log"), colors.line, "outline"))
    return tuple(entries)


def _reason_color(notes: Annotations, line: int, colors: Colors) -> str:
    if not notes.breaks.get(line):
        return colors.dim_text
    return colors.warning if _is_whole(notes, line) else colors.error


def _is_whole(notes: Annotations, line: int) -> bool:
    return all(item.sort in WHOLE_FUNCTIONS for item in notes.breaks[line])
