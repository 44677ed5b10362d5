"""What was read from structured logs, as text."""

from collections.abc import Iterator
from pathlib import Path

from compiler.analysis.running.run_summary import CompileRow
from compiler.analysis.text_format.shortened import shortened
from compiler.analysis.torch_logs.log_summary import LogSummary
from compiler.analysis.torch_logs.many_ranks import RanksReport
from compiler.command_line.reports.tables import table
from compiler.model.capture.counted import counted, more_than

_MOST_ROWS = 30
_MOST_CAUSE = 90
_MOST_SAID = 160


def log_report(rows: list[LogSummary], ranks: RanksReport | None) -> str:
    """Every process, what ranks did otherwise than others, and the files that hold them."""
    lines: list[str] = []
    for row in rows:
        lines += process_report(row, alone=len(rows) == 1)
    if ranks is not None:
        lines += ranks_report(ranks)
    lines += [f"loupe: wrote {row.file}" for row in rows if row.file]
    return "\n".join(lines) + "\n"


def process_report(row: LogSummary, alone: bool) -> Iterator[str]:
    """One process."""
    name = Path(row.log).name
    who = "" if alone else f"rank {row.rank}: " if row.rank else f"process {row.process}: "
    run = row.run
    caches = ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in row.caches)
    yield (
        f"loupe: {who}{counted(run.made, 'compile')} in {run.compile_seconds:.1f} s · {counted(run.kernels, 'kernel')} · "
        f"{counted(run.breaks, 'graph break')} · {counted(run.recompiles, 'recompile')}{f' · {caches}' if caches else ''}"
    )
    yield (
        f"loupe: {who}{name}: {counted(row.lines, 'line')}, {row.bytes / 1e6:,.1f} MB, torch {row.torch or 'of a version it does not name'}, "
        f"{counted(sum(count for _, count in row.artifacts), 'text')} in {counted(row.stages, 'stage')}"
    )
    if row.broken:
        yield f"loupe: {who}could not be read: " + ", ".join(f"{count} {what}" for what, count in row.broken)
    if row.left_out:
        yield f"loupe: {who}{row.left_out} texts are listed without what is in them: all together are too long"
    for storm in run.storms:
        yield f"loupe: {who}recompile storm: {storm}"
    if run.compiles:
        rows = [_row(compiled) for compiled in run.compiles[:_MOST_ROWS]]
        yield table(("compile", "of", ">s", ">kernels", "why again, or why not"), rows)
    yield from more_than(_MOST_ROWS, run.compiles)


def ranks_report(ranks: RanksReport) -> Iterator[str]:
    """Where ranks did not do the same; that is where a distributed program hangs."""
    for what in dict.fromkeys(group.what for group in ranks.groups):
        yield f"loupe: {what} differ from rank to rank:"
        for group in ranks.groups:
            if group.what == what:
                yield f"  rank {', '.join(group.ranks)}: {_cut(group.value) or 'none'}"
    if ranks.order_differs:
        yield "loupe: graphs ran in another order on some ranks"
    for who, what in ((ranks.schedule_mismatch, "collectives"), (ranks.cache_mismatch, "answers of caches")):
        if who:
            yield f"loupe: at the same time ranks {', '.join(who)} ran graphs with other {what}"
    for row in ranks.deltas:
        if row.milliseconds:
            yield f"loupe: graph {row.graph} is {row.milliseconds:.3f} ms slower on rank {row.slowest} than on {row.fastest}, by torch's estimate"
    if not ranks.groups and not ranks.order_differs:
        yield f"loupe: all {len(ranks.ranks)} ranks compiled the same"


def _cut(text: str) -> str:
    return shortened(text, _MOST_SAID)


def _row(row: CompileRow) -> tuple[str, ...]:
    where = f"{row.name} ({Path(row.path).name}:{row.line})"
    why = shortened(" · ".join(row.why), _MOST_CAUSE)
    return row.id, where, f"{row.seconds or 0.0:.2f}", str(row.kernels), why
