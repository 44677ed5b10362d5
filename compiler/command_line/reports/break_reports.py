"""Graph breaks, remedies and trials as text for the terminal."""

import itertools
import textwrap
from collections.abc import Iterator

from compiler.analysis.experiments.trial_summary import summarise_trial
from compiler.analysis.remedies import Remedy, remedies_for
from compiler.analysis.text_format.times import spread_text, time_text
from compiler.command_line.reports.tables import table, with_spread
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.capture.front_ends import DYNAMO, front_end_named
from compiler.model.capture.program_changes import ReplaceSource
from compiler.model.experiments.trials import Trial
from compiler.model.graph_breaks.break_summary import describe_category, nothing_to_compile
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, count_breaks
from compiler.model.graph_breaks.remedy import diff_text, keep_text, text_of
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import SourceStage
from compiler.model.timing.graph_break_cost import BreakCosts

_WIDTH = 100
_INSTALLED = ("/site-packages/", "/dist-packages/")


def break_report(capture: Capture, rows: tuple[RankedBreak, ...], costs: BreakCosts | None) -> str:
    """The list, the costliest break first, each with what may be done about it."""
    graphs = len(capture.graphs_that_run())
    left = "\n".join(_left_alone(capture))
    if not rows and not capture.spec.is_of_dynamo:
        title = front_end_named(capture.spec.front_end).title
        return f"{title} divides no program into graphs; capture with torch.compile (--front-end {DYNAMO}) to see where it would."
    if not rows:
        return "\n\n".join(filter(None, (f"No graph breaks: {counted(graphs, 'graph')}.", left)))
    breaks = count_breaks(rows)
    head = f"{counted(breaks, 'graph break') if breaks else 'No graph breaks'}, {counted(graphs, 'graph')}."
    failed = {row.first.sort for row in rows} & {BreakCategory.FAILURE, BreakCategory.EXPORT}
    if failed:
        head += f" {'torch.compile' if BreakCategory.FAILURE in failed else 'torch._dynamo.export'} raised an error."
    if costs is not None:
        head += (
            f" One forward takes {with_spread(costs.step)}, of which {time_text(costs.inside.median)} in compiled "
            f"graphs; eager takes {with_spread(costs.eager)}."
        )
        if costs.compiled_again:
            head += (
                f" Further steps compiled {counted(costs.compiled_again, 'time')} more, so this is not the time of the "
                "graphs above: loupe recompiles says why."
            )
    numbers = {item.id: number for number, row in enumerate(rows, 1) for item in row.breaks}
    blocks = ["\n".join(_block(capture, number, row, numbers)) for number, row in enumerate(rows, 1)]
    return "\n\n".join(filter(None, (textwrap.fill(head, _WIDTH), *blocks, left)))


def _left_alone(capture: Capture) -> Iterator[str]:
    """Functions that hold nothing to compile: torch logs no break for them. Those of libraries are counted."""
    frames = [frame for frame in capture.frames if nothing_to_compile(frame.skip_reason)]
    if frames:
        yield "Not compiled, since no tensor operation is in them (no graph breaks):"
    libraries = {
        stage.content.file.path
        for stage in capture.stages
        if isinstance(stage.content, SourceStage) and stage.content.file.standing is not FileOwner.MINE
    }
    others = 0
    for frame in dict.fromkeys((frame.name, frame.path, frame.line) for frame in frames):
        name, path, line = frame
        if path in libraries:
            others += 1
        else:
            yield f"  {name}  {path.rpartition('/')[2]}:{line}"
    if others:
        yield f"  {counted(others, 'function')} of libraries"


