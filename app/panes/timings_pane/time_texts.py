"""Times in words: always with a unit, a spread and a count."""

from compiler.model.timings import TimingSummary

_UNITS = (("s", 1e9), ("ms", 1e6), ("µs", 1e3))


def unit_for(nanoseconds: float) -> tuple[str, float]:
    """The unit that suits a time, and its size in nanoseconds."""
    return next((unit for unit in _UNITS if nanoseconds >= unit[1]), _UNITS[-1])


def time_text(nanoseconds: float) -> str:
    """``812 µs``: three digits."""
    unit, size = unit_for(nanoseconds)
    return f"{_three_digits(nanoseconds / size)} {unit}"


def summary_text(summary: TimingSummary) -> str:
    """``812 µs [790–861]``: median and quartiles in one unit."""
    unit, size = unit_for(summary.median)
    low, middle, high = (_three_digits(value / size) for value in (summary.low, summary.median, summary.high))
    return f"{middle} {unit} [{low}–{high}]"


def ratio_text(compiled: TimingSummary, eager: TimingSummary) -> str:
    """Which is faster and how much; that it cannot be told where the quartiles overlap."""
    if compiled.median <= 0 or eager.median <= 0:
        return ""
    if compiled.low <= eager.high and eager.low <= compiled.high:
        return "no clear difference between compiled and eager"
    ratio = eager.median / compiled.median
    if ratio >= 1:
        return f"compiled is {ratio:.2f}x faster than eager"
    return f"compiled is {1 / ratio:.2f}x slower than eager"


def change_text(before: TimingSummary, after: TimingSummary) -> str:
    """``0.71x``: the time after over the time before; a tilde where the quartiles overlap."""
    if before.median <= 0:
        return ""
    overlap = before.low <= after.high and after.low <= before.high
    return f"{'~' if overlap else ''}{after.median / before.median:.2f}x"


def _three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
