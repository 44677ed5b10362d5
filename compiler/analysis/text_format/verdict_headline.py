"""A verdict in three answers: is it right, is it faster, how exact is it. What it rests on is in the verdict itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from compiler.analysis.text_format.result_line import ResultPart
from compiler.model.capture.translating import Translate, in_english
from compiler.model.timing.paired_ratio import PairedRatio, format_unclear
from compiler.model.timing.verdicts import SAME_INPUTS, SAME_NUMBERS, Comparison, Difference, Verdict

_FLOAT64 = "float64"
_FARTHER = 2.0
"""An edit moves a result that it takes so many times as far from eager as compiling does: a gradient that cancels to nothing is as far
off without it.
"""
_EXACT, _UNLIKE = "exact", "≠"


MARKS = {True: "✓", False: "✗", None: "?"}
"""Of what is right, wrong, and not known."""


@dataclass(frozen=True)
class VerdictHeadline:
    """Short words for a card."""

    right: bool | None
    """None: not judged."""
    mark: str
    """One of `MARKS`."""
    word: str
    """Right, Wrong, Not judged."""
    speed: str
    """``1.25× faster``, ``no clear change`` or why there is no factor."""
    why_unclear: str
    """Why a factor cannot be told; empty where it can."""
    interval: PairedRatio | None
    """After over before."""
    error: str
    """The largest relative error that was judged: ``2.8e-07``; empty where none was."""
    meaning: str
    """What that error is, for somebody who sees one for the first time."""
    moved: str
    """How far the edit itself moves results, where that is known, and whether the code before it was wrong."""


def headline(verdict: Verdict, translate: Translate = in_english) -> VerdictHeadline:
    """The three answers. `translate` fills the fields of a sentence, in another language where it is given."""
    right = verdict.right
    word = {True: "Right", False: "Wrong", None: "Not judged"}[right]
    reported = _most_significant(verdict.judged)
    worst = _worst(reported)
    error = _error(worst) if worst is not None else ""
    return VerdictHeadline(
        right,
        MARKS[right],
        translate(word),
        format_speed(verdict.ratio, translate) if verdict.ratio is not None else translate("not timed"),
        format_unclear(verdict.ratio, translate) if verdict.ratio is not None else "",
        verdict.ratio,
        error,
        _meaning(verdict, reported, translate),
        _moved(verdict, translate),
    )


def _error(worst: Difference) -> str:
    """Short: its meaning stands beside it."""
    if worst.unlike:
        return worst.absolute_text if math.isfinite(worst.max_absolute) else _UNLIKE
    return _EXACT if worst.max_relative == 0 else worst.relative_text


def verdict_part(verdict: Verdict, translate: Translate = in_english) -> ResultPart:
    """``✓ edit is right, 1.25× faster``: one part of the line of results; a factor only where it is clear."""
    edited = {True: "✓ edit is right", False: "✗ edit is wrong", None: "? edit is not judged"}
    as_torch_made = {
        True: "✓ results are right",
        False: "✗ results are wrong",
        None: "? results are not judged",
    }
    words = translate((edited if verdict.edited else as_torch_made)[verdict.right])
    if verdict.ratio is not None and verdict.ratio.clear:
        words = translate("{words}, {speed}", words=words, speed=format_speed(verdict.ratio, translate))
    about = translate(
        "What was compared with float64 and with eager, how far off it is, and how long a step takes"
    )
    return ResultPart(words, "history", about)


def format_speed(found: PairedRatio, translate: Translate = in_english) -> str:
    """``1.25× faster``; no factor where noise explains it."""
    if not found.clear:
        return translate("no clear change")
    if found.ratio <= 1:
        return translate("{ratio:.2f}× faster", ratio=1 / found.ratio)
    return translate("{ratio:.2f}× slower", ratio=found.ratio)


def _most_significant(judged: Sequence[Comparison]) -> Comparison | None:
    """What is wrong before what is right, the farthest off of these."""

    def far(item: Comparison) -> tuple[bool, float]:
        worst = _worst(item)
        return not item.agrees, worst.max_relative if worst is not None else 0.0

    return max(judged, key=far, default=None)


def _worst(item: Comparison | None) -> Difference | None:
    """The tensor that is farthest off. Where all is right, of those that have a value: what cancels to nothing is all rounding, and as
    many times its value as you like.
    """
    if item is None or item.agrees is False:
        return item.worst if item is not None else None
    valued = [row for row in item.valued if row.max_relative < 1]
    return max(valued, key=lambda row: row.max_relative) if valued else item.worst


def _meaning(verdict: Verdict, reported: Comparison | None, translate: Translate) -> str:
    worst = _worst(reported)
    if reported is None or worst is None:
        wanted = sorted(verdict.comparisons, key=lambda row: row.what != "edited")
        notes = (comparison.note for comparison in wanted)
        return next(
            filter(None, (*notes, *verdict.notes)), translate("nothing was compared with a reference")
        )
    if reported.reference == SAME_INPUTS:
        if reported.agrees:
            return translate("what the kernels before the edit write from the same inputs, bit for bit")
        if worst.unlike:
            return translate(
                "{sentence}, unlike what the kernel before the edit writes", sentence=worst.sentence
            )
        what = "of the largest value that the kernel before the edit writes to {tensor}, from the same inputs"
        return translate(what, tensor=worst.tensor)
    if worst.unlike and reported.agrees:
        return translate("{tensor} is 0 in float64: rounding, as in eager", tensor=worst.tensor)
    if worst.unlike:
        return translate("{sentence}; eager is nearer to float64", sentence=worst.sentence)
    if reported.agrees is False:
        return translate(
            "of the largest value of {tensor}: more than rounding explains, eager is nearer to float64",
            tensor=worst.tensor,
        )
    if worst.max_relative == 0:
        return translate("the same as float64, to the last digit")
    return translate("of the largest value of {tensor}: rounding, as in eager", tensor=worst.tensor)


def _moved(verdict: Verdict, translate: Translate) -> str:
    """Only of an edited program against eager's results before the edit, where a step ran the edit. And what is wrong without it."""
    words = [_distance(verdict, translate)]
    if verdict.edited and any(row.agrees is False and row.what != "edited" for row in verdict.comparisons):
        words.append(translate("The code as it was before the edit gives wrong results."))
    return " ".join(filter(None, words))


