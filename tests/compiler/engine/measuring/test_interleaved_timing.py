"""Programs timed interleaved: equal ones are not distinguished by what ran before them, and each is timed as it runs in a loop."""

import contextlib
import functools
import itertools
import random
from collections.abc import Iterator

import pytest

from compiler.engine.measuring.eager_turns import EagerInterleaving
from compiler.engine.measuring.interleaved_timing import InPlace, Sampler, interleave
from compiler.model.timing.paired_ratio import PairedRatio, paired_ratio

_COLD = 1.12
"""How much longer a step takes after the large program, which empties the caches: somewhat more than eager steps do."""


def _equal_but_one(count: int, large: int, spread: float, seed: int) -> list[Sampler]:
    """So many programs of 50 ms, too long to run uncounted; the large one takes three times as long, and what comes next is slower."""
    draw = random.Random(seed)
    before = large

    def step(index: int) -> int:
        nonlocal before
        slower = _COLD if before == large else 1.0
        before = index
        return round(5e7 * (3 if index == large else 1) * slower * draw.lognormvariate(0, spread))

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
def test_equal_programs_are_not_distinguished_by_what_ran_before_them(
    count: int, large: int, spread: float, turns: int
) -> None:
    """In one run of twenty at most, and two standard errors of the fewest comparisons."""
    found = list(_ratios(count, large, spread, turns))
    slower, faster = (sum(row.clear and (row.ratio > 1) is way for row in found) for way in (True, False))
    assert slower + faster < 0.08 * len(found), f"{slower} told slower, {faster} faster of {len(found)}"


def _slower_after_another(names: str, nanoseconds: int, ran: list[str]) -> dict[str, Sampler]:
    """Programs that take a fifth longer than so many nanoseconds after another one ran, a tenth after one step of their own."""

    def step(name: str) -> int:
        ran.append(name)
        return nanoseconds + sum(nanoseconds // 10 for other in ran[-3:-1] if other != name)

    return {name: lambda name=name: step(name) for name in names}  # type: ignore[misc]


def test_a_short_step_is_timed_as_in_a_loop_of_its_own() -> None:
    ran: list[str] = []
    times = interleave(list(_slower_after_another("abc", 10**6, ran).values()), 0, warm_up=2, fewest=50)
    assert [set(row) for row in times] == [{10**6}] * 3
    assert [len(row) for row in times] == [50] * 3


def test_a_long_step_runs_once_a_turn() -> None:
    ran: list[str] = []
    times = interleave(list(_slower_after_another("abcd", 10**9, ran).values()), 0, warm_up=2, fewest=5)
    assert [len(row) for row in times] == [5] * 4
    assert all(sorted(ran[start : start + 4]) == list("abcd") for start in range(0, 28, 4))


@pytest.mark.parametrize("every", [1, 3])
def test_eager_steps_between_compiled_ones_make_neither_slower(every: int) -> None:
    ran: list[str] = []
    steps = _slower_after_another("ce", 10**6, ran)
    turns = EagerInterleaving(every, steps["c"], steps["e"])
    found = [turns.turn(iteration) for iteration in range(60)][10:]
    assert {compiled for compiled, _ in found} == {10**6}
    assert {eager for _, eager in found} == ({10**6} if every == 1 else {0, 10**6})
    assert sum(bool(eager) for _, eager in found) == pytest.approx(50 / every, abs=1)


def test_a_step_with_clocks_makes_the_compared_one_no_slower() -> None:
    ran: list[str] = []
    steps = _slower_after_another("cek", 10**6, ran)
    turns = EagerInterleaving(1, steps["c"], steps["e"])

    def turn(iteration: int) -> tuple[int, int]:
        if iteration % 2 == 0:
            turns.clocked(steps["k"])
        found = turns.turn(iteration)
        if iteration % 2:
            turns.clocked(steps["k"])
        return found

    assert set([turn(iteration) for iteration in range(60)][10:]) == {(10**6, 10**6)}
    assert ran.count("k") == 60


def test_without_eager_only_compiled_steps_run() -> None:
    ran: list[str] = []
    steps = _slower_after_another("ce", 10**6, ran)
    turns = EagerInterleaving(0, steps["c"], steps["e"])
    assert [turns.turn(iteration) for iteration in range(3)] == [(10**6, 0)] * 3
    assert ran == list("ccc")


def test_the_programs_own_random_numbers_stay_as_they_are() -> None:
    before = random.getstate()
    interleave([lambda: 1, lambda: 2], 0)
    assert random.getstate() == before


def test_what_a_program_needs_is_put_in_place_once_for_its_steps_in_a_row() -> None:
    reported: list[str] = []

    @contextlib.contextmanager
    def needed(name: str) -> Iterator[None]:
        reported.append(name)
        yield
        reported.append(f"{name} left")

    first, second = (functools.partial(needed, name) for name in "ab")
    with InPlace() as place:
        for around in (first, first, second, second, first):
            place.put(around)
    assert reported == ["a", "a left", "b", "b left", "a", "a left"]
    with place:
        place.put(first)
    assert reported[6:] == ["a", "a left"]
