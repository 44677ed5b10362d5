"""The card of a verdict says no more than the verdict."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analysis.text_format.verdict_headline import headline
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.verdicts import SAME_INPUTS, Comparison, Difference, Verdict


def compared(what: str, reference: str, error: float, agrees: bool | None, note: str = "") -> Comparison:
    worst = Difference("grad of w", error, error)
    return Comparison(what, reference, (Difference("output 0", 0.0, 0.0), worst), agrees, note)


def test_what_is_right_and_faster() -> None:
    reported = headline(
        Verdict(
            (
                compared("unedited", "float64", 1e-7, True),
                compared("edited", "edited graph, float64", 3e-7, True),
                compared("edited", "eager", 0.31, None),
            ),
            ratio=PairedRatio(0.8, 0.75, 0.85, 40, 100.0, 80.0),
        )
    )
    assert (reported.mark, reported.right, reported.speed) == ("✓", True, "1.25× faster")
    assert reported.error == "3.0e-07"
    assert "rounding" in reported.meaning
    assert reported.moved == "The edit moves results by up to 31% (grad of w)."


def test_what_is_as_far_off_without_the_edit_is_not_moved_by_it() -> None:
    """The gradient of a bias that a norm takes out again: rounding, 0.7 of what it is."""

    def of(edited: float) -> str:
        rows = (("unedited", 1e-7), ("edited", edited))
        found = (
            Comparison(
                what, "eager", (Difference("grad of bias", 1e-9, 0.7), Difference("output 0", 0.1, off))
            )
            for what, off in rows
        )
        return headline(Verdict((*found, compared("edited", "edited graph, float64", 3e-7, True)))).moved

    assert of(0.31) == "The edit moves results by up to 31% (output 0)."
    assert of(1.5e-7) == "The edit moves no result farther from eager than compiling does."


def test_what_is_wrong_is_not_said_to_move_nothing() -> None:
    """With dropout, compiling alone moves all results: beside an error of 7.6e-03 it said that the edit moves none farther."""
    rows = (compared("unedited", "eager", 1.0, None), compared("edited", "eager", 1.0, None))
    wrong = compared("edited", "edited graph, float64", 7.6e-3, False)
    assert headline(Verdict((*rows, wrong))).moved == ""


def test_what_cancels_to_nothing_is_not_the_error_of_what_is_right() -> None:
    """The bias of attention's keys: 10⁹ times its value, which is nothing."""
    rows = (Difference("grad of bias", 1e-8, 9.2e8), Difference("output 0", 1e-7, 3e-7))
    reported = headline(Verdict((Comparison("edited", "edited graph, float64", rows, True),)))
    assert (reported.error, "output 0" in reported.meaning) == ("3.0e-07", True)
    wrong = Comparison("edited", "edited graph, float64", rows, False, wrong=("grad of bias",))
    assert headline(Verdict((wrong,))).error == "9.2e+08"


def test_what_no_number_says_is_a_sentence() -> None:
    """A missing store was an error of *inf*, and moved results by *inf%*."""
    rows = (Difference("x afterwards", math.inf, math.inf, unlike="missing"),)
    edited = "edited", "eager", rows
    reported = headline(
        Verdict((Comparison("edited", "edited graph, float64", rows, False), Comparison(*edited)))
    )
    assert (reported.error, reported.meaning) == ("≠", "x afterwards is missing; eager is nearer to float64")
    assert reported.moved == "After the edit x afterwards is missing."
    nought = (Difference("output 0", 1e-9, math.inf, unlike="not all 0 as the reference is"),)
    reported = headline(Verdict((Comparison("edited", "edited graph, float64", nought, True),)))
    assert (reported.error, reported.meaning) == (
        "1.0e-09",
        "output 0 is 0 in float64: rounding, as in eager",
    )


def test_one_that_is_wrong_makes_it_wrong_and_is_the_one_reported() -> None:
    reported = headline(
        Verdict(
            (
                compared("edited", "edited graph, float64", 3e-7, True),
                compared("edited", "edited graph, eager", 0.2, False),
            )
        )
    )
    assert (reported.mark, reported.word) == ("✗", "Wrong")
    assert reported.error == "2.0e-01"
    assert "more than rounding" in reported.meaning


@pytest.mark.parametrize("edited", [True, False, None])
def test_an_edit_is_as_right_as_the_edited_program_and_what_was_wrong_before_is_said(
    edited: bool | None,
) -> None:
    reported = headline(
        Verdict(
            (
                compared("the call that compiled", "float64", 0.2, False),
                compared("edited", "edited graph, float64", 3e-7, edited),
            )
        )
    )
    assert reported.right is edited
    assert "before the edit gives wrong results" in reported.moved
    unedited = headline(Verdict((compared("the call that compiled", "float64", 0.2, False),)))
    assert (unedited.right, unedited.moved) == (False, "")


def test_what_was_not_judged_says_why() -> None:
    reported = headline(Verdict((compared("edited", "float64", 0.3, None, "draws random numbers"),)))
    assert (reported.mark, reported.right, reported.error) == ("?", None, "")
    assert reported.meaning == "draws random numbers"
    assert headline(Verdict(())).right is None


@pytest.mark.parametrize(
    "ratio",
    [
        PairedRatio(0.5, 0.4, 1.1, 40, 100.0, 50.0),  # within the noise
        PairedRatio(0.5, 0.4, 0.6, 40, 100.0, 50.0, others=1.5),  # a busy machine
        PairedRatio(0.5, 0.4, 0.6, 40, 100.0, 120.0),  # the medians say the opposite
    ],
)
def test_noise_gives_no_factor(ratio: PairedRatio) -> None:
    reported = headline(Verdict((), ratio=ratio))
    assert reported.speed == "no clear change"
    assert reported.why_unclear


@given(st.lists(st.sampled_from([True, False, None]), max_size=5))
def test_right_only_where_all_that_was_judged_is(judged: list[bool | None]) -> None:
    reported = headline(Verdict(tuple(compared("edited", "float64", 0.1, agrees) for agrees in judged)))
    known = [agrees for agrees in judged if agrees is not None]
    assert reported.right == (all(known) if known else None)


def test_kernels_that_are_judged_by_what_they_write_are_reported_of_as_such() -> None:
    unknown = compared("edited", "edited graph, float64", 0.3, None, "Not judged: rounding")
    right = headline(Verdict((unknown, compared("edited", SAME_INPUTS, 0.0, True))))
    assert right.meaning == "what the kernels before the edit write from the same inputs, bit for bit"
    wrong = headline(Verdict((unknown, compared("edited", SAME_INPUTS, 0.05, False))))
    assert (wrong.right, wrong.error) == (False, "5.0e-02")
    assert "that the kernel before the edit writes to grad of w" in wrong.meaning
