"""The verdict on edits: right, and faster?"""

import functools
from collections.abc import Callable, Collection, Iterator

import msgspec
import torch

from compiler.engine.accuracy.cancelled_terms import marked
from compiler.engine.accuracy.differential_test import describe
from compiler.engine.accuracy.eager_reference import (
    Reference,
    eager_reference,
    reason_of,
    unless_unsteady,
)
from compiler.engine.accuracy.hidden_faults import empty, not_finite_throughout, zero_throughout
from compiler.engine.accuracy.tolerance import (
    NOTHING_SHOWS,
    compare,
    judged,
    near_eager,
    nothing_but_rounding,
)
from compiler.engine.guards.guard_tester import first_not_held
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import (
    failed_guards,
    fails_when_repeated,
    noting_runs,
    ran_in_later_steps,
    unseen_graphs,
    wholly_unseen,
    why_unseen,
)
from compiler.engine.rng.rounding_noise import TF32_UNIT
from compiler.engine.stage_ids import split
from compiler.engine.timing.edit_state_timing import interleaved
from compiler.engine.user_program.stepper import Results
from compiler.engine.user_program.torch_settings import allowed_tf32
from compiler.engine.verdicts.called_kernels import CalledKernels, noting_kernels, why_idle
from compiler.engine.verdicts.compiling_call import judge_compiling_call
from compiler.engine.verdicts.drawing_calls import drawing_calls
from compiler.engine.verdicts.judging_steps import Judging
from compiler.engine.verdicts.kernel_outputs import kernel_outputs
from compiler.engine.verdicts.random_inputs import judge_other_inputs
from compiler.engine.verdicts.reference_runs import drawing_step, graphs_reference, reference_drawing_alike
from compiler.engine.verdicts.verdict_text import sentence
from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS
from compiler.model.capture.counted import first_of
from compiler.model.capture.guards import format_guard
from compiler.model.edits.edits import Edit, keeps_graphs, stages_of
from compiler.model.timing.paired_ratio import PairedRatio, paired_ratio
from compiler.model.timing.timings import TimingSummary, summarise
from compiler.model.timing.verdicts import SAME_INPUTS, SAME_NUMBERS, Comparison, Verdict, not_judged

_SECONDS = 1.5
"""How long before, after and eager are timed in turn."""

_AGAIN = 3
"""How often unedited code is run again where edited code gives something else: on a GPU sums are added in another order each time."""

_PARTS, _PARTS_UNEDITED = 6, 4
"""How many parts judging has; without edits there is no edited graph, and nothing is tried on other inputs."""

_DRAWS_OTHERWISE = not_judged(
    "it draws random numbers of its own, since it does not compile with fallback_random=True, which would let it draw eager's"
)
_EDIT_DRAWS_OTHERWISE = (
    "Edited and eager draw different random numbers (an edit concerns code that only drawing as Inductor does "
    "has), so they are not compared; edited code and edited graph draw the same."
)
_NOTHING = "Left out, since float64 has next to nothing there, and all of it is as small as rounding"
_ZEROS = "0 throughout, in float64 too, and a fault in what was multiplied by those zeros does not show"
_NOT_FINITE = "NaN or infinite throughout, in float64 too, and a fault in what that was made of does not show"
_NO_LEAVES = (
    "no gradient is taken, since behind what the program gives there is nothing that asks for one and that it held before: no "
    "parameter, no input, no tensor of a closure or of globals"
)
_SAME_BITS = (
    "Each changed kernel writes the same bits as the one before it, from the same inputs: what was changed changes nothing there, or "
    "no input that was tried runs it."
)
_KEPT_UNSEEN = f"What is kept for the backward is not judged: {_NO_LEAVES}."
_EMPTY = "Empty, so that no fault shows in it"
_NOT_REPEATED = "No times: the program by itself, without torch.compile, fails where one step follows another"
_MOST_NAMED = 3
_FLOAT64 = "float64"
_GRAPH = "edited graph, float64"


