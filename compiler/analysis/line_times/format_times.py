"""What a line costs in words: for tooltips, the inspector and the command line. Every time has its spread."""

from collections.abc import Mapping

from compiler.analysis.line_times.line_times import LineTime, LineTimes, Spent
from compiler.analysis.text_format.times import summary_text, time_text, unit_for
from compiler.model.capture.counted import counted
from compiler.model.ir.ids import Place
from compiler.model.timing.timings import TimingSummary

_MOST_KERNELS = 6
HOW_DIVIDED = (
    "~: a kernel fused from several lines is one measured time; it is divided equally among them. "
    "The quartiles are those of the kernels, added."
)


def spent_text(spent: Spent) -> str:
    """``~104 µs [92–120]``; a tilde where a part of it is a share of kernels of several lines."""
    row = TimingSummary(spent.median, spent.low, spent.high, 0)
    return f"{'~' if spent.divided else ''}{summary_text(row)}"


def short_text(spent: Spent) -> str:
    """``~104µs``, ``2.8ms``: for a gutter, where there is no room for more; empty for nothing."""
    if not spent.median:
        return ""
    unit, size = unit_for(spent.median)
    value = spent.median / size
    return f"{'~' if spent.divided else ''}{value:.{0 if value >= 9.95 else 1}f}{unit}"


def format_line(row: LineTime, names: Mapping[Place, str], measured: float) -> str:
    """One line's times, what of them is certain, and its kernels; for a tooltip.

    measured: nanoseconds of all kernels of the step.
    """
    reported = []
    for what, spent in (("Own time", row.own), ("With what it calls", row.total)):
        if not spent.median or (spent is row.total and row.total == row.own):
            continue
        share = f", {spent.median / measured:.1%} of kernel time" if measured else ""
        reported.append(f"{what}: {spent_text(spent)}{share}{bounds(spent)}")
    reported += ["", *kernel_lines(row, names)]
    if row.own.divided or row.total.divided:
        reported += ["", HOW_DIVIDED]
    return "\n".join(reported)


def bounds(spent: Spent) -> str:
    """What of a time is certain, and what it could be at most; empty where nothing was divided."""
    if not spent.divided:
        return ""
    least = time_text(spent.alone) if spent.alone else "0"
    return f" (between {least} and {time_text(spent.most)})"


def kernel_lines(row: LineTime, names: Mapping[Place, str]) -> list[str]:
    """Its kernels, the largest part first."""
    lines = []
    for part in row.parts[:_MOST_KERNELS]:
        of = f"{part.share:.0%} of " if part.share < 1 else ""
        lines.append(
            f"{of}{summary_text(part.summary)}  {names.get(part.kernel, ', '.join(part.kernel.nodes))}"
        )
    if len(row.parts) > _MOST_KERNELS:
        lines.append(f"and {counted(len(row.parts) - _MOST_KERNELS, 'more kernel')}")
    return lines


def why(row: LineTime, names: Mapping[Place, str]) -> str:
    """Why a line costs what it does, in one sentence: how many kernels, which is the largest."""
    own = sorted((part for part in row.parts if part.own), key=lambda part: -part.own * part.summary.median)
    if not own:
        return f"All of it is in what it calls: {counted(len(row.parts), 'kernel')}."
    first = own[0]
    name = names.get(first.kernel, ", ".join(first.kernel.nodes))
    if len(own) == 1:
        return f"One kernel: {name}."
    share = first.own * first.summary.median / row.own.median if row.own.median else 0.0
    return f"{counted(len(own), 'kernel')}; the largest, {share:.0%} of it: {name}."


def format_unlinked(times: LineTimes) -> str:
    """How much kernel time leads to no line; empty where all of it does."""
    if not times.unlinked_kernels:
        return ""
    share = times.unlinked / times.measured if times.measured else 0.0
    return (
        f"{counted(len(times.unlinked_kernels), 'kernel')} ({time_text(times.unlinked)}, {share:.1%} of kernel time) "
        f"{'leads' if len(times.unlinked_kernels) == 1 else 'lead'} to no line of a captured file."
    )
