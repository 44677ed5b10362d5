"""What an edit did to the steps of a running program is reported from counts before and after it, and from nothing else."""

import pytest

from compiler.analysis.running.edit_effects import effect_sentence, effects_of
from compiler.analysis.running.steps import step_times
from compiler.model.capture.run_story import RunEdit, RunSample, RunStory

GELU = RunEdit(5.2, ("relu: call gelu",), 2.0)


def story(*rates: float, edits: tuple[RunEdit, ...] = (GELU,), others: float = 0.0) -> RunStory:
    """A count each second, so many steps in each."""
    steps, samples = 0.0, [RunSample(0.0, 0, 0)]
    for second, rate in enumerate(rates, 1):
        steps += rate
        samples.append(RunSample(float(second), round(steps), 0, others=others))
    return RunStory(samples=tuple(samples), edits=edits)


def test_before_and_after_stand_beside_each_other() -> None:
    (effect,) = effects_of(story(*[10] * 5, 7, *[20] * 5), ())
    assert (effect.before.median, effect.after.median) == (100_000_000, 50_000_000)
    assert (effect.before.count, effect.after.count) == (5, 5), (
        "the second in which it was edited is in neither"
    )
    reported = "With relu: call gelu: a step takes 50.0 ms [50.0–50.0]; before 100 ms [100–100] (0.50x)"
    assert effect_sentence(effect).replace("~", "") == reported


def test_taken_back_is_an_edit_too() -> None:
    edits = (GELU, RunEdit(9.5, ()))
    first, second = effects_of(story(*[10] * 5, 7, 20, 20, 20, 15, *[10] * 4, edits=edits), ())
    assert first.after is not None
    assert second.before == first.after
    assert second.after.median == 100_000_000
    assert effect_sentence(second).startswith("Without edits again: a step takes 100 ms")


def test_a_busy_machine_gives_no_factor() -> None:
    (effect,) = effects_of(story(*[10] * 5, 7, *[20] * 5, others=1.25), ())
    assert "the machine is busy: other processes used 1.2 cores" in effect_sentence(effect)
    assert "x)" not in effect_sentence(effect)


def test_nothing_seen_yet() -> None:
    (effect,) = effects_of(story(*[10] * 5), ())
    assert effect.after is None
    assert effect_sentence(effect) == "With relu: call gelu: no step was seen whole yet"


@pytest.mark.parametrize("edited", [False, True])
def test_a_count_across_an_edit_is_left_out(edited: bool) -> None:
    reported = story(10, 10, 7, 10, edits=(RunEdit(2.5, ("x",)),) if edited else ())
    assert len(step_times(reported, ())) == (3 if edited else 4)


def test_of_many_edits_the_first_are_named() -> None:
    many = RunEdit(5.2, tuple(f"n{number}: call gelu" for number in range(9)))
    (effect,) = effects_of(story(*[10] * 5, edits=(many,)), ())
    assert "n2: call gelu and 6 more:" in effect_sentence(effect)
