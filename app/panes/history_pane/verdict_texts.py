"""Verdicts in words and numbers: times with their spread, errors with what they are of."""

from app.translation.compiler_texts import translate
from app.translation.texts import tr
from compiler.analysis.text_format.times import summary_text
from compiler.model.timing.paired_ratio import FEWEST_PAIRS, format_ratio
from compiler.model.timing.timings import TimingSummary
from compiler.model.timing.verdicts import Comparison, Verdict


def speed_text(verdict: Verdict) -> str:
    """``1.25× as fast``, or that there is no clear change. Only steps that ran interleaved give a factor."""
    if verdict.ratio is None:
        return (
            tr("not timed")
            if verdict.before is None or verdict.after is None
            else tr("too few steps to compare")
        )
    ratio = verdict.ratio.ratio
    if not verdict.ratio.clear:
        return tr("no clear change")
    return (
        tr("{value:.2f}× as fast").format(value=1 / ratio)
        if ratio <= 1
        else tr("{ratio:.2f}× as slow").format(ratio=ratio)
    )


def interleaved_text(verdict: Verdict) -> str:
    """What the steps that ran interleaved say of before and after, and of after and eager; ends with a blank."""
    rows = (
        (verdict.ratio, tr("the program before"), "after"),
        (verdict.eager_ratio, tr("the program after"), "eager"),
    )
    reported = [
        format_ratio(ratio, first, second, translate) for ratio, first, second in rows if ratio is not None
    ]
    return tr("By turns: {names}. ").format(names="; ".join(reported)) if reported else ""


def ratio_text(before: TimingSummary | None, after: TimingSummary | None) -> str:
    """The same of two times that were measured apart: only where the quartiles of enough steps do not overlap."""
    if before is None or after is None or after.median <= 0 or before.median <= 0:
        return tr("not timed")
    if min(before.count, after.count) < FEWEST_PAIRS:
        return tr("too few steps to compare")
    if before.low <= after.high and after.low <= before.high:
        return tr("no clear change")
    ratio = before.median / after.median
    return (
        tr("{ratio:.2f}× as fast").format(ratio=ratio)
        if ratio >= 1
        else tr("{value:.2f}× as slow").format(value=1 / ratio)
    )


def agrees_text(agrees: bool | None) -> str:
    """``yes``, ``no`` or ``not judged``."""
    return {True: tr("yes"), False: tr("no"), None: tr("not judged")}[agrees]


def judged_text(comparison: Comparison) -> str:
    """The same of a comparison, with torch's own judgement where that is another one: ``yes (torch: no)``."""
    ours, torchs = comparison.agrees, comparison.torch_agrees
    same = ours is None or torchs is None or ours == torchs
    return (
        agrees_text(ours)
        if same
        else tr("{agrees} (torch: {agrees2})").format(agrees=agrees_text(ours), agrees2=agrees_text(torchs))
    )


def judged_tip(comparison: Comparison) -> str:
    """By what it was judged."""
    if comparison.agrees is None:
        return comparison.note
    asked = comparison.torch_agrees is not None
    reported = tr(
        "; torch's own check, by the mean square (torch._dynamo.utils.same with fp64_ref): {agrees}"
    ).format(agrees=agrees_text(comparison.torch_agrees))
    rule = tr("Largest difference and root mean square from float64, against those of eager")
    return f"{rule}: {agrees_text(comparison.agrees)}{reported if asked else ''}.\n{comparison.note}".strip()


def verdict_text(verdict: Verdict) -> str:
    """The whole verdict in a few lines: times with their spread, errors by reference."""
    lines = [
        tr("Step before {time}, after {time2}").format(
            time=summary_text(verdict.before), time2=summary_text(verdict.after)
        )
    ]
    for comparison in verdict.comparisons:
        tensor, _, relative = worst_text(comparison)
        what = tr("{what} against {reference}").format(what=comparison.what, reference=comparison.reference)
        lines.append(
            tr("{what}: {relative} relative error ({tensor}), agrees: {judged}").format(
                what=what, relative=relative, tensor=tensor, judged=judged_text(comparison)
            )
        )
    return "\n".join(lines)


def right_text(verdict: Verdict | None) -> str:
    """Whether what was judged of the edit, or of what torch made, is right."""
    return agrees_text(verdict.right if verdict is not None else None)


def worst_text(comparison: Comparison) -> tuple[str, str, str]:
    """(tensor, largest absolute, largest relative) of the tensor that is farthest off."""
    worst = comparison.worst
    if worst is None:
        return "–", "–", "–"
    return worst.tensor, worst.absolute_text, worst.relative_text
