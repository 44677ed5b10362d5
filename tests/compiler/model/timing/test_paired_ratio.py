"""The interval of a paired ratio: it finds what is there, and two equal programs on a noisy machine are not distinguished."""

import math
import random
from collections.abc import Callable

import pytest

from compiler.model.timing.paired_ratio import (
    FEWEST_PAIRS,
    PairedRatio,
    format_change,
    format_ratio,
    paired_ratio,
)


def noisy(seed: int, factor: float, spread: float, count: int = 120) -> tuple[list[int], list[int]]:
    draw = random.Random(seed)
    first = [round(1e6 * draw.lognormvariate(0, spread)) for _ in range(count)]
    second = [round(1e6 * factor * draw.lognormvariate(0, spread)) for _ in range(count)]
    return first, second


def _bursts(draw: random.Random, count: int) -> list[float]:
    """Another process comes and goes."""
    slow, found = False, []
    for _ in range(count):
        slow = slow != (draw.random() < (1 / 15 if slow else 1 / 40))
        found.append(slow * math.log(1.6) + draw.gauss(0, 0.03))
    return found


def _wandering(draw: random.Random, count: int) -> list[float]:
    """The clock rate of the processor goes up and down slowly."""
    at, found = 0.0, []
    for _ in range(count):
        at = 0.95 * at + draw.gauss(0, 0.05)
        found.append(at)
    return found


def _spikes(draw: random.Random, count: int) -> list[float]:
    return [abs(draw.gauss(0, 1) / max(abs(draw.gauss(0, 1)), 1e-3)) * 0.03 for _ in range(count)]


def _two_speeds(draw: random.Random, count: int) -> list[float]:
    return [(draw.random() < 0.4) * 0.4 + draw.gauss(0, 0.01) for _ in range(count)]


def _drift(draw: random.Random, count: int) -> list[float]:
    return [0.5 * turn / count + draw.gauss(0, 0.03) for turn in range(count)]