def judge_edits(
    program: EditedProgram, edits: tuple[Edit, ...], seconds: float, report_progress: Callable[[str], None]
) -> Verdict:
    """Compare unedited and edited results with eager and float64, and time both in turn; the edits stay active."""
    base = program.base
    report_progress = judging = Judging(report_progress, _PARTS if edits else _PARTS_UNEDITED)
    judging.begin("Judging: eager and float64 references")
    try:
        reference, notes = _program_reference(program)
    except Exception as error:  # noqa: BLE001  what only compiled code can run is no fault of the edit
        return _without_eager(program, edits, seconds, error, judging)
    random = program.base.graphs_that_draw()
    if random:
        notes.append(
            "Random numbers: for this comparison the graphs that draw any were compiled with fallback_random=True, so that "
            "eager and compiled draw the same ones."
        )
    judging.begin("Judging: unedited")
    as_eager = program.random_as_eager((), report_progress)
    unedited, ran_before, _ = _step(program, (), as_eager, report_progress)
    none_ran = wholly_unseen(program, (), ran_before)
    if none_ran:
        comparisons = [compare("unedited", unedited, "eager", reference.eager, _unseen(none_ran))]
    elif as_eager == random:
        comparisons = [compare("unedited", unedited, "eager", reference.eager)]
        if reference.exact is not None:
            comparisons.append(reference.judge("unedited", unedited, "float64"))
            if comparisons[-1].agrees is None and reference.drew_others(unedited):
                notes += filter(None, (drawing_calls(program, as_eager, reference.draws),))
    else:
        comparisons = [compare("unedited", unedited, "eager", reference.eager, _DRAWS_OTHERWISE)]
    later = (lambda: _results(program, (), (), report_progress)) if random else None
    compiling = judge_compiling_call(base, reference, later, comparisons[-1].agrees)
    if none_ran and compiling.agrees is False:  # held against a program that has changed since
        compiling = compiling.unjudged(_unseen(none_ran))
    comparisons.append(compiling)
    judging.begin("Judging: edited")
    as_eager = program.random_as_eager(edits, report_progress)
    edited, ran, kernels = _step(program, edits, as_eager, report_progress)
    if as_eager == random:
        unseen = unseen_graphs(program, edits, ran) if edits else set()
        other_code = _unseen(unseen, ran_before) if unseen else ""
        against = (("eager", reference.eager), (_FLOAT64, reference.exact))
        comparisons += [
            compare("edited", edited, name, row, other_code) for name, row in against if row is not None
        ]
    else:
        notes.append(_EDIT_DRAWS_OTHERWISE)
        comparisons += _compared_with_unedited(program, edits, as_eager, edited, ran, report_progress)
    if edits:
        rows, more = _edited_rows(
            program, edits, as_eager, reference, unedited, (ran, ran_before, kernels), judging
        )
        comparisons += rows
        notes += more
    judging.begin("Judging: timing before and after")
    times, why = _timed_if_it_can_be(program, edits)
    notes += why
    nothing = {name for row in comparisons if row.reference == _GRAPH for name in row.rounding}
    comparisons = [marked(row, reference.eager, reference.exact, nothing) for row in comparisons]
    before, after, eager, ratio, eager_ratio = times or (None, None, None, None, None)
    return Verdict(
        tuple(comparisons),
        before,
        after,
        eager,
        recompile_seconds=seconds,
        cold_seconds=base.capture.seconds,
        summary=sentence(comparisons, bool(edits), before, after, ratio),
        notes=tuple(notes),
        ratio=ratio,
        eager_ratio=eager_ratio,
    )


def _program_reference(program: EditedProgram) -> tuple[Reference, list[str]]:
    """What the program gives without torch.compile and in float64, and what is to be known of that. Raises what the former raises."""
    reference, notes = eager_reference(program.base.program, program.base.stepper), list[str]()
    if reference.exact is None:
        in_parts = graphs_reference(program)
        notes.append(
            "The program cannot run in float64 as a whole, so its graphs were, and their results rounded between them."
            if in_parts is not None
            else reference.nothing_exact
        )
        reference = in_parts or reference
    return reference, [*notes, *_hidden(reference.exact)]


def _without_eager(
    program: EditedProgram, edits: tuple[Edit, ...], seconds: float, error: Exception, judging: Judging
) -> Verdict:
    """Of a program that fails without torch.compile: there is nothing to compare with but what kernels wrote before."""
    why = not_judged(f"without torch.compile the program fails ({describe(error)})")
    rows = [Comparison("edited" if edits else "unedited", "eager", (), note=why)]
    rows, notes = _with_kernels(program, edits, rows, judging) if edits else (rows, [])
    return Verdict(
        tuple(rows),
        recompile_seconds=seconds,
        cold_seconds=program.base.capture.seconds,
        summary=sentence(rows, bool(edits), None, None, None),
        notes=tuple(notes),
    )


_Summary = TimingSummary | None
_Times = tuple[_Summary, _Summary, _Summary, PairedRatio | None, PairedRatio | None]


def _hidden(exact: Results | None) -> Iterator[str]:
    """What no comparison can show."""
    if exact is None:
        return
    for why, found in ((_ZEROS, zero_throughout), (_NOT_FINITE, not_finite_throughout), (_EMPTY, empty)):
        tensors = found(exact)
        if tensors:
            yield f"{why}: {first_of(tensors, _MOST_NAMED)}."


