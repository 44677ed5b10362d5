"""The verdict on the call in which torch compiled: what it gave was kept, so nothing runs once more for it.

It may be wrong where every later call is right: torch runs other code in it (what it traces by, entries that are replaced
later), and a guard that is missing lets the call itself go on in code of an earlier round.
"""

from collections.abc import Callable

from compiler.engine.accuracy.eager_reference import Reference
from compiler.engine.accuracy.tolerance import compare, judge, near_eager
from compiler.engine.capture.capture import LiveCapture
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.verdict_text import COMPILING
from compiler.model.timing.verdicts import SAME_NUMBERS, Comparison, not_judged

_OTHER_NUMBERS = (
    "it gave something else than a later call from the same seed, and it draws random numbers: whether only those are others "
    "is not known"
)
_LATER_UNKNOWN = "it draws random numbers, and a later call that draws the same ones is not known to be right"
_EACH_OTHER = (
    "the program by itself gives something else at each call, though all that can be put back is put back"
)


def judge_compiling_call(
    live: LiveCapture, reference: Reference, as_later: Callable[[], Results] | None, later_right: bool | None
) -> Comparison:
    """The compiling call by float64 as later calls are; of a program that draws, whose numbers are Inductor's in it, by what
    `as_later` runs: the same code from the same seed, if that is known to be right with eager's numbers (`later_right`).
    """
    found = compiling_results(live, reference.eager)
    if found is None:
        note = not_judged(live.compiling_unknown or "what it gave was not kept")
        return Comparison(COMPILING, "eager", (), note=note)
    if as_later is not None:
        if not later_right:
            return Comparison(COMPILING, SAME_NUMBERS, (), note=not_judged(_LATER_UNKNOWN))
        later = as_later()
        row = judge(COMPILING, found, later, SAME_NUMBERS, later)
        return (
            row if row.agrees else compare(COMPILING, found, SAME_NUMBERS, later, not_judged(_OTHER_NUMBERS))
        )
    if reference.exact is None:
        note = not_judged(reference.why_not or "the program cannot run in float64")
        return compare(COMPILING, found, "eager", reference.eager, note)
    row = reference.judge(COMPILING, found, "float64")
    if row.agrees is False and not _steady(live, reference.eager):
        return compare(COMPILING, found, "float64", reference.exact, not_judged(_EACH_OTHER))
    return row


def compiling_results(live: LiveCapture, like: Results) -> Results | None:
    """What the compiling call gave, where the results of later calls are; None where it was not kept."""
    if live.compiling is None:
        return None
    there = ((name, like.get(name)) for name in live.compiling.tensors)
    return live.compiling.on({name: tensor.device for name, tensor in there if tensor is not None})


def _steady(live: LiveCapture, eager: Results) -> bool:
    """Whether the program gives the same again; asked only of what seems wrong."""
    again = live.stepper.compared_step(live.program.callable)
    return all(
        (found := again.get(name)) is not None and found.shape == tensor.shape and near_eager(found, tensor)
        for name, tensor in eager.tensors.items()
    )
