"""Times, roofline, memory and compile time as text."""

from compiler.analysis.line_times.format_times import HOW_DIVIDED, bounds, format_unlinked, spent_text, why
from compiler.analysis.line_times.kernel_names import kernel_names
from compiler.analysis.line_times.kernel_origins import KernelOrigin, kernel_origins
from compiler.analysis.line_times.line_times import LineTime, line_times
from compiler.analysis.text_format.result_line import time_sentence
from compiler.analysis.text_format.times import time_text
from compiler.analysis.text_format.visible_text import visible_line
from compiler.analysis.timing.compile_times import REST, TimedRow, by_build, by_pass, by_phase
from compiler.analysis.timing.kernel_work import kernel_work
from compiler.analysis.timing.memory_plan import measured_memory, memory_plan
from compiler.analysis.timing.roofline import format_roof, rate_text, roof_point
from compiler.command_line.reports.tables import milliseconds, table, with_spread
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted, more_than
from compiler.model.ir.ids import Place
from compiler.model.ir.stage import SourceStage, StageKind
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.step_trace import MEASURED_PARTS, SpanKind, StepPart, format_part
from compiler.model.timing.timings import TimingReport

_DEEPEST = 9
_LEAST_SHARE = 0.01
_MOST_ROWS = 12
_MOST_LINES = 5


def timing_table(report: TimingReport, capture: Capture) -> str:
    """Kernels with median and quartiles, the parts of a step, then whole steps."""
    names = _kernel_names(report, kernel_origins(capture, [row.kernel.place for row in report.kernels]))
    rows = [
        (
            names[row.kernel.place],
            row.kernel.part,
            row.kernel.language,
            with_spread(row.summary),
            row.kernel.name,
        )
        for row in report.kernels
    ]
    count = report.compiled.count if report.compiled else 0
    parts = [
        (
            format_part(part, report.parts_distinct),
            with_spread(summary),
            "measured" if part in MEASURED_PARTS else "difference",
        )
        for part, summary in zip(StepPart, report.parts, strict=False)
        if summary is not None
    ]
    lines = [
        table(("kernel", "part", "language", ">median [quartiles]", "called"), rows),
        "",
        table(("part of the compiled step", ">median [quartiles]", "known as"), parts),
        *_guards(report),
        "",
        f"compiled step: {with_spread(report.compiled)}",
        f"eager step:    {with_spread(report.eager)}",
        *(
            [
                f"with clocks around kernel calls, as kernels and parts were timed: {with_spread(report.clocked)}"
            ]
            if report.clocked
            else []
        ),
        f"{counted(count, 'iteration')}, {counted(report.threads, 'thread')}",
    ]
    lines += [report.clock] if report.clock else []
    lines += [note.words() for note in report.cuda_graphs]
    if report.replay is not None:
        lines.append(
            f"CUDA graphs replayed: {with_spread(report.replay.replayed)}; each kernel launched: "
            f"{with_spread(report.replay.launched)}"
        )
    if report.eager and not report.is_of_other_code:
        lines.append(format_ratio(report.ratio, "compiled", "eager"))
    why = time_sentence(report)
    lines += [why] if why else []
    return "\n".join(lines)


def _guards(report: TimingReport) -> list[str]:
    if report.profiled is None:
        return []
    spent = report.profiled.spent(SpanKind.GUARDS)
    return [f"of the rest, looking up compiled code (guards): {time_text(spent)} in a profiled step"]


def _kernel_names(report: TimingReport, origins: dict[Place, KernelOrigin]) -> dict[Place, str]:
    return kernel_names([(row.kernel.place, row.kernel.name) for row in report.kernels], origins)


def line_table(report: TimingReport, capture: Capture) -> str:
    """The most expensive lines of the program, and why; empty where no kernel was timed."""
    origins = kernel_origins(capture, [row.kernel.place for row in report.kernels])
    times = line_times(report.kernels, origins)
    if not times.measured:
        return ""
    names = _kernel_names(report, origins)
    shown = [row for row in times.lines if row.own.median > 0][:_MOST_LINES]
    rows = [
        (
            f"{row.path.rpartition('/')[2]}:{row.line}",
            f"{row.own.median / times.measured:.1%}",
            spent_text(row.own) + bounds(row.own),
            spent_text(row.total) if row.total != row.own else "",
            visible_line(row.stack[-1].text.strip() or _text_of(capture, row)),
        )
        for row in shown
    ]
    lines = (
        [table(("most expensive lines", ">of kernels", "own time", "with callees", "code"), rows)]
        if rows
        else []
    )
    if shown:
        first = shown[0]
        lines += ["", f"{first.path}:{first.line}: {why(first, names)}"]
        if len(first.stack) > 1:
            way = " → ".join(frame.short for frame in first.stack)
            lines.append(f"reached most by {way}")
    if any(row.own.divided or row.total.divided for row in shown):
        lines.append(HOW_DIVIDED)
    lines += filter(None, [format_unlinked(times)])
    return "\n".join(lines)


