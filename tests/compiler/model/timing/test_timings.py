"""Medians and quartiles, and what counts as a sample."""

import statistics

from hypothesis import given
from hypothesis import strategies as st

from compiler.model.timing.timings import summarise


@given(st.lists(st.integers(0, 10**9), min_size=2))
def test_median_and_quartiles_are_those_of_the_library(samples: list[int]) -> None:
    found = summarise(samples)
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive")
    assert abs(found.median - middle) <= 1e-6 * max(middle, 1)
    assert abs(found.low - low) <= 1e-6 * max(low, 1)
    assert abs(found.high - high) <= 1e-6 * max(high, 1)


def test_what_did_not_run_is_no_sample() -> None:
    assert summarise([-1, -1]) is None
    found = summarise([-1, 5])
    assert (found.median, found.count) == (5, 1)