def _block(capture: Capture, number: int, row: RankedBreak, numbers: dict[str, int]) -> Iterator[str]:
    item, location = row.first, row.location
    where = f"{row.where} in {row.function}" if location else "somewhere"
    yield f"{number}. {where}    {location.text.strip() if location else ''}".rstrip()
    sort = "" if item.sort is BreakCategory.BREAK else f"[{item.sort.value}] "
    yield f"   {sort}{item.kind}{f' ({item.registry_id})' if item.registry_id else ''}"
    yield f"   {_costs(row)}"
    reported = item.sort is BreakCategory.BREAK or not item.sort.is_counted
    if reported and (became := describe_category(item)):
        yield f"   {became}"
    if (cause := numbers.get(item.caused_by, number)) != number:
        yield f"   It follows from number {cause}."
    for paragraph in item.explanation.splitlines():
        if paragraph.startswith(" "):  # torch's own layout: a graph, a line of the program
            yield f"   {paragraph}".rstrip()
        else:
            yield textwrap.fill(paragraph, _WIDTH, initial_indent="   ", subsequent_indent="   ")
    if (inside := row.inside) is not None:  # the headline is a line of the user's own
        yield f"   breaks at {inside.short} in {inside.function}    {inside.text.strip()}".rstrip()
    yield from _callers(capture, item)
    remedies = remedies_for(capture, item)
    for remedy in remedies:
        line = keep_text(remedy.change) or "an edit of the source"
        yield f"   try: {remedy.title}: {line}"
        if remedy.caution:
            yield textwrap.fill(
                f"mind: {remedy.caution}", _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8
            )
    if not remedies:
        yield from (f"   hint: {hint}" for hint in item.hints)


def _callers(capture: Capture, item: GraphBreak) -> Iterator[str]:
    """The lines that called it, inner ones first; of several of libraries in a row, a trainer's, the first and how many more."""
    for of_library, lines in itertools.groupby(
        item.stack[-2::-1], key=lambda line: _of_library(capture, line)
    ):
        first, *more = lines
        shown, hidden = ([first], len(more)) if of_library and len(more) > 1 else ([first, *more], 0)
        yield from (f"   called from {outer.short} in {outer.function}" for outer in shown)
        if hidden:
            yield f"   called from {hidden} more lines of libraries"


def _of_library(capture: Capture, line: SourceLine) -> bool:
    files = (stage.content.file for stage in capture.stages if isinstance(stage.content, SourceStage))
    known = next((file.standing for file in files if file.path == line.path), None)
    return known is not FileOwner.MINE if known else any(folder in line.path for folder in _INSTALLED)


def _costs(row: RankedBreak) -> str:
    parts = [f"met {row.times}×"]
    if row.ops_cut_off:
        parts.append(f"{counted(row.ops_cut_off, 'operation')} in later graphs")
    if row.compile_seconds:
        parts.append(
            f"{row.compile_seconds:.2f} s to compile {'them' if row.ops_cut_off else 'what follows'}"
        )
    if row.lost is not None:
        parts.append(f"{spread_text(row.lost, *row.spread)} outside graphs in each forward")
    if row.eager_ops:
        parts.append(f"{counted(row.eager_ops, 'operation')} run eagerly there")
    return " · ".join(parts)


def trial_report(capture: Capture, remedy: Remedy, trial: Trial | Problem) -> str:
    """A remedy as tried: the change, the table, what it means."""
    lines = [f"{remedy.title}", f"  {remedy.why}"]
    if remedy.caution:
        lines.append(f"  Mind: {remedy.caution}")
    change = remedy.change
    if isinstance(change, ReplaceSource):
        before = text_of(capture, change.path) or ""
        lines.append(textwrap.indent(diff_text(change, before).rstrip("\n"), "  "))
    else:
        lines.append(f"  {keep_text(change)}")
    if isinstance(trial, Problem):
        return "\n".join([*lines, f"  It could not be tried: {trial.message()}"])
    summary = summarise_trial(trial)
    rows = [(row.name, row.before, row.after) for row in summary.rows]
    lines.append(textwrap.indent(table(("", ">before", ">after"), rows), "  "))
    lines += [f"  {sentence}" for sentence in summary.sentences]
    return "\n".join(lines)
