"""Times in words: always with a unit, a spread and a count."""

from compiler.model.timing.paired_ratio import FEWEST_PAIRS
from compiler.model.timing.timings import TimingSummary

_UNITS = (("s", 1e9), ("ms", 1e6), ("µs", 1e3))


def unit_for(nanoseconds: float) -> tuple[str, float]:
    """The unit that suits a time, and its size in nanoseconds."""
    return next((unit for unit in _UNITS if nanoseconds >= unit[1]), _UNITS[-1])


def time_text(nanoseconds: float) -> str:
    """``812 µs``: three digits."""
    unit, size = unit_for(nanoseconds)
    return f"{_three_digits(nanoseconds / size)} {unit}"


def summary_text(summary: TimingSummary | None) -> str:
    """``812 µs [790–861]``: median and quartiles in one unit; a dash where nothing was timed."""
    if summary is None:
        return "–"
    return spread_text(summary.median, summary.low, summary.high)


def spread_text(median: float, low: float, high: float) -> str:
    """The same of three times in nanoseconds."""
    unit, size = unit_for(median)
    first, middle, last = (_three_digits(value / size) for value in (low, median, high))
    return f"{middle} {unit} [{first}–{last}]"


def change_text(before: TimingSummary, after: TimingSummary) -> str:
    """``0.71x``: the time after over the time before; a tilde where the quartiles overlap or few were timed."""
    if before.median <= 0:
        return ""
    few = min(before.count, after.count) < FEWEST_PAIRS
    overlap = few or (before.low <= after.high and after.low <= before.high)
    return f"{'~' if overlap else ''}{after.median / before.median:.2f}x"


def _three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
