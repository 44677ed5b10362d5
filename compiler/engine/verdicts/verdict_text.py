"""A verdict in one sentence."""

from compiler.model.timing.paired_ratio import PairedRatio, format_change
from compiler.model.timing.timings import TimingSummary
from compiler.model.timing.verdicts import NOT_JUDGED, SAME_INPUTS, SAME_NUMBERS, Comparison, format_worst

UNEDITED = "unedited program, float64"
"""What a text that a person wrote is compared with: nobody knows what it should give but what it gave before."""
COMPILING = "the call that compiled"
"""What a comparison of that call is of, which may run other code than the calls after it."""


def sentence(
    comparisons: list[Comparison],
    edited: bool,
    before: TimingSummary | None,
    after: TimingSummary | None,
    ratio: PairedRatio | None,
    who: str = "The compiled code",
) -> str:
    """Whether it is right, and how long a step takes now; `who` is what was judged."""
    wanted = "edited" if edited else "unedited"
    compiling = None if edited else next((row for row in comparisons if row.what == COMPILING), None)
    judged = [row for row in comparisons if row.agrees is not None and row.what == wanted]
    last = next((row for row in judged if not row.agrees), judged[-1] if judged else None)
    if last is None:
        right = "Correctness was not judged"
        why = next((row.note for row in comparisons if row.what == wanted and NOT_JUDGED in row.note), "")
        right += f": {why.partition(NOT_JUDGED)[2].rstrip('.')}" if why else ""
    elif last.agrees and last.reference == SAME_NUMBERS:
        right = f"{who} gives what it gave before, the same random numbers drawn"
    elif last.agrees and last.reference == UNEDITED:
        right = f"{who} gives what it gave before: as near to the {_format_reference(UNEDITED)} as eager is"
    elif last.reference == SAME_INPUTS:
        right = (
            f"{who} does what it did before: from the same inputs each changed kernel writes the same, bit for bit"
            if last.agrees
            else f"{who} has a kernel that writes other values than before from the same inputs{format_worst(last.worst)}"
        )
    elif last.reference == UNEDITED:
        right = f"{who} gives other results than the unedited one{format_worst(last.worst)}"
    elif last.agrees:
        right = (
            f"{who} does what the graph says: as near to the {_format_reference(last.reference)} as eager is"
        )
    else:
        right = f"{who} is not as near to the {_format_reference(last.reference)} as eager is{format_worst(last.worst)}"
    right += _of_compiling(compiling)
    right += _of_before(comparisons) if edited else ""
    if before is None or after is None:
        return right + "."
    unit, size = ("ms", 1e6) if min(before.median, after.median) >= 1e7 else ("µs", 1e3)
    times = f"{before.median / size:.0f} → {after.median / size:.0f} {unit}"
    return f"{right}. {format_change(ratio)} ({times})."


def _of_compiling(row: Comparison | None) -> str:
    """What is to be added on the call that compiled, where it is not simply right too."""
    if row is None or row.agrees:
        return ""
    if row.agrees is None:
        return f"; {COMPILING} was not judged: {row.note.partition(NOT_JUDGED)[2].rstrip('.')}"
    return f"; {COMPILING} gave wrong results{format_worst(row.worst)}"


def _of_before(comparisons: list[Comparison]) -> str:
    """An edit is not to be blamed for what torch made wrong without it."""
    row = next((row for row in comparisons if row.what == "unedited" and row.agrees is False), None)
    return (
        f"; the code before the edit gave wrong results{format_worst(row.worst)}" if row is not None else ""
    )


def _format_reference(reference: str) -> str:
    """``edited graph, float64`` as ``edited graph in float64``."""
    if reference == "float64":
        return "result in float64"
    graph, _, others = reference.replace(", float64", " in float64").partition(", ")
    return f"{graph} ({others})" if others else graph