def _timed_if_it_can_be(
    program: EditedProgram, edits: tuple[Edit, ...]
) -> tuple[_Times | None, tuple[str, ...]]:
    """(times, or why there are none). Raises what steps of the edited program raise, unless the program's own do too."""
    try:
        unseen = unseen_graphs(program, edits, ran_in_later_steps(program, edits))
        if unseen:
            return None, tuple(_why_no_times(program, edits, unseen))
        return _timed(program, edits), ()
    except Exception:
        error = fails_when_repeated(program)
        if error is None:
            raise
        return None, (f"{_NOT_REPEATED} ({describe(error)}).",)


def _timed(program: EditedProgram, edits: tuple[Edit, ...]) -> _Times:
    load = MachineLoad()
    samples = interleaved(program, (), edits, _SECONDS)
    before, after, eager = map(summarise, samples)
    others = load.others()
    return (
        before,
        after,
        eager,
        paired_ratio(samples[0], samples[1], others),
        paired_ratio(samples[1], samples[2], others),
    )


def _why_no_times(program: EditedProgram, edits: tuple[Edit, ...], unseen: set[str]) -> Iterator[str]:
    ran_before = ran_in_later_steps(program, ()) if edits else ()
    yield f"No times, since they would be of other code: {why_unseen(unseen, ran_before)}."
    if guards := failed_guards(program, edits, lambda: first_not_held(program.base, unseen)):
        yield format_guard(guards)


def _unseen(graphs: set[str], ran_before: Collection[str] = ()) -> str:
    return not_judged(why_unseen(graphs, ran_before))


def _compared_with_unedited(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    as_eager: tuple[str, ...],
    edited: Results,
    ran: set[str],
    report_progress: Callable[[str], None],
) -> list[Comparison]:
    """How far an edit moves results that eager's say nothing of: beside unedited code, where that draws the same random numbers."""
    if all(keeps_graphs(edit) for edit in edits) or wholly_unseen(program, edits, ran):
        return []
    unedited = _results(program, (), as_eager, report_progress)
    return [compare("edited", edited, SAME_NUMBERS, unedited)] if edited.random == unedited.random else []


def _edited_rows(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    as_eager: tuple[str, ...],
    reference: Reference,
    unedited: Results,
    ran: tuple[set[str], set[str], CalledKernels],
    judging: Judging,
) -> tuple[list[Comparison], list[str]]:
    """Against the edited graph, as far as a step runs what was edited; and what is to be known of that."""
    graphs, ran_before, kernels = ran
    called, idle = kernels.changed()
    if unseen := unseen_graphs(program, edits, graphs):
        return [Comparison("edited", "edited graph", (), note=_unseen(unseen, ran_before))], []
    without = program.base.stepper.no_leaves
    if (
        without
        and not called
        and all(split(stage)[1] == "backward" for edit in edits for stage in stages_of(edit))
    ):
        return [Comparison("edited", "edited graph", (), note=not_judged(_NO_LEAVES))], []
    if idle and not called:
        return [Comparison("edited", "edited graph", (), note=not_judged(why_idle(idle)))], []
    notes = [f"Of some changed kernels nothing is said, since {why_idle(idle)}."] if idle else []
    notes += [_KEPT_UNSEEN] if without else []
    rows = _by_edited_graph(program, edits, as_eager, reference, unedited, judging)
    if not any(row.agrees is False for row in rows):
        rows, more = _with_kernels(program, edits, rows, judging)
        notes += more
    return rows, notes


def _with_kernels(
    program: EditedProgram, edits: tuple[Edit, ...], rows: list[Comparison], judging: Judging
) -> tuple[list[Comparison], list[str]]:
    """The rows, and notes, with what is to be learnt of them from what kernels with another text write: where results show nothing of it they are
    not judged, and where they can't be, it judges.
    """
    results = functools.partial(_results, program, edits, (), judging)
    found = list[Results]()
    written = kernel_outputs(program, edits, lambda: found.append(results()))
    if written is None:
        return rows, []
    notes = [_SAME_BITS] if written.same else []
    if any(row.agrees for row in rows):
        why = f"{written.said}, and nothing that a step gives shows it"
        if written.otherwise:
            rows = [
                row.unjudged(f"{row.note} {not_judged(why)}".strip()) if row.agrees else row for row in rows
            ]
        return rows, notes
    if written.same:
        return [*rows, Comparison("edited", SAME_INPUTS, written.nothing_otherwise, True)], notes
    if not written.otherwise:
        return rows, []
    unedited = _results(program, (), (), judging)
    shown = any(
        not near_eager(found[0].tensors[name], value)
        for name, value in unedited.tensors.items()
        if name in found[0].tensors
    )
    if shown:
        names = tuple(row.tensor for row in written.otherwise)
        return [*rows, Comparison("edited", SAME_INPUTS, written.otherwise, False, wrong=names)], []
    return rows, [f"Nothing that a step gives shows it, but {written.said}."]


