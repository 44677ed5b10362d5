"""What the commands print for people."""

from compiler.analysis.text_format.result_line import result_line
from compiler.command_line.reports.tables import milliseconds, table, with_spread
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.counted import counted
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, break_count, ranked_breaks
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.verdicts import Verdict


def stage_table(capture: Capture) -> str:
    """Stages in order with nodes and time, then breaks and links counted."""
    rows = [
        (stage.id, stage.title, str(stage.node_count), milliseconds(stage.seconds))
        for stage in capture.stages
    ]
    counts = [counted(len(capture.stages), "stage")]
    if capture.spec.is_of_dynamo:
        graphs = len(capture.graphs_that_run())
        counts += [counted(graphs, "graph"), counted(break_count(capture), "graph break")]
    counts += [counted(capture.link_count, "link")]
    lines = [
        table(("stage", "what", ">nodes", ">ms"), rows),
        "",
        result_line(capture),
        f"{', '.join(counts)}, {capture.seconds:.2f} s with torch {capture.environment.torch}",
    ]
    met = {item.id: order for order, item in enumerate(capture.breaks)}
    lines += map(_break_line, sorted(ranked_breaks(capture), key=lambda row: met[row.first.id]))
    for choice in capture.measured:
        best = choice.candidates[0]
        took = f" {best.seconds * 1e6:,.1f} µs" if best.seconds is not None else ""
        lines.append(f"  measured: {choice.subject}: {best.name}{took}, fastest of {len(choice.candidates)}")
    lines += [f"  {problem.severity.value}: {problem.message()}" for problem in capture.problems]
    return "\n".join(lines)


def _break_line(row: RankedBreak) -> str:
    """One cause, with the first frame that met it, and the library's line where that is not the one reported."""
    item, reported = row.first, row.location
    frames = (
        item.frame
        if len(row.frames) < 2
        else f"{item.frame} and {counted(len(row.frames) - 1, 'other frame')}"
    )
    where = f" {reported.path}:{reported.line}" if reported else ""
    if row.inside is not None:
        where += f", in {row.inside.short}"
    times = f" ({row.times} times)" if row.times > 1 else ""
    named = f"break {frames}".rstrip()  # a frame that was never compiled has no number
    return f"  {named}: {item.kind} {item.registry_id}".rstrip() + where + times


def verdict_report(verdict: Verdict) -> str:
    """The verdict with its evidence."""
    rows = []
    for comparison in verdict.comparisons:
        worst = comparison.worst
        words = {True: "yes", False: "NO", None: "–"}
        judged = words[comparison.agrees]
        if (
            None not in (comparison.agrees, comparison.torch_agrees)
            and comparison.agrees != comparison.torch_agrees
        ):
            judged += f" (torch: {words[comparison.torch_agrees]})"
        rows.append(
            (
                comparison.what,
                comparison.reference,
                worst.absolute_text if worst else "–",
                worst.relative_text if worst else "–",
                worst.tensor if worst else "",
                judged,
            )
        )
    unjudged: dict[str, list[str]] = {}
    for row in verdict.comparisons:
        if row.agrees is None and row.note:
            unjudged.setdefault(row.note, []).append(f"{row.what} against {row.reference}")
    notes = (*(f"{', '.join(rows)}: {note}" for note, rows in unjudged.items()), *verdict.notes)
    lines = [
        verdict.summary,
        "",
        table(("result", "against", ">max abs", ">max rel", "worst tensor", "agrees"), rows),
        "",
        f"one step before: {with_spread(verdict.before)}",
        f"one step after:  {with_spread(verdict.after)}",
        f"eager:           {with_spread(verdict.eager)}",
        *_interleaved(verdict),
        f"recompiled in {verdict.recompile_seconds:.2f} s (the capture took {verdict.cold_seconds:.2f} s)",
    ]
    return "\n".join([*lines, *[f"note: {note}" for note in notes]])


def _interleaved(verdict: Verdict) -> list[str]:
    """What steps that ran one after the other say of the two programs and of eager."""
    rows = ((verdict.ratio, "before", "after"), (verdict.eager_ratio, "after", "eager"))
    return [format_ratio(ratio, first, second) for ratio, first, second in rows if ratio is not None]


def environment_report(environment: Environment) -> str:
    """What was found and what to do about what was not."""
    missing = (
        "none found: install g++ (Debian: apt install g++) or clang, or Inductor cannot build CPU kernels"
    )
    rows = [
        ("torch", environment.torch),
        ("Python", environment.python),
        ("platform", environment.platform),
        ("processor", environment.processor),
        ("threads", str(environment.threads)),
        ("C++ compiler", environment.compiler or missing),
        ("triton", environment.triton or "not installed (only needed for GPU kernels)"),
        ("devices", ", ".join(environment.devices)),
    ]
    hooks = [
        (hook.name, hook.gives, "yes" if hook.found else "NO", hook.remedy) for hook in environment.hooks
    ]
    return f"{table(('', ''), rows)}\n\n{table(('hook', 'gives', 'found', 'remedy'), hooks)}"
