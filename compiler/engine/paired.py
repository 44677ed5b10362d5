"""Comparing two versions by steps taken in turns, so that a noisy moment hits both."""

import random
import statistics

from compiler.model.trials import Ratio

_RESAMPLES = 400


def paired_ratio(before: list[int], after: list[int]) -> Ratio | None:
    """Median of after ÷ before over the pairs, with its 95 % bootstrap interval; None for fewer than five pairs."""
    ratios = [second / first for first, second in zip(before, after, strict=False) if first > 0]
    if len(ratios) < 5:
        return None
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(_RESAMPLES))
    low, high = medians[int(0.025 * _RESAMPLES)], medians[int(0.975 * _RESAMPLES) - 1]
    return Ratio(statistics.median(ratios), low, high, len(ratios))
