"""A running program as text: one line that changes while something is compiled, and what it came to."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from compiler.analysis.ranks.compare_ranks import compare_ranks
from compiler.analysis.running.format_run import step_sentence
from compiler.analysis.running.lanes import Lane, in_order
from compiler.analysis.running.run_summary import CompileRow, RunSummary, summary_of
from compiler.analysis.text_format.shortened import shortened
from compiler.command_line.reports.tables import table
from compiler.command_line.terminal_line import TerminalLine
from compiler.model.capture.counted import counted, more_than
from compiler.model.protocol.run_events import RUNNING

_EVERY = 0.2
"""Seconds between two changes of the line."""
_MOST_ROWS = 30
_MOST_CAUSE = 90
_NOTHING = "nothing was compiled by torch.compile in this run"
_LEFT_OUT = (
    "python -I, -E and -S leave it out, and so does a program or script that sets PYTHONPATH anew: add to it, as in "
    "PYTHONPATH=.:$PYTHONPATH"
)
_NOT_CALLED = (
    "nothing was compiled: {so_far} torch.compile was not called in this run. Call it in the program, as in "
    "model = torch.compile(model), or look at a model of it by itself: loupe FILE.py:NAME"
)
_NOT_USED = (
    "nothing was compiled: torch.compile was called in this run, but what it returned was not, or compiling is turned off "
    "there (torch.compiler.set_stance, torch.compiler.disable). Call what it returns, as in model = torch.compile(model)"
)
_TURNED_OFF = "nothing was compiled: {setting} turns torch.compile off. Run the program without it"
_SWITCHES = ("TORCH_COMPILE_DISABLE", "TORCHDYNAMO_DISABLE")
_NOT_REACHED = f"nothing was recorded: no Python of this run loads what records it. {_LEFT_OUT}"
_MOST_MISSED = 3


class StatusLine(TerminalLine):
    """Stands there only while something is compiled, and is gone before the program goes on."""

    def __init__(self, stream: TextIO, quiet: bool = False) -> None:
        super().__init__(stream, _EVERY, quiet)

    def show_lane(self, lane: Lane) -> None:
        """Say what a process does now."""
        if not lane.doing or lane.doing == RUNNING:
            self.clear()
        else:
            self.show(lane.doing[:100])


def why_nothing(reached: bool, used: bool, status: int, environment: Mapping[str, str]) -> str:
    """Why a run compiled nothing, and what to do. `reached`: whether the recorder got into a process of it; `used`: whether
    torch.compile was called there; `status`: how the program ended.
    """
    if not reached:
        return _NOT_REACHED
    for name in _SWITCHES:
        if environment.get(name, "0") not in ("", "0"):
            return _TURNED_OFF.format(setting=f"{name}={environment[name]}")
    if used:
        return _NOT_USED
    so_far = f"the program ended with status {status}, and until then" if status > 0 else ""
    so_far = f"the program was ended by signal {-status}, and until then" if status < 0 else so_far
    return " ".join(_NOT_CALLED.format(so_far=so_far).split())


def run_report(
    lanes: list[Lane],
    written: tuple[Path, ...],
    nothing: str = _NOTHING,
    missed: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """What was compiled in each process, and the files that hold it. `nothing`: what is said where nothing was; `missed`: the
    command lines of those that load torch and are not recorded.
    """
    lines: list[str] = []
    compiled = in_order(lanes)
    for lane in compiled:
        summary = summary_of(lane)
        if summary is not None:
            lines += process_report(lane, summary, alone=len(compiled) == 1)
    compared = compare_ranks(
        [
            (lane.began.rank, lane.capture)
            for lane in compiled
            if lane.began and lane.began.rank and lane.capture
        ]
    )
    if compared is not None:
        lines.append(f"loupe: {compared.sentence()}")
    if not compiled:
        lines.append(f"loupe: {nothing}")
    lines += _missed_lines(missed) if nothing != _NOT_REACHED else ()
    lines += [f"loupe: wrote {path}" for path in written]
    return "\n".join(lines) + "\n"


def _missed_lines(missed: Mapping[int, str]) -> Iterator[str]:
    for number, command in list(missed.items())[:_MOST_MISSED]:
        yield f"loupe: process {number} ({shortened(command, _MOST_CAUSE)}) loads torch and is not recorded"
    if len(missed) > _MOST_MISSED:
        yield f"loupe: nor are {len(missed) - _MOST_MISSED} more"
    if missed:
        yield f"loupe: what records a process is not loaded there. {_LEFT_OUT}"


def process_report(
    lane: Lane, summary: RunSummary, alone: bool = True, since: str = "since torch was loaded"
) -> Iterator[str]:
    """What was compiled in one process."""
    share = summary.compile_seconds / summary.seconds if summary.seconds else 0.0
    who = "" if alone else f"{lane.title}: "
    yield (
        f"loupe: {who}{counted(summary.made, 'compile')} in {summary.compile_seconds:.1f} s "
        f"({share:.0%} of {summary.seconds:.1f} s {since}) · {counted(summary.kernels, 'kernel')} · "
        f"{counted(summary.breaks, 'graph break')} · {counted(summary.recompiles, 'recompile')}"
    )
    if lane.ended:
        yield f"loupe: {who}recorded until {lane.ended}"
    if summary.steps.count:
        yield f"loupe: {who}{step_sentence(summary)}"
    for storm in summary.storms:
        yield f"loupe: {who}recompile storm: {storm.text}"
    rows = [_row(row) for row in summary.compiles[:_MOST_ROWS]]
    yield table(("compile", "of", ">s", ">kernels", ">calls", ">µs each", "why again, or why not"), rows)
    yield from more_than(_MOST_ROWS, summary.compiles)


def _row(row: CompileRow) -> tuple[str, ...]:
    where = f"{row.name} ({Path(row.path).name}:{row.line})"
    mean = f"{row.microseconds:,.0f}" if row.microseconds is not None else "–"
    why = shortened(" · ".join(row.why), _MOST_CAUSE)
    calls = str(row.calls) if row.calls else "–"
    return row.id, where, f"{row.seconds or 0.0:.2f}", str(row.kernels), calls, mean, why