def _text_of(capture: Capture, row: LineTime) -> str:
    for stage in capture.of_kind(StageKind.SOURCE):
        if isinstance(stage.content, SourceStage) and stage.content.file.path == row.path:
            lines = stage.content.file.text.split("\n")
            return lines[row.line - 1].strip() if row.line <= len(lines) else ""
    return ""


def roof_table(report: TimingReport, capture: Capture, ceilings: MachineCeilings) -> str:
    """Every kernel in words, the slowest first, below the ceilings."""
    work = kernel_work(capture)
    rows = []
    for row in report.kernels:
        known = work.get(row.kernel.place)
        if known is None or row.summary is None:
            continue
        point = roof_point(known, row.summary.median, ceilings)
        if point is not None:
            rows.append((row.summary.median, row.kernel.name, format_roof(point, ceilings)))
    rows.sort(reverse=True)
    copies = [
        f"copying {describe_bytes(copy.bytes)}: {rate_text(copy.rate.median, 'B/s')} "
        f"[{rate_text(copy.rate.low, 'B/s')}–{rate_text(copy.rate.high, 'B/s')}]"
        for copy in ceilings.copies
    ]
    products = [
        f"{product.dtype} matrix product of {product.size}: {rate_text(product.rate.median, 'FLOP/s')} "
        f"[{rate_text(product.rate.low, 'FLOP/s')}–{rate_text(product.rate.high, 'FLOP/s')}]"
        for product in ceilings.matmuls
    ]
    heading = f"this machine with {counted(ceilings.threads, 'thread')}, measured {ceilings.measured_at}"
    lines = [heading, *(f"  {line}" for line in (*copies, *products)), ""]
    return "\n".join([*lines, *(f"{name} {words}" for _, name, words in rows)])


def memory_report(report: TimingReport, capture: Capture) -> str:
    """Bytes planned and measured while each kernel ran."""
    plan = memory_plan(capture)
    live, saved = plan.live(), plan.live("saved")
    trace = next((row for row in report.traces if row.profiled and row.compiled), None)
    kernels = tuple(row.kernel for row in report.kernels)
    measured = measured_memory(trace, kernels) if trace is not None else {}
    peak = max(live, default=0)
    rows = [
        (
            location.nodes[0],
            describe_bytes(live[index]) + (" peak" if live[index] == peak else ""),
            describe_bytes(saved[index]),
            describe_bytes(measured[location]) if location in measured else "–",
        )
        for index, location in enumerate(plan.kernels)
    ]
    lines = [
        table(("kernel", ">planned", ">of it saved", ">measured"), rows),
        "",
        f"planned: at most {describe_bytes(peak)} in {counted(len(plan.buffers), 'buffer')}; reuse spares {describe_bytes(plan.spared)}",
        "measured: more than when the step began, in one profiled step; parameters and inputs are in neither",
        "what a graph hands to the program is planned to the end of the step; the program may let go of it earlier",
    ]
    if plan.unknown:
        lines.append(f"left out: {counted(plan.unknown, 'buffer')} of symbolic size")
    return "\n".join(lines)


def compile_table(capture: Capture) -> str:
    """Phases inside one another, then passes and builds."""
    rows: list[tuple[str, str, str, str]] = []

    def add(row: TimedRow, depth: int) -> None:
        share = row.seconds / capture.seconds if capture.seconds else 0.0
        if depth > _DEEPEST or (share < _LEAST_SHARE and row.name != REST and depth):
            return
        rows.append(("  " * depth + row.name, milliseconds(row.seconds), f"{share:.1%}", row.detail))
        for inner in row.rows:
            add(inner, depth + 1)

    add(by_phase(capture), 0)
    texts = [table(("phase", ">ms", ">of wall", "graph"), rows)]
    for group, note in (
        (by_pass(capture), "in the phases above"),
        (by_build(capture), "side by side, so together they may exceed the wall time"),
    ):
        if group.rows:
            longest = [(row.name, milliseconds(row.seconds), row.detail) for row in group.rows[:_MOST_ROWS]]
            title = f"{group.name}, {note}: {milliseconds(group.seconds)} ms in all"
            parts = title, table(("name", ">ms", "of"), longest), *more_than(_MOST_ROWS, group.rows)
            texts.append("\n".join(parts))
    return "\n\n".join(texts)
