"""Breaks, times and verdict in the page's words. A time is reported with its spread and its count; what was not measured is not reported."""

from collections.abc import Callable, Iterator

import msgspec

from compiler.analysis.share.shown_names import ShownNames
from compiler.analysis.text_format.result_line import time_sentence
from compiler.analysis.text_format.times import summary_text
from compiler.analysis.text_format.visible_text import visible
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.graph_breaks.ranked_breaks import ranked_breaks
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.step_trace import MEASURED_PARTS, StepPart, format_part
from compiler.model.timing.timings import TimingReport, TimingSummary
from compiler.model.timing.verdicts import Comparison, Verdict


class FactRow(msgspec.Struct, frozen=True):
    """One row of a table; with the place on the page that it is about."""

    cells: tuple[str, ...]
    place: tuple[int, int] | None = None


class FactTable(msgspec.Struct, frozen=True):
    """A table with its heading."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[FactRow, ...]


class Facts(msgspec.Struct, frozen=True):
    """Sentences, then tables."""

    sentences: tuple[str, ...]
    tables: tuple[FactTable, ...]


class BreakFacts(msgspec.Struct, frozen=True):
    """One graph break in words."""

    title: str
    why: str
    line: SourceLine | None


def break_rows(capture: Capture, names: ShownNames) -> Iterator[BreakFacts]:
    """Every break once, the costliest first. Hidden: all but what is torch's own, its registry's kind and id."""
    for row in ranked_breaks(capture):
        first = row.first
        kind = first.kind if first.registry_id or not names.hide else first.sort.value
        times = f"met {row.times} times" if row.times > 1 else ""
        title = " · ".join(filter(None, (names_of(kind, names), first.registry_id, first.sort.value, times)))
        words = first.explanation or first.reason
        yield BreakFacts(title, "" if names.hide else visible(words).strip(), row.location)


def names_of(kind: str, names: ShownNames) -> str:
    """A kind of break: torch's words, the same for every program."""
    return names.own(kind, kind)


def timing_facts(
    report: TimingReport, names: ShownNames, find: Callable[[Place], tuple[int, int] | None]
) -> Facts:
    """Steps, their parts and kernels, each with median, quartiles and count."""
    steps = [
        (what, summary)
        for what, summary in (
            ("compiled step", report.compiled),
            ("eager step", report.eager),
            ("compiled step with clocks around kernel calls", report.clocked),
        )
        if summary is not None
    ]
    sentences = [time_sentence(report), names.own(report.clock)]
    if report.eager is not None:
        sentences.insert(0, f"{format_ratio(report.ratio, 'The compiled program', 'the eager one')}.")
    sentences.append(f"Median [quartiles] over the steps counted; {counted(report.threads, 'thread')}.")
    parts = [
        FactRow(
            (
                format_part(part, report.parts_distinct),
                *_cells(summary),
                "measured" if part in MEASURED_PARTS else "difference",
            )
        )
        for part, summary in zip(StepPart, report.parts, strict=False)
        if summary is not None
    ]
    kernels = sorted(
        (row for row in report.kernels if row.summary is not None),
        key=lambda row: -(row.summary.median if row.summary else 0.0),
    )
    rows = [
        FactRow(
            (
                names.own(row.kernel.name, f"kernel {number}"),
                row.kernel.part,
                row.kernel.language,
                *_cells(row.summary),
            ),
            find(row.kernel.place),
        )
        for number, row in enumerate(kernels, 1)
    ]
    return Facts(
        tuple(filter(None, sentences)),
        (
            FactTable("Steps", ("step", "median [quartiles]", "steps"), tuple(FactRow((what, *_cells(row))) for what, row in steps)),
            FactTable("Parts of the compiled step", ("part", "median [quartiles]", "steps", "known as"), tuple(parts)),
            FactTable("Kernels, the slowest first", ("kernel", "part", "language", "median [quartiles]", "calls"), tuple(rows)),
        ),
    )  # fmt: skip


def verdict_facts(verdict: Verdict, names: ShownNames) -> Facts:
    """Whether the edited program is right and faster, as the verdict says it."""
    sentences = [names.own(verdict.summary)]
    for ratio, first, second in (
        (verdict.ratio, "The program before", "the program after"),
        (verdict.eager_ratio, "The program after", "eager"),
    ):
        if ratio is not None:
            sentences.append(f"{format_ratio(ratio, first, second)}.")
    sentences += [names.own(note) for note in verdict.notes]
    times = [("before", verdict.before), ("after", verdict.after), ("eager", verdict.eager)]
    judged = tuple(FactRow(_judged(row, names)) for row in verdict.comparisons)
    measured = tuple(FactRow((what, *_cells(row))) for what, row in times if row is not None)
    return Facts(
        tuple(filter(None, sentences)),
        (
            FactTable(
                "Results",
                ("results of", "against", "agrees", "largest relative error", "in", "note"),
                judged,
            ),
            FactTable("Steps", ("step", "median [quartiles]", "steps"), measured),
        ),
    )


def _judged(row: Comparison, names: ShownNames) -> tuple[str, ...]:
    agrees = {True: "yes", False: "no", None: "not judged"}[row.agrees]
    if row.torch_agrees is not None and row.torch_agrees != row.agrees:
        agrees += f" (torch: {'yes' if row.torch_agrees else 'no'})"
    worst = row.worst
    error, tensor = (worst.relative_text, names.own(worst.tensor)) if worst is not None else ("", "")
    return (
        names.own(row.what, row.what),
        names.own(row.reference, row.reference),
        agrees,
        error,
        tensor,
        names.own(row.note),
    )


def _cells(summary: TimingSummary | None) -> tuple[str, str]:
    return (summary_text(summary), f"{summary.count:,}") if summary is not None else ("", "")
