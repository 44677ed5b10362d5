"""A trial in words and in a small table: what was before, what is after, and what that means."""

import msgspec

from compiler.analysis.text_format.times import summary_text
from compiler.model.capture.counted import counted
from compiler.model.experiments.trials import SizeRun, Trial, TrialSide
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, ranked_breaks
from compiler.model.timing.paired_ratio import format_change


class TrialRow(msgspec.Struct, frozen=True):
    """One line of the table."""

    name: str
    before: str
    after: str
    better: bool | None = None
    """Whether after is better; None where neither is, or where it cannot be told."""


class TrialSummary(msgspec.Struct, frozen=True):
    """What came of a trial."""

    rows: tuple[TrialRow, ...]
    sentences: tuple[str, ...]
    gone: tuple[RankedBreak, ...] = ()
    """Breaks that are not there any more."""
    new: tuple[RankedBreak, ...] = ()
    """Breaks that were not there before: often such that an earlier one hid."""
    failed: bool = False


def summarise_trial(trial: Trial) -> TrialSummary:
    """Put a trial in words. Numbers are those the trial measured."""
    before, after = ranked_breaks(trial.base), ranked_breaks(trial.capture)
    old, new = {break_key(row): row for row in before}, {break_key(row): row for row in after}
    gone = tuple(row for key, row in old.items() if key not in new)
    fresh = tuple(row for key, row in new.items() if key not in old)
    failed = bool(trial.after.problems) and trial.after.step is None
    return TrialSummary(
        tuple(_rows(trial, failed)), tuple(_sentences(trial, gone, fresh, failed)), gone, fresh, failed
    )


def break_key(row: RankedBreak) -> tuple[str, str, str]:
    """What a break is called in another capture of the same program, whose lines may have moved."""
    location = row.location
    if location is None:
        return row.first.sort.value, row.first.kind, ""
    return row.first.sort.value, row.function, location.text.strip()


def _rows(trial: Trial, failed: bool) -> list[TrialRow]:
    before, after = trial.before, trial.after
    rows = [
        _counted("Graph breaks", before.breaks, after.breaks),
        _counted("Graphs", before.graphs, after.graphs),
        TrialRow("Operations in graphs", str(before.ops), str(after.ops)),
        TrialRow("Kernel calls", str(before.kernels), str(after.kernels)),
        _counted("Frames compiled", before.compiles, after.compiles),
        TrialRow("First run, compiling", f"{before.capture_seconds:.2f} s", f"{after.capture_seconds:.2f} s"),
    ]
    if failed:
        return rows
    ratio = trial.ratio
    faster = ratio.high < 1 if ratio is not None and ratio.clear else None
    rows.append(TrialRow("One step", summary_text(before.step), summary_text(after.step), faster))
    if before.sizes or after.sizes:
        rows.append(_counted("Compiles for all sizes", before.compile_count, after.compile_count))
    return rows


def _counted(name: str, before: int, after: int) -> TrialRow:
    return TrialRow(name, str(before), str(after), None if before == after else after < before)


def _sentences(
    trial: Trial, gone: tuple[RankedBreak, ...], new: tuple[RankedBreak, ...], failed: bool
) -> list[str]:
    if failed:
        return [f"It does not work: {trial.after.problems[0].message()}"]
    found = []
    if gone:
        found.append(f"{_breaks(len(gone))} gone: {', '.join(_named(row) for row in gone)}.")
    elif trial.before.breaks:
        found.append("No graph break went away.")
    if new:
        came = "came into view, which an earlier break hid" if gone else "came"
        found.append(f"{_breaks(len(new))} {came}: {', '.join(_named(row) for row in new)}.")
    found.append(_right(trial))
    found.append(_fast(trial))
    if trial.before.printed != trial.after.printed:
        less = "nothing" if not trial.after.printed else "something else"
        found.append(f"It prints {less} where the program printed {_quoted(trial.before.printed)}.")
    for name, side in (("As it is", trial.before), ("With the change", trial.after)):
        if side.sizes:
            found.append(f"{name}: {_sizes(side)}.")
    return [*found, *trial.notes]


def _breaks(count: int) -> str:
    return counted(count, "graph break")


def _named(row: RankedBreak) -> str:
    return row.where or row.first.kind


def _right(trial: Trial) -> str:
    match trial.same_results:
        case True:
            return "Results agree with the unchanged program: as near to float64 as eager is."
        case False:
            judged = next(row for row in trial.comparisons if row.agrees is False)
            worst = judged.worst
            where = f" ({worst.sentence})" if worst is not None else ""
            return f"Results differ from the unchanged program{where}."
        case _:
            return "Results were not judged."


def _fast(trial: Trial) -> str:
    return "Time was not compared." if trial.ratio is None else f"{format_change(trial.ratio)}."


def _quoted(text: str) -> str:
    lines = text.strip().split("\n")
    first = lines[0][:60]
    return repr(first) + (f" and {counted(len(lines) - 1, 'more line')}" if len(lines) > 1 else "")


def _sizes(side: TrialSide) -> str:
    return "; ".join(_size(run) for run in side.sizes)


def _size(run: SizeRun) -> str:
    if run.problem:
        return f"size {run.size}: {run.problem.rstrip('.')}"
    return (
        f"size {run.size}: compiled {', '.join(run.compiled)}" if run.compiled else f"size {run.size}: reused"
    )
