"""Programs timed interleaved: equal ones are not told apart by what ran before them."""

import itertools
import random
from collections.abc import Iterator

import pytest

from compiler.engine.measuring.interleaved_timing import Sampler, interleave
from compiler.model.timing.paired_ratio import PairedRatio, paired_ratio

_COLD = 1.12
"""How much longer a step takes after the large program, which empties the caches: somewhat more than eager steps do."""


def _equal_but_one(count: int, large: int, spread: float, seed: int) -> list[Sampler]:
    """So many programs of 1 ms; the large one takes three, and what comes next is slower."""
    draw = random.Random(seed)
    before = large

    def step(index: int) -> int:
        nonlocal before
        slower = _COLD if before == large else 1.0
        before = index
        return round(1e6 * (3 if index == large else 1) * slower * draw.lognormvariate(0, spread))

    return [lambda index=index: step(index) for index in range(count)]  # type: ignore[misc]


def _ratios(count: int, large: int, spread: float, turns: int) -> Iterator[PairedRatio]:
    """Of each two of the equal programs, of many runs."""
    for seed in range(200):
        times = interleave(
            _equal_but_one(count, large, spread, seed), 0, warm_up=5, fewest=turns, most=turns + 5
        )
        equal = [row for index, row in enumerate(times) if index != large]
        for first, second in itertools.pairwise(equal):
            found = paired_ratio(first, second)
            assert found is not None
            yield found


@pytest.mark.parametrize("turns", [12, 60])
@pytest.mark.parametrize("spread", [0.01, 0.05])
@pytest.mark.parametrize(("count", "large"), [(3, 0), (3, 2), (6, 0), (6, 3)])
def test_equal_programs_are_not_told_apart_by_what_ran_before_them(
    count: int, large: int, spread: float, turns: int
) -> None:
    """In one run of twenty at most, and two standard errors of the fewest comparisons."""
    found = list(_ratios(count, large, spread, turns))
    slower, faster = (sum(row.clear and (row.ratio > 1) is way for row in found) for way in (True, False))
    assert slower + faster < 0.08 * len(found), f"{slower} told slower, {faster} faster of {len(found)}"


def test_each_runs_once_a_turn() -> None:
    ran: list[int] = []
    samplers = [lambda index=index: ran.append(index) or 1 for index in range(4)]  # type: ignore[misc]
    times = interleave(samplers, 0, warm_up=2, fewest=5, most=50)
    assert [len(row) for row in times] == [5, 5, 5, 5]
    assert all(sorted(ran[start : start + 4]) == [0, 1, 2, 3] for start in range(0, 28, 4))


def test_the_programs_own_random_numbers_stay_as_they_are() -> None:
    before = random.getstate()
    interleave([lambda: 1, lambda: 2], 0)
    assert random.getstate() == before
