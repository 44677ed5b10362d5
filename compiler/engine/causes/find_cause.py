"""Finding what makes the results of compiled code wrong: level by level down the pipeline, then into the step at fault.

Torch's own bisector (`torch._inductor.compiler_bisector`) starts the whole program again for every trial, keeps its state in
files, and ends at the number of a pass or a lowering. Here the program stays as it runs; only its graphs are exchanged.
"""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator

import msgspec

from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.autograd_search import search_autograd
from compiler.engine.causes.dynamo_search import search_dynamo
from compiler.engine.causes.graph_levels import (
    AOT,
    COMPILED,
    DYNAMO,
    LEVELS,
    OF_HALVES,
    POST_GRAD,
    PRE_GRAD,
    GraphPart,
    at_levels,
    install,
    parts_of,
)
from compiler.engine.causes.inductor_search import search_inductor
from compiler.engine.causes.replayed_passes import ReplayedPasses, pattern_of
from compiler.engine.causes.right_results import Judged, RightResults, first_wrong
from compiler.engine.causes.trials import ReportProgress, Search, bring
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import noting_runs, unseen_graphs, why_unseen
from compiler.engine.stage_ids import dynamo_graph_id, rewritten_id
from compiler.engine.torch_internals.patch import settings
from compiler.engine.verdicts.compiling_call import compiling_results
from compiler.engine.verdicts.random_inputs import Trial, of_other_values, with_inputs
from compiler.engine.verdicts.reference_runs import interpreted_graph, interpreted_unit
from compiler.engine.verdicts.seen_graphs import run_and_see
from compiler.engine.verdicts.verdict_text import COMPILING
from compiler.model.edits.edits import Edit, describe_edit, keeps_graphs
from compiler.model.experiments.causes import CauseFound, CauseStep, FindCause
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId

Emit = Callable[[CauseStep], None]

_TIMES = 3
"""How often right and wrong are distinguished once more at the end."""
_DRAWN = (
    "The program draws random numbers: it was compiled to draw eager's. How Inductor draws its own (seeds, offsets) was not "
    "judged."
)
_WORDS = {
    DYNAMO: "every graph op by op, as Dynamo traced it",
    PRE_GRAD: "every graph op by op, after its pre-grad passes",
    AOT: "every graph op by op, as AOTAutograd hands it to Inductor",
    POST_GRAD: "every graph op by op, after its post-grad passes",
    COMPILED: "as it is compiled",
}


def find_cause(
    program: EditedProgram,
    request: FindCause,
    report_progress: ReportProgress,
    emit: Emit = lambda step: None,
) -> CauseFound:
    """Search on the example input; where that is right, on others. What runs at the end is what ran before. Raises
    EngineError where nothing can be judged.
    """
    started = time.perf_counter()
    before = program.edits
    try:
        bring(program, request.edits, report_progress)
        with drawing_as_eager(program, request.edits, report_progress) as looked_at:
            found = _on_inputs(looked_at, request, report_progress, emit)
            if looked_at is not program:
                found = msgspec.structs.replace(found, notes=(*found.notes, _DRAWN))
    finally:
        bring(program, before, report_progress)
    return msgspec.structs.replace(found, seconds=time.perf_counter() - started)


def _on_inputs(
    program: EditedProgram, request: FindCause, report_progress: ReportProgress, emit: Emit
) -> CauseFound:
    stepper = program.base.stepper
    example: Trial = (
        "the example input",
        lambda: (stepper.program.args, stepper.program.kwargs),
        stepper.options.seed,
    )
    others = [(f"{kind}, seed {seed}", make, seed) for kind, make, seed in of_other_values(stepper)]
    steps: list[CauseStep] = []
    judged = 0
    unseen: set[str] = set()
    for number, (kind, make, seed) in enumerate((example, *others)):
        with contextlib.ExitStack() as stack:
            try:
                if number:
                    stack.enter_context(with_inputs(stepper, make(), seed))
                right = RightResults(program, request.edits, request.against, request.expression)
            except Exception:
                if not number:
                    raise
                continue  # a program may refuse other values
            search = Search(program, request.edits, right, report_progress, emit, request.known)
            search.steps = steps
            with program.running(request.edits, (), report_progress):
                wrong, missed = _as_compiled(search, kind)
                unseen |= missed
                judged += wrong is not None
                if wrong:
                    found = _search(search)
                    notes = (*search.notes, *([f"Only on other values ({kind})."] if number else []))
                    return msgspec.structs.replace(
                        found, steps=tuple(search.steps), innocent=tuple(search.innocent), notes=notes
                    )
                if wrong is False and not number and not request.edits:
                    compiling = _compiling_call(search)
                    if compiling is not None:
                        return msgspec.structs.replace(compiling, steps=tuple(search.steps))
    if not judged:
        raise EngineError(_nothing_judged(steps, unseen))
    return CauseFound(
        f"Nothing to find: the results are right on {judged} input{'s' if judged != 1 else ''} (the example's, and others "
        "of its sizes).",
        steps=tuple(steps),
    )


