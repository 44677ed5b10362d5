"""The verdict on edits: right, and faster?"""

from collections.abc import Callable

from compiler.engine.comparing import compare, judge
from compiler.engine.other_inputs import judge_other_inputs
from compiler.engine.recompiling import EditedProgram
from compiler.engine.references import all_graphs_in_float64, edited_graphs_interpreted, in_float64
from compiler.engine.running import Results
from compiler.engine.state_timing import interleaved
from compiler.engine.verdict_words import SAME_NUMBERS, sentence
from compiler.model.edits import Edit, keeps_graphs
from compiler.model.paired_ratios import paired_ratio
from compiler.model.timings import summarise
from compiler.model.verdicts import Comparison, Verdict

_SECONDS = 1.5
"""How long before, after and eager are timed in turn."""


def judge_edits(
    program: EditedProgram, edits: tuple[Edit, ...], seconds: float, say: Callable[[str], None]
) -> Verdict:
    """Compare unedited and edited results with eager and float64, and time both in turn; the edits stay in force."""
    base = program.base
    stepper, eager_callable = base.stepper, base.program.callable
    notes: list[str] = []
    say("Judging: eager and float64 references")
    eager = stepper.compared_step(eager_callable)
    exact = in_float64(base.program, stepper.options, stepper)
    if exact is None:
        exact = _graphs_in_float64(program)
        notes.append(
            "The program cannot run in float64 as a whole, so its graphs were, and their results rounded between them."
            if exact is not None
            else "The program cannot run in float64, so nothing is judged against it."
        )
    random = program.random_regions()
    if random:
        notes.append(
            "Random numbers: for this comparison the graphs with dropout were compiled with fallback_random=True, so "
            "that eager and compiled draw the same ones."
        )
    say("Judging: unedited")
    unedited = _results(program, (), random, say)
    say("Judging: edited")
    as_eager = program.random_as_eager(edits, say)
    edited = _results(program, edits, as_eager, say)
    comparisons = [compare("unedited", unedited, "eager", eager)]
    if exact is not None:
        comparisons.append(judge("unedited", unedited, eager, "float64", exact))
    if as_eager == random:
        comparisons.append(compare("edited", edited, "eager", eager))
        if exact is not None:
            comparisons.append(compare("edited", edited, "float64", exact))
    else:
        notes.append(
            "Edited and eager draw different random numbers (an edit concerns code that only drawing as Inductor does "
            "has), so they are not compared; edited code and edited graph draw the same."
        )
    if edits:
        against_graph = _against_edited_graph(program, edits, say)
        comparisons += against_graph
        if against_graph[-1].reference == "edited graph, float64":
            comparisons += judge_other_inputs(program, edits, say)
    say("Judging: timing before and after")
    samples = interleaved(program, (), edits, _SECONDS)
    before, after, eager_time = map(summarise, samples)
    ratio = paired_ratio(samples[0], samples[1])
    return Verdict(
        tuple(comparisons),
        before,
        after,
        eager_time,
        recompile_seconds=seconds,
        cold_seconds=base.capture.seconds,
        summary=sentence(comparisons, bool(edits), before, after, ratio),
        notes=tuple(notes),
        ratio=ratio,
        eager_ratio=paired_ratio(samples[1], samples[2]),
    )


def _graphs_in_float64(program: EditedProgram) -> Results | None:
    try:
        with all_graphs_in_float64(program):
            return program.base.stepper.compared_step(program.base.compiled)
    except Exception:  # noqa: BLE001  an operator may not exist in float64
        return None


def _results(
    program: EditedProgram, edits: tuple[Edit, ...], random: tuple[str, ...], say: Callable[[str], None]
) -> Results:
    with program.running(edits, random, say):
        return program.base.stepper.compared_step(program.base.compiled)


def _against_edited_graph(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    say: Callable[[str], None],
) -> list[Comparison]:
    stepper, compiled = program.base.stepper, program.base.compiled
    if all(keeps_graphs(edit) for edit in edits) and program.edits_reach_random_numbers(edits):
        return [_against_unedited(program, edits, say)]
    with program.running(edits, program.random_before_autograd(edits), say):
        edited = stepper.compared_step(compiled)
        with edited_graphs_interpreted(program, edits, wide=False):
            narrow = stepper.compared_step(compiled)
        try:
            with edited_graphs_interpreted(program, edits, wide=True):
                wide = stepper.compared_step(compiled)
        except Exception as error:  # noqa: BLE001  an operator may not exist in float64
            note = f"Not judged: the edited graph cannot run in float64 ({type(error).__name__})."
            return [compare("edited", edited, "edited graph, op by op", narrow, note)]
    if program.edits_reach_random_numbers(edits):
        note = "Not judged: the edited graph draws random numbers, and op by op it draws others."
        return [compare("edited", edited, "edited graph, op by op", narrow, note)]
    return [
        compare("edited", edited, "edited graph, op by op", narrow),
        judge("edited", edited, narrow, "edited graph, float64", wide),
    ]


def _against_unedited(
    program: EditedProgram, edits: tuple[Edit, ...], say: Callable[[str], None]
) -> Comparison:
    """Other kernels for the same graph draw the same random numbers from the same seed, so they may be compared."""
    unedited, edited = (_results(program, which, (), say) for which in ((), edits))
    return judge("edited", edited, unedited, SAME_NUMBERS, unedited)
