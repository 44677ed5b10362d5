"""Shared by the benchmarks: medians with spread, and one line a figure."""

import statistics
import time
from collections.abc import Callable


def timed(work: Callable[[], object]) -> float:
    """Wall seconds of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def quartiles(samples: list[float]) -> tuple[float, float, float]:
    """(25th percentile, median, 75th percentile)."""
    if len(samples) < 2:
        return samples[0], samples[0], samples[0]
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive")
    return low, middle, high


def line(what: str, samples: list[float], unit: str = "s", scale: float = 1.0) -> None:
    """Print a series: median, quartiles, count."""
    low, middle, high = (value * scale for value in quartiles(samples))
    print(f"  {what:<58} {middle:9.3f} {unit}  [{low:.3f}–{high:.3f}]  n={len(samples)}")


def ratio(what: str, ours: list[float], theirs: list[float], aim: str) -> None:
    """Print the ratio of two interleaved series: the median of ratios by pair, and of medians."""
    pairs = [first / second for first, second in zip(ours, theirs, strict=True)]
    low, middle, high = quartiles(pairs)
    print(f"  {what:<58} {middle:9.3f} ×  [{low:.3f}–{high:.3f}]  n={len(pairs)}  (aim {aim})")