def _as_compiled(search: Search, kind: str) -> tuple[bool | None, set[str]]:
    """Whether a step is wrong; None where it could not be run, or what is asked about was not: then those graphs too."""
    with noting_runs(search.program) as ran:
        wrong = search.run(f"as it is compiled, on {kind}", contextlib.nullcontext, fresh=True)
    unseen = unseen_graphs(search.program, search.edits, ran)
    reported_by_others = wrong is not None and unseen and not (wrong and ran)
    return (None, unseen) if reported_by_others else (wrong, set())


def _nothing_judged(steps: list[CauseStep], unseen: set[str]) -> Problem:
    if unseen:
        return Problem(f"The cause can't be looked for: {why_unseen(unseen)}.")
    what = f"The compiled program cannot be run: {steps[-1].what if steps else 'no input fits it'}."
    return Problem(what, "Find out what raises first; the graphs before it are in the capture.")


def _compiling_call(search: Search) -> CauseFound | None:
    """Where later calls are right: whether the call that compiled was. Its code is gone, so that nothing of it can be
    exchanged.
    """
    program = search.program.base
    given = compiling_results(program, search.right.eager)
    if given is None or not search.ask(
        f"{COMPILING}, on the example input", lambda: search.right.judge(given)
    ):
        return None
    return search.not_found(
        "Only the call that compiled gave wrong results; calls after it, from the same state, are right. What ran in it "
        "alone is no longer there to be exchanged: see Recompiles for what it compiled, in order."
    )


@contextlib.contextmanager
def drawing_as_eager(
    program: EditedProgram, edits: tuple[Edit, ...], report_progress: ReportProgress
) -> Iterator[EditedProgram]:
    """The program; one that draws random numbers is compiled once more, beside it, so that it draws eager's."""
    if not program.base.graphs_that_draw():
        yield program
        return
    with settings.eager_random():
        capture = program.base.capture
        report_progress("Compiling the program with eager's random numbers, to look for the cause")
        other = EditedProgram(make_capture(capture.spec, f"{capture.id} cause", report_progress, alone=False))
        if edits:
            other.recompile(edits, f"{capture.id} cause edited", report_progress)
        yield other


def _search(search: Search) -> CauseFound:
    """The results are known to be wrong as compiled."""
    if search.edits and (found := _by_edit(search)) is not None:
        return found
    level, before = _first_wrong_level(search)
    if level == DYNAMO:
        return search_dynamo(search, parts_of(search.program, DYNAMO))
    part = _first_wrong_part(search, before, level)
    if part is None:
        return search.not_found(
            f"The results are wrong with {_WORDS[level]}, but with no single graph run so and the others as before."
        )
    if level == AOT:
        found = search_autograd(search, part)
    elif level == COMPILED:
        found = search_inductor(search, part)
    else:
        found = _wrong_pass(search, part, level)
    return _repeated(search, found, part, before, level)


def _by_edit(search: Search) -> CauseFound | None:
    """Where the program is right without its edits: the one that makes it wrong, if it is one of generated text."""
    program, edits = search.program, search.edits

    def judged(count: int) -> Judged:
        some = edits[:count]
        bring(program, some, search.report_progress)
        return RightResults(program, some, "float64").step()

    def with_first(count: int) -> bool | None:
        return search.ask(f"with the first {count} of {len(edits)} edits", lambda: judged(count))

    try:
        without = with_first(0)
        if without is not False:
            search.notes += ["It is wrong without the edits too."] if without else []
            return None
        right, bad = first_wrong(len(edits), with_first)
        if bad - right > 1:
            return None
    finally:
        bring(program, edits, search.report_progress)
    edit = edits[bad - 1]
    if not keeps_graphs(edit):
        search.notes.append(f"It is right without the edit “{describe_edit(edit)}”.")
        return None
    return search.found(
        f"Your edit “{describe_edit(edit)}” makes it wrong: without it, the results are right.", "edit"
    )


def _first_wrong_level(search: Search) -> tuple[str, str]:
    """(the first level at which the results are wrong, the last before it that could be run)."""
    program, before = search.program, ""
    for level in LEVELS[:-1]:
        parts = parts_of(program, level)
        stages = tuple(dict.fromkeys(stage for part in parts for stage in _proven_by(part, level)))
        around = functools.partial(at_levels, program, search.edits, functools.partial(_same_for_all, level))
        wrong = search.run(_WORDS[level], around, stages)
        if wrong:
            return level, before
        if wrong is False:
            search.excluded(*stages)
            before = level
    return COMPILED, before


def _first_wrong_part(search: Search, before: str, level: str) -> GraphPart | None:
    """The graph, or the half of one, that makes the step wrong at a level when those after it are still as at the level
    before.
    """
    if not before:
        return None
    program = search.program
    halves = level in OF_HALVES and before in OF_HALVES
    parts = parts_of(program, level if halves else DYNAMO)

    def wrong(count: int) -> bool | None:
        late = {(part.compile_id, part.part) for part in parts[:count]}

        def level_of(part: GraphPart) -> str:
            if part.half is None and halves:
                return level
            return level if (part.compile_id, part.part if halves else "") in late else before

        names = ", ".join(part.name for part in parts[:count][-3:])
        what = (
            f"{count} of {len(parts)} graphs {_short(level)} (the last: {names}), the others {_short(before)}"
        )
        return search.run(what, lambda: at_levels(program, search.edits, level_of))

    if len(parts) == 1:
        return parts[0]
    right, bad = first_wrong(len(parts), wrong)
    search.excluded(*(part.stage(level) for part in parts[:right]))
    return parts[bad - 1] if bad - right == 1 else None