def _waves(draw: random.Random, count: int) -> list[float]:
    length, start = draw.uniform(3, 60), draw.uniform(0, 6)
    return [
        (math.sin(turn * 2 * math.pi / length + start) > 0) * 0.3 + draw.gauss(0, 0.02)
        for turn in range(count)
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("pairs", [FEWEST_PAIRS, 12, 30, 120])
@pytest.mark.parametrize("noise", [_bursts, _wandering, _spikes, _two_speeds, _drift, _waves])
def test_equal_programs_are_distinguished_in_one_run_of_twenty_at_most(
    noise: Callable[[random.Random, int], list[float]], pairs: int
) -> None:
    """Steps interleaved in both orders on a noisy machine; 400 runs, so that 5 % shows as 3 to 7.2 % (two standard errors)."""
    reported = 0
    for seed in range(400):
        draw = random.Random(seed)
        steps = iter(noise(draw, 2 * pairs))
        times: tuple[list[int], list[int]] = ([], [])
        for turn in range(pairs):
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                times[which].append(round(1e6 * math.exp(next(steps))))
        found = paired_ratio(*times)
        assert found is not None
        reported += found.clear
    assert reported / 400 <= 0.072


def test_a_real_difference_is_found_under_noise() -> None:
    found = paired_ratio(*noisy(1, 1.3, 0.2))
    assert found.clear
    assert found.low < 1.3 < found.high
    assert "a is" in format_ratio(found, "a", "b")
    assert "faster than b" in format_ratio(found, "a", "b")


def test_a_moment_that_slows_both_does_not_hide_a_small_difference() -> None:
    moods = [1.0 if turn % 40 < 20 else 3.0 for turn in range(200)]
    first = [round(1e6 * mood) for mood in moods]
    second = [round(1.03e6 * mood) for mood in moods]
    found = paired_ratio(first, second)
    assert found.clear
    assert found.ratio == pytest.approx(1.03, rel=1e-3)


@pytest.mark.parametrize(
    ("ratio", "reported"), [(1.015, False), (0.985, False), (1.025, True), (0.975, True)]
)
def test_less_than_copies_of_one_program_differ_by_is_no_factor(ratio: float, reported: bool) -> None:
    """However sure: of 110 pairs of copies 19 were distinguished, by 2 % and less but for seven."""
    found = PairedRatio(ratio, ratio - 0.003, ratio + 0.003, 300, 1e6, ratio * 1e6)
    assert found.clear is reported
    assert ("two copies of one program" in format_change(found)) is not reported
    assert ("×" in format_change(found)) is reported


def test_the_interval_is_exact() -> None:
    """Of 10 values the second smallest and the second largest hold the median with 97.9 %, the third with 89 %."""
    found = paired_ratio([100] * 10, [100 + step for step in range(10)])
    assert (found.low, found.high) == (1.01, 1.08)


def test_it_says_so_when_nothing_can_be_reported() -> None:
    words = format_ratio(PairedRatio(1.02, 0.9, 1.2, 50), "compiled", "eager")
    assert "compiled cannot be told apart from eager" in words
    assert "0.83 to 1.11 times as long" in words  # the first, of which the sentence is
    assert "slower than eager" in format_ratio(PairedRatio(0.5, 0.48, 0.52, 50), "compiled", "eager")


def test_a_busy_machine_gets_no_factor() -> None:
    found = PairedRatio(2.0, 1.9, 2.1, 50, 1e6, 2e6, others=1.4)
    for words, times in (
        (format_ratio(found, "a", "b"), "a cannot be compared with b: 0.48 to 0.53"),
        (format_change(found), "1.90 to 2.10"),
    ):
        assert "busy (other processes used 1.4 cores)" in words
        assert f"{times} times as long" in words
        assert "2.00×" not in words
        assert "about as long" not in words


def test_a_factor_is_not_reported_against_its_own_medians() -> None:
    """ "2.23× slower (991 → 1026 µs)" was said once."""
    found = PairedRatio(2.23, 2.0, 2.5, 50, 991e3, 1026e3)
    assert not found.clear
    assert "2.23×" not in format_change(found)
    assert "the medians 1.04 times" in format_change(found)


@pytest.mark.parametrize(
    ("low", "high", "second", "clear"),
    [
        (0.95, 0.985, 348e3, False),  # "1.03× faster (348 → 348 µs)" was said once
        (0.95, 0.985, 352e3, False),
        (0.95, 0.985, 340e3, True),
        (1.015, 1.05, 348e3, False),
        (1.015, 1.05, 356e3, True),
        (0.95, 1.05, 348e3, False),
    ],
)
def test_a_small_factor_is_reported_only_where_the_medians_show_it(
    low: float, high: float, second: float, clear: bool
) -> None:
    assert PairedRatio((low + high) / 2, low, high, 50, 348e3, second).clear is clear


def test_too_few_pairs_say_nothing() -> None:
    assert paired_ratio([1] * (FEWEST_PAIRS - 1), [2] * 100) is None
    assert "too few" in format_ratio(None, "a", "b")


def test_what_takes_half_the_time_is_not_said_to_take_about_as_long() -> None:
    """*One step takes about as long as before … the machine is busy (182 → 35 µs)* was said once."""
    busy = PairedRatio(0.2, 0.19, 0.21, 50, 182e3, 35e3, others=1.4)
    assert format_change(busy).startswith(
        "One step cannot be compared with one before: 0.19 to 0.21 times as long"
    )
    assert "about as long as before" in format_change(PairedRatio(1.01, 0.99, 1.02, 50, 100e3, 101e3))
    busy = PairedRatio(1.18, 1.16, 1.20, 215, 100e3, 118e3, others=3.0)  # an interval without 1
    assert "about as long" not in format_change(busy)
    around = PairedRatio(1.01, 0.98, 1.04, 215, 100e3, 101e3, others=3.0)
    assert "about as long" in format_change(around)
