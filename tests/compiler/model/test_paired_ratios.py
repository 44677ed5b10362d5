"""The interval of a paired ratio: it finds what is there, and says when nothing can be told."""

import random

import pytest

from compiler.model.paired_ratios import FEWEST_PAIRS, PairedRatio, paired_ratio, ratio_words


def noisy(seed: int, factor: float, spread: float, count: int = 120) -> tuple[list[int], list[int]]:
    draw = random.Random(seed)
    first = [round(1e6 * draw.lognormvariate(0, spread)) for _ in range(count)]
    second = [round(1e6 * factor * draw.lognormvariate(0, spread)) for _ in range(count)]
    return first, second


def test_a_real_difference_is_found_under_noise() -> None:
    found = paired_ratio(*noisy(1, 1.3, 0.2))
    assert found is not None
    assert found.clear
    assert found.low < 1.3 < found.high
    assert "a is" in ratio_words(found, "a", "b")
    assert "faster than b" in ratio_words(found, "a", "b")


def test_a_moment_that_slows_both_does_not_hide_a_small_difference() -> None:
    moods = [1.0 if turn % 40 < 20 else 3.0 for turn in range(200)]
    first = [round(1e6 * mood) for mood in moods]
    second = [round(1.02e6 * mood) for mood in moods]
    found = paired_ratio(first, second)
    assert found is not None
    assert found.clear
    assert found.ratio == pytest.approx(1.02, rel=1e-3)


def test_the_same_program_is_told_apart_from_itself_in_about_one_run_of_twenty() -> None:
    clear = sum(bool((found := paired_ratio(*noisy(seed, 1.0, 0.3))) and found.clear) for seed in range(60))
    assert clear <= 9


def test_it_says_so_when_the_machine_is_too_noisy() -> None:
    words = ratio_words(PairedRatio(1.02, 0.9, 1.2, 50), "compiled", "eager")
    assert "too noisy to tell compiled and eager apart" in words
    assert "0.90 to 1.20" in words
    assert "slower than eager" in ratio_words(PairedRatio(0.5, 0.48, 0.52, 50), "compiled", "eager")


def test_too_few_pairs_say_nothing() -> None:
    assert paired_ratio([1] * (FEWEST_PAIRS - 1), [2] * 100) is None
    assert "too few" in ratio_words(None, "a", "b")
