"""Whether one of two programs is faster: the ratio of times taken by turns, with an interval that noise is in."""

import math
from collections.abc import Sequence

import msgspec

FEWEST_PAIRS = 8
_RESAMPLES = 400
_MOST_PAIRS = 200
"""The newest are used: the interval is no narrower for it than the machine's moods allow."""
LEVEL = 0.95


class PairedRatio(msgspec.Struct, frozen=True):
    """Time of the second over time of the first, of steps that ran one right after the other."""

    ratio: float
    """Median over the pairs."""
    low: float
    high: float
    """Ends of the 95 % bootstrap interval of that median."""
    pairs: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 1: the two can be told apart."""
        return self.low > 1 or self.high < 1


def paired_ratio(first: Sequence[int], second: Sequence[int]) -> PairedRatio | None:
    """The ratio of paired times; None for fewer than `FEWEST_PAIRS`.

    Blocks of neighbouring pairs are drawn instead of single ones, since a noisy moment lasts longer than one pair.
    """
    import numpy

    count = min(len(first), len(second), _MOST_PAIRS)
    if count < FEWEST_PAIRS:
        return None
    times = numpy.asarray([list(first)[-count:], list(second)[-count:]], dtype=numpy.float64)
    ratios = numpy.log(numpy.maximum(times[1], 1.0) / numpy.maximum(times[0], 1.0))
    block = max(1, round(count ** (1 / 3)))
    starts = numpy.random.default_rng(0).integers(0, count, (_RESAMPLES, math.ceil(count / block)))
    drawn = ((starts[:, :, None] + numpy.arange(block)) % count).reshape(_RESAMPLES, -1)[:, :count]
    medians = numpy.median(ratios[drawn], axis=1)
    low, high = numpy.percentile(medians, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    middle = float(numpy.exp(numpy.median(ratios)))
    return PairedRatio(middle, float(numpy.exp(low)), float(numpy.exp(high)), count)


def ratio_words(found: PairedRatio | None, first: str, second: str) -> str:
    """Which of two is faster, or plainly that it cannot be told; `found` is the second's time over the first's."""
    if found is None:
        return f"{first} and {second}: too few pairs to compare"
    low, high = found.low, found.high
    if not found.clear:
        return (
            f"the machine is too noisy to tell {first} and {second} apart: {second} takes {low:.2f} to {high:.2f} times "
            f"as long (95 % of {found.pairs} pairs)"
        )
    if found.ratio >= 1:
        return f"{first} is {found.ratio:.2f}x faster than {second} (95 %: {low:.2f}–{high:.2f}, {found.pairs} pairs)"
    return (
        f"{first} is {1 / found.ratio:.2f}x slower than {second} "
        f"(95 %: {1 / high:.2f}–{1 / low:.2f}, {found.pairs} pairs)"
    )