def _distance(verdict: Verdict, translate: Translate) -> str:
    edited, unedited = (_against(verdict, what, "eager") for what in ("edited", "unedited"))
    if edited is None:  # eager drew other random numbers
        edited, unedited = _against(verdict, "edited", SAME_NUMBERS), None
    if edited is None or edited.worst is None or edited.note:
        return ""
    if edited.worst.max_relative == 0:
        return translate("The edit changes no result.")
    before = {row.tensor: row.max_relative for row in unedited.differences} if unedited is not None else {}
    moved = [row for row in edited.valued if row.max_relative > _FARTHER * before.get(row.tensor, 0.0)]
    if not moved and verdict.right is False:
        return ""  # how far it is off stands beside it: that compiling moved as much (other random numbers) is no comfort
    if not moved:
        return translate("The edit moves no result farther from eager than compiling does.")
    worst = max(moved, key=lambda row: row.max_relative)
    if worst.unlike:
        return translate("After the edit {sentence}.", sentence=worst.sentence)
    share = worst.max_relative
    amount = f"{share:.0%}" if share >= 0.01 else f"{share:.1e}"
    return translate(
        "The edit moves results by up to {amount} ({tensor}).", amount=amount, tensor=worst.tensor
    )


def _against(verdict: Verdict, what: str, reference: str) -> Comparison | None:
    rows = (item for item in verdict.comparisons if (item.what, item.reference) == (what, reference))
    return next(rows, None)
