"""What is drawn beside the lines of a source file: signs in the gutter, quiet texts at the ends, and their legend."""

from collections.abc import Iterable, Mapping

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


def problem_marks(problems: Iterable[Problem], path: str, colors: Colors) -> list[GutterMark]:
    """Of lines of this file that something went wrong at."""
    return [
        GutterMark(problem.line, "cross", _problem_color(problem, colors), problem.message())
        for problem in problems
        if problem.path == path and problem.line and problem.severity is not Severity.NOTE
    ]


def problem_notes(problems: Iterable[Problem], file: SourceFile, colors: Colors) -> dict[int, list[LineNote]]:
    """What went wrong, at the ends of its lines; of a line that was changed since the file was captured, what it is now."""
    found: dict[int, list[LineNote]] = {}
    lines = file.text.split("\n")
    for problem in problems:
        if problem.path == file.path and problem.line and problem.severity is Severity.ERROR:
            captured = lines[problem.line - 1].strip() if problem.line <= len(lines) else ""
            what = problem.what
            if problem.written and problem.written != captured:
                what = tr("line is now “{line}”: {what}").format(line=problem.written, what=what)
            shown = min(problem.line, len(lines))
            found[shown] = [LineNote(what, _problem_color(problem, colors))]
    return found


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
    notes: Annotations, colors: Colors, stripes: Mapping[str, str], timed: bool = False
) -> tuple[LegendEntry, ...]:
    """Only what is on screen in this file; `stripes`: compile id → colour; `timed`: whether lines have times."""
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
    return tuple(entries)


def _reason_color(notes: Annotations, line: int, colors: Colors) -> str:
    if not notes.breaks.get(line):
        return colors.dim_text
    return colors.warning if _is_whole(notes, line) else colors.error


def _is_whole(notes: Annotations, line: int) -> bool:
    return all(item.sort in WHOLE_FUNCTIONS for item in notes.breaks[line])