def _proven_by(part: GraphPart, level: str) -> tuple[StageId, ...]:
    """What is proven right where the results are right at a level: its graph, and what lies just before it."""
    before = {DYNAMO: (rewritten_id(part.compile_id),), AOT: (dynamo_graph_id(part.compile_id, "joint"),)}
    return (*before.get(level, ()), part.stage(level))


def _same_for_all(level: str, part: GraphPart) -> str:
    return level


def _short(level: str) -> str:
    words = {
        DYNAMO: "as Dynamo traced them",
        PRE_GRAD: "after pre-grad passes",
        AOT: "as AOTAutograd made them",
    }
    return words.get(level, "after post-grad passes" if level == POST_GRAD else "as compiled")


def _wrong_pass(search: Search, part: GraphPart, level: str) -> CauseFound:
    """The pass of a graph after which it is wrong."""
    stage = part.stage(level)
    passes = ReplayedPasses(search.program, part, level, search.edits)
    total = len(passes.runs)
    seen = next((row for row in run_and_see(search.program, search.edits) if row.stage == stage), None)

    def after(count: int) -> bool | None:
        def around() -> contextlib.AbstractContextManager[None]:
            return _after_passes(search, part, level, passes, count)

        return search.run(f"{part.name} after {count} of {total} {_name(level)} passes", around)

    if not total:
        return search.not_found(
            f"The graph {part.name} is wrong after its {_name(level)} passes, none of which was recorded."
        )
    right, bad = first_wrong(total, after)
    run = passes.runs[bad - 1]
    inputs = seen.inputs if seen is not None else None
    wrong_node = passes.first_wrong_node(bad - 1, inputs) if inputs is not None else None
    nodes = (wrong_node.made,) if wrong_node is not None else tuple(node.id for node in run.made)
    pattern = pattern_of(run)
    node = next((row for row in reversed((*run.made, *run.changed)) if row.id in nodes and row.stack), None)
    path, line = (node.stack[-1].path, node.stack[-1].line) if node is not None else ("", None)
    words = f"{run.name}, by its pattern {pattern}," if pattern else run.name
    where = f" ({path.rpartition('/')[2]}:{line})" if line else ""
    what = (
        f"puts {wrong_node.made} in the place of {wrong_node.replaced}{where}, which gives something else"
        if wrong_node is not None
        else f"changes what the graph computes at {', '.join(nodes[:4])}{where}"
    )
    unsure = (
        ""
        if bad - right == 1
        else f" (or one of the {bad - right - 1} passes before it, which could not be run)"
    )
    return search.found(
        f"The {_name(level)} pass {words}{unsure} {what}.",
        "pass",
        graph=part.compile_id,
        part=part.part,
        stage=stage,
        name=pattern or run.name,
        nodes=nodes,
        path=path,
        line=line,
    )


@contextlib.contextmanager
def _after_passes(
    search: Search, part: GraphPart, level: str, passes: ReplayedPasses, count: int
) -> Iterator[None]:
    """Every graph as before the passes, and this one after so many of them."""
    module = passes.module(count)
    before = DYNAMO if level == PRE_GRAD else AOT
    with contextlib.ExitStack() as stack:
        stack.enter_context(at_levels(search.program, search.edits, lambda other: before))
        if part.half is None:
            install(stack, part.graph, interpreted_graph(module, part.graph, False, contextlib.nullcontext))
        else:
            own = interpreted_unit(module, part.half, False, contextlib.nullcontext)
            stack.callback(part.half.swap, part.half.swap(own))
        yield


def _name(level: str) -> str:
    return "pre-grad" if level == PRE_GRAD else "post-grad"


def _repeated(search: Search, found: CauseFound, part: GraphPart, before: str, level: str) -> CauseFound:
    """Wrong with this part at its level, right with it at the one before, and that in turn: how sure it is."""
    if not found.kind:
        return found
    program = search.program

    def judged(own: str) -> Judged:
        def level_of(other: GraphPart) -> str:
            mine = other.compile_id == part.compile_id and part.part in ("", other.part)
            if other.half is None and own in OF_HALVES and before in OF_HALVES:
                return own
            return own if mine else before

        with at_levels(program, search.edits, level_of):
            return search.right.step()

    search.report_progress("Looking for the cause: once more, in turn")
    repeated = 0
    off, without = found.off, found.off_without
    for _ in range(_TIMES):
        with_it, without_it = judged(level), judged(before)
        off, without = with_it.off, without_it.off
        if not with_it.wrong or without_it.wrong:
            break
        repeated += 1
    return msgspec.structs.replace(found, repeated=repeated, off=off, off_without=without)