def _step(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    random: tuple[str, ...],
    report_progress: Callable[[str], None],
) -> tuple[Results, set[str], CalledKernels]:
    """What a step gives, and which graphs it ran and which kernels it called."""
    with (
        program.running(edits, random, report_progress),
        noting_runs(program) as ran,
        noting_kernels(program) as kernels,
    ):
        return program.base.stepper.compared_step(program.base.compiled), ran, kernels


def _results(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    random: tuple[str, ...],
    report_progress: Callable[[str], None],
) -> Results:
    return _step(program, edits, random, report_progress)[0]


def _by_edited_graph(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    as_eager: tuple[str, ...],
    program_reference: Reference,
    unedited: Results,
    judging: Judging,
) -> list[Comparison]:
    judging.begin("Judging: edited, against the edited graph")
    rows = _against_edited_graph(program, edits, as_eager, program_reference, unedited, judging)
    judging.begin("Judging: other inputs")
    if rows[-1].reference == _GRAPH and (rows[-1].agrees is not None or NOTHING_SHOWS in rows[-1].note):
        rows += judge_other_inputs(program, edits, program_reference.scattered, judging)
    return rows


def _against_edited_graph(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    as_eager: tuple[str, ...],
    program_reference: Reference,
    unedited: Results,
    report_progress: Callable[[str], None],
) -> list[Comparison]:
    """`as_eager` are the graphs that can be compiled with these edits to draw eager's random numbers."""
    kept = all(keeps_graphs(edit) for edit in edits)
    if kept and program.edits_reach_random_numbers(edits):
        return [_against_unedited(program, edits, program_reference.exact, report_progress)]
    wanted = program.random_before_autograd(edits)
    if not set(wanted) <= set(as_eager):
        return [
            compare(
                "edited",
                _results(program, edits, (), report_progress),
                "eager",
                program_reference.eager,
                _DRAWS_OTHERWISE,
            )
        ]
    with program.running(edits, wanted, report_progress):
        edited, noted = drawing_step(program, edits)
        try:
            reference = reference_drawing_alike(program, edits, noted, program_reference.scattered)
        except Exception as error:  # noqa: BLE001  the compiled code ran: what fails is no fault of the edit
            why = not_judged(
                f"the compiled code runs, and run op by op the edited graph fails ({reason_of(error)})"
            )
            return [compare("edited", edited, "eager", program_reference.eager, why)]
        own = "edited graph, op by op"
        if reference.exact is None:
            return [compare("edited", edited, own, reference.eager, not_judged(reference.why_not))]
        # where eager drew other numbers its results say nothing of these
        drew_the_same = edited.random == program_reference.eager.random
        reference.alike = program_reference.eager if kept and drew_the_same else None
        row = reference.judge("edited", edited, _GRAPH, before=unedited if kept else None)
        by_eager = compare("edited", edited, own, reference.eager)
        return [marked(by_eager, reference.eager, reference.exact), row]


def _against_unedited(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    exact: Results | None,
    report_progress: Callable[[str], None],
) -> Comparison:
    """Other kernels for the same graph draw the same random numbers from the same seed, so they may be compared. `exact`: the unedited
    program in float64, whatever it draws.
    """
    unedited, edited = (_results(program, which, (), report_progress) for which in ((), edits))
    unit = _tf32_unit(program, unedited)
    row, far = judged("edited", edited, unedited, SAME_NUMBERS, unedited, unit=unit)
    if not far:
        return row
    rows = tuple(item.row for item in far)
    nothing = nothing_but_rounding(rows, unedited, exact) if exact is not None else ()
    if nothing:
        names = ", ".join(item.tensor for item in nothing)
        row = msgspec.structs.replace(row, note=f"{_NOTHING}: {names}.")
        far = tuple(item for item in far if item.row not in nothing)
    if not far:
        return msgspec.structs.replace(row, agrees=True, wrong=())
    again = [_results(program, (), (), report_progress) for _ in range(_AGAIN)]
    row = msgspec.structs.replace(row, wrong=tuple(item.tensor for item in far))
    return unless_unsteady(row, far, edited, unedited, again, "the unedited code") or row


def _tf32_unit(program: EditedProgram, results: Results) -> float:
    """How far one operation of a program rounds that a GPU runs in tf32: what is cut there is cut otherwise where a sum before it was
    added in another order. 0 for all others.
    """
    if not any(value.is_cuda and value.dtype is torch.float32 for value in results.tensors.values()):
        return 0.0
    allowed = allowed_tf32(None)
    cuts = PRODUCTS in allowed or (CONVOLUTIONS in allowed and _has_convolutions(program))
    return TF32_UNIT if cuts else 0.0


def _has_convolutions(program: EditedProgram) -> bool:
    graphs = (stage.graph for stage in program.base.capture.stages)
    return any("conv" in node.target for graph in graphs if graph is not None for node in graph.nodes)
