"""Whether one of two programs is faster: the ratio of times taken interleaved, with an interval that noise is in.

The interval is that of order statistics: it holds the median with 95 % whatever the times are distributed like, where a
bootstrap of few pairs does not (`tests/compiler/model/timing/test_paired_ratio.py` simulates noisy machines).
"""

import math
from collections.abc import Sequence
from statistics import median

import msgspec

from compiler.model.capture.translating import Translate, in_english

FEWEST_PAIRS = 8
_MOST_PAIRS = 1000
"""The newest are used."""
LEVEL = 0.95
_COPIES = 0.02
"""How far, relatively, two copies of one program differ by where their code and their memory lie, and the same code on another
day: `tests/benchmarks/bench_false_claims.py`.
"""
_AGREE = 0.05
"""How far, relatively, the ratio of the medians may lie outside the interval of the ratios."""
_ABOUT = 1.25
"""Up to so many times as long is about as long."""


class PairedRatio(msgspec.Struct, frozen=True):
    """Time of the second over time of the first, of steps of one turn each (`interleave`)."""

    ratio: float
    """Median over the pairs."""
    low: float
    high: float
    """Ends of the 95 % interval of that median."""
    pairs: int
    first: float = 0.0
    """Median of the first of each pair, in nanoseconds; 0: not known (an older file)."""
    second: float = 0.0
    others: float = 0.0
    """How many cores other processes used meanwhile, where that left too few; 0: they did not."""

    @property
    def clear(self) -> bool:
        """Whether the two can be distinguished: the interval leaves out 1, by more than copies of one program differ, the medians
        say the same, the machine was not busy.
        """
        return self.excludes_one and not (self.others or self.as_copies) and self.medians_agree

    @property
    def excludes_one(self) -> bool:
        """Whether the interval leaves out 1."""
        return self.low > 1 or self.high < 1

    @property
    def as_copies(self) -> bool:
        """Whether the two differ by no more than copies of one program may."""
        return 1 / (1 + _COPIES) <= self.ratio <= 1 + _COPIES

    @property
    def medians_agree(self) -> bool:
        """Whether the medians of both sides have the ratio that the pairs have: near the interval, and where that leaves out
        1, no nearer to 1 than to it. Else ``348 µs → 348 µs`` would stand beside ``1.03× faster``.
        """
        if not self.first or not self.second:
            return True
        least, most = self.low * (1 - _AGREE), self.high * (1 + _AGREE)
        if self.low > 1:
            least = max(least, (1 + self.low) / 2)
        elif self.high < 1:
            most = min(most, (1 + self.high) / 2)
        return least <= self.second / self.first <= most

    @property
    def disturbed(self) -> bool:
        """Whether something else was at work while the two were timed."""
        return self.others > 0 or not (self.as_copies or self.medians_agree)


def paired_ratio(first: Sequence[int], second: Sequence[int], others: float = 0.0) -> PairedRatio | None:
    """The ratio of paired times; None for fewer than `FEWEST_PAIRS`. `others`: cores that other processes took from it."""
    count = min(len(first), len(second), _MOST_PAIRS)
    if count < FEWEST_PAIRS:
        return None
    one, other = list(first)[-count:], list(second)[-count:]
    ratios = sorted(max(b, 1) / max(a, 1) for a, b in zip(one, other, strict=True))
    outside = _outside(count)
    return PairedRatio(
        median(ratios), ratios[outside], ratios[-1 - outside], count, median(one), median(other), others
    )


def _outside(count: int) -> int:
    """How many of the smallest values, and of the largest, lie outside the interval of the median."""
    reached = 0.0
    for smaller in range(count // 2):
        reached += math.comb(count, smaller) / 2**count  # so many of them lie below the median
        if reached > (1 - LEVEL) / 2:
            return max(smaller - 1, 0)
    return 0


def format_ratio(
    found: PairedRatio | None, first: str, second: str, translate: Translate = in_english
) -> str:
    """Which of two is faster, or plainly that it cannot be told; `found` is the second's time over the first's. `translate` fills the
    fields of a sentence, in another language where it is given.
    """
    if found is None:
        return translate("{first} and {second}: too few pairs to compare", first=first, second=second)
    why = format_unclear(found, translate, of_first=True)
    if why:
        return translate(
            "{first} cannot be compared with {second}: {why}"
            if found.disturbed and found.excludes_one
            else "{first} cannot be told apart from {second}: {why}",
            first=first,
            second=second,
            why=why,
        )
    faster = found.ratio >= 1
    low, high = (found.low, found.high) if faster else (1 / found.high, 1 / found.low)
    return translate(
        "{first} is {ratio:.2f}× faster than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)"
        if faster
        else "{first} is {ratio:.2f}× slower than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)",
        first=first,
        second=second,
        ratio=found.ratio if faster else 1 / found.ratio,
        low=low,
        high=high,
        pairs=found.pairs,
    )


def format_unclear(found: PairedRatio, translate: Translate = in_english, of_first: bool = False) -> str:
    """Why no factor is reported, as a clause; empty where one is. How many times as long the second takes, or the first (`of_first`)."""
    if found.clear:
        return ""
    low, high = (1 / found.high, 1 / found.low) if of_first else (found.low, found.high)
    if found.others:
        return translate(
            "{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) on a machine that is busy (other processes used "
            "{others:.1f} cores)",
            low=low,
            high=high,
            pairs=found.pairs,
            others=found.others,
        )
    if found.disturbed:
        return translate(
            "steps of the same turn say {ratio:.2f} times as long, the medians {medians:.2f} times: the machine changed its "
            "speed meanwhile",
            ratio=1 / found.ratio if of_first else found.ratio,
            medians=found.first / found.second if of_first else found.second / found.first,
        )
    if found.excludes_one:
        return translate(
            "{low:.3f} to {high:.3f} times as long (95 % of {pairs} pairs) is no more than two copies of one program differ by "
            "where they lie in memory",
            low=low,
            high=high,
            pairs=found.pairs,
        )
    return translate(
        "{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) is within the noise",
        low=low,
        high=high,
        pairs=found.pairs,
    )


def format_change(found: PairedRatio | None) -> str:
    """``One step is 1.25× faster (95 %: 1.20–1.31)``, or that it takes about as long; of the second against the first."""
    if found is None:
        return "One step was not timed often enough to compare"
    why = format_unclear(found)
    if why and ((found.disturbed and found.excludes_one) or found.low < 1 / _ABOUT or found.high > _ABOUT):
        return f"One step cannot be compared with one before: {why}"
    if why:
        return f"One step takes about as long as before, as far as can be told: {why}"
    if found.ratio > 1:
        return f"One step is {found.ratio:.2f}× slower (95 %: {found.low:.2f}–{found.high:.2f})"
    return f"One step is {1 / found.ratio:.2f}× faster (95 %: {1 / found.high:.2f}–{1 / found.low:.2f})"


def ratio_figure(found: PairedRatio | None) -> str:
    """``0.83× [0.80–0.86] faster``; no word where the two cannot be distinguished; a dash where too few pairs were timed."""
    if found is None:
        return "–"
    word = (" faster" if found.ratio < 1 else " slower") if found.clear else ""
    return f"{found.ratio:.2f}× [{found.low:.2f}–{found.high:.2f}]{word}"
