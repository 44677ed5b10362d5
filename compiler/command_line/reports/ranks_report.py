"""Ranks compared, as text."""

from collections.abc import Iterator

from compiler.analysis.ranks.compare_ranks import CompileRow, RanksCompared
from compiler.analysis.ranks.rank_names import who
from compiler.analysis.text_format.shortened import shortened
from compiler.analysis.text_format.times import time_text
from compiler.command_line.reports.tables import table

_MOST_SAID = 90


def ranks_report(compared: RanksCompared) -> str:
    """In a sentence, compile by compile, and the steps."""
    lines = [f"loupe: {compared.sentence()}"]
    if len(compared.groups) > 1 and len(compared.ranks) > 2:
        lines.append(f"loupe: {compared.groups_sentence()}.")
    lines.append(table(("compile", "of", "on all ranks", "apart"), [_row(row) for row in compared.rows]))
    for row in compared.rows:
        lines += _differences(row)
    lines += _steps(compared)
    return "\n".join(lines)


def _row(row: CompileRow) -> tuple[str, ...]:
    same = ", ".join(f"{respect.groups[0].words}" for respect in row.respects[2:] if respect.same)
    differing = ", ".join(respect.what for respect in row.differing)
    return row.compile_id, row.title, _cut(same), differing or "nowhere"


def _differences(row: CompileRow) -> Iterator[str]:
    for respect in row.differing:
        yield f"{row.compile_id}, {respect.what}:"
        for group in respect.groups:
            yield f"  {who(group.ranks)}: {_cut(group.words)}"


def _steps(compared: RanksCompared) -> Iterator[str]:
    if not compared.steps:
        return
    ordered = sorted(compared.steps, key=lambda row: row.step.median)
    for which, row in (("fastest", ordered[0]), ("slowest", ordered[-1]))[: len(ordered)]:
        spread = f", half of {row.step.count} from {time_text(row.step.low)} to {time_text(row.step.high)}"
        reported = spread if row.step.count > 1 else ", seen once"
        yield f"a step of rank {row.rank}, the {which}: {time_text(row.step.median)}{reported}"
    slow = compared.slow_ranks()
    if slow:
        yield f"steps of {who(tuple(row.rank for row in slow))} take longer than those of the fastest, beyond both spreads"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return shortened(text, _MOST_SAID)
