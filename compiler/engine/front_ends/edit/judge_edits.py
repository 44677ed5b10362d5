"""The verdict on edits of what another front end made: does it do what the edited graph says, and how far from the program?"""

import contextlib
from collections.abc import Callable
from functools import partial

import msgspec

from compiler.engine.accuracy.cancelled_terms import marked
from compiler.engine.accuracy.eager_reference import eager_reference, graph_reference, watched
from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.accuracy.tolerance import compare
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.measuring.interleaved_timing import interleave
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.user_program.stepper import Results, Stepper, unchanged_state
from compiler.engine.verdicts.random_inputs import judge_on, of_other_values
from compiler.engine.verdicts.verdict_text import UNEDITED, sentence
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.timings import summarise
from compiler.model.timing.verdicts import Comparison, Verdict, not_judged

_SECONDS = 1.5
"""How long before, after and eager are timed interleaved."""
_WHO = "The edited program"

ReportProgress = Callable[[str], None]


def judge_front_end_edits(
    stepper: Stepper,
    unedited: FrontEndResult,
    edited: FrontEndResult,
    gradients: bool,
    report_progress: ReportProgress,
) -> Verdict:
    """Compare what was captured without and with edits with eager and float64, and time all interleaved. `gradients`: whether
    the program's were asked for, which the stepper takes only where what was captured has them.
    """
    notes: list[str] = []
    if edited.alone is not None:
        notes.append("The text holds the program in eval mode and without gradients, and is compared so.")
    elif gradients and not stepper.options.gradients:
        notes.append("What was captured has no gradients, so only its results are compared.")
    comparisons = _compared(stepper, unedited, edited, notes, report_progress)
    report_progress("Judging: timing before and after")
    load = MachineLoad()
    samples = _timed(stepper, unedited, edited)
    before, after, eager = map(summarise, samples)
    others = load.others()
    ratio = paired_ratio(samples[0], samples[1], others)
    return Verdict(
        tuple(comparisons),
        before,
        after,
        eager,
        recompile_seconds=edited.seconds,
        cold_seconds=unedited.seconds,
        summary=sentence(comparisons, True, before, after, ratio, _WHO),
        notes=tuple(notes),
        ratio=ratio,
        eager_ratio=paired_ratio(samples[1], samples[2], others),
    )


def has_gradients(stepper: Stepper, captured: FrontEndResult) -> bool:
    """Whether what was captured has the gradients that the program has."""
    try:
        return (
            _run(stepper, captured.call).tensors.keys()
            == _run(stepper, stepper.program.callable).tensors.keys()
        )
    except Exception:  # noqa: BLE001  whatever autograd says of operations that have no backward
        return False


def _compared(
    stepper: Stepper,
    unedited: FrontEndResult,
    edited: FrontEndResult,
    notes: list[str],
    report_progress: ReportProgress,
) -> list[Comparison]:
    report_progress("Judging: eager and float64 references")
    reference = eager_reference(stepper.program, stepper)
    eager, exact = reference.eager, reference.exact
    if exact is None:
        notes.append(reference.nothing_exact)
    report_progress("Judging: unedited")
    before = _run(stepper, unedited.call)
    rows = [compare("unedited", before, "eager", eager)]
    if _draws_otherwise(stepper, eager, before):
        notes.append(
            "What was captured draws other random numbers than eager from the same seed, so it is not judged against eager."
        )
        exact = None
    if exact is not None:
        rows.append(reference.judge("unedited", before, "float64"))
    report_progress("Judging: edited")
    found = _run(stepper, edited.call)
    rows.append(compare("edited", found, "eager", eager))
    if exact is not None:
        rows.append(compare("edited", found, "float64", exact))
    if edited.interpreted is not None:
        rows += _against_graph(stepper, edited, found, reference.scattered, report_progress)
    elif exact is not None:
        rows.append(reference.judge("edited", found, UNEDITED))
    return [marked(row, eager, exact) for row in rows]


def _against_graph(
    stepper: Stepper, edited: FrontEndResult, found: Results, doubt: str, report_progress: ReportProgress
) -> list[Comparison]:
    """Beside the edited graph run op by op, in its own dtypes and in float64, on the example and on other inputs. `doubt`: why what is
    far from it may be right all the same, as a clause.
    """
    assert edited.interpreted is not None
    narrow, wide = (watched(stepper, edited.interpreted(way)) for way in (False, True))
    reference = graph_reference(narrow, wide, doubt)
    own = "edited graph, op by op"
    if reference.exact is None:
        return [compare("edited", found, own, reference.eager, not_judged(reference.why_not))]

    def judged() -> Comparison | None:
        ours = _run(stepper, edited.call)
        there = graph_reference(narrow, wide, doubt)
        return there.judge("edited", ours, "") if there.exact is not None else None

    return [
        marked(compare("edited", found, own, reference.eager), reference.eager, reference.exact),
        reference.judge("edited", found, "edited graph, float64"),
        *judge_on(stepper, of_other_values(stepper), judged, report_progress),
    ]


def _draws_otherwise(stepper: Stepper, eager: Results, found: Results) -> bool:
    """Whether eager's results depend on the seed, and what was captured gives others from the same one."""
    options = stepper.options
    stepper.options = msgspec.structs.replace(options, seed=options.seed + 1)
    try:
        other = _run(stepper, stepper.program.callable)
    finally:
        stepper.options = options
    return bool(what_differs(other.tensors, eager.tensors)) and bool(
        what_differs(found.tensors, eager.tensors)
    )


def _run(stepper: Stepper, function: Callable[..., object]) -> Results:
    return stepper.compared_step(function)


def _timed(stepper: Stepper, unedited: FrontEndResult, edited: FrontEndResult) -> list[list[int]]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(unchanged_state(stepper.program))
        functions = unedited.call, edited.call, stepper.program.callable
        clock = step_clock()
        return interleave([partial(_nanoseconds, stepper, run, clock) for run in functions], _SECONDS)


def _nanoseconds(stepper: Stepper, function: Callable[..., object], clock: Callable[[], int]) -> int:
    return stepper.timed(function, clock).nanoseconds
