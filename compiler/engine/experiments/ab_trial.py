"""Changes tried on a copy: the program with and without them, live side by side in one process.

Both are captured cold, judged against the unchanged program in eager mode and in float64, and timed interleaved.
"""

import contextlib
import io
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import torch

from compiler.engine.accuracy.cancelled_terms import marked
from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.accuracy.tolerance import compare
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError, problem_from
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.guards.later_steps import repeated, watched
from compiler.engine.measuring.interleaved_timing import InPlace, interleave
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.input_overrides import argument_at
from compiler.engine.user_program.input_resizing import resized, resized_everywhere
from compiler.engine.user_program.program import Program
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.guards import first_reason
from compiler.model.capture.program_changes import Change
from compiler.model.experiments.trials import DimensionTrial, SizeRun, Trial, TrialSide
from compiler.model.graph_breaks.ranked_breaks import break_count
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.progress import Doing, Phase, Step, prefixed
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.timings import summarise
from compiler.model.timing.verdicts import Comparison

ReportProgress = Callable[[str], None]
_SECONDS = 2.0


def try_changes(
    spec: CaptureSpec,
    changes: tuple[Change, ...],
    dimension: DimensionTrial | None,
    report_progress: ReportProgress,
) -> Trial:
    """The program as in `spec` beside the same with more changes. Raises EngineError where it cannot be captured."""
    if not changes:
        raise EngineError("There is no change to try.", "Choose a remedy.")
    before = make_capture(spec, "before", lambda text: report_progress(prefixed("As it is", text)))
    wanted = msgspec.structs.replace(spec, changes=(*spec.changes, *changes))
    after = make_capture(
        wanted,
        "after",
        lambda text: report_progress(prefixed("With the change", text)),
        alone=False,
    )
    notes = share_values(before.program, after.program)
    failed = bool(after.capture.failures())
    comparisons: list[Comparison] = []
    times: list[list[int]] = [[], [], []]
    load = MachineLoad()
    if not failed:
        report_progress(Doing("Comparing results", Step(Phase.JUDGING)))
        comparisons, more = _compared(wanted, before, after, report_progress)
        notes += more
        report_progress(Doing("Timing before and after interleaved", Step(Phase.TIMING)))
        sides = [(before, before.program.callable), (before, before.compiled), (after, after.compiled)]
        load = MachineLoad()
        if why := _still_compiling(before) or _still_compiling(after):
            notes.append(f"Steps were not timed, since each call compiles again: {why}.")
        else:
            times = time_interleaved(sides)
    others = load.others()
    sizes = ((), ()) if dimension is None else _sizes(before, after, dimension, report_progress, failed)
    eager, first, second = times
    return Trial(
        changes,
        side_of(before, first, sizes[0], failed=False),
        side_of(after, second, sizes[1], failed),
        after.capture,
        before.capture,
        paired_ratio(first, second, others),
        summarise(eager),
        tuple(comparisons),
        tuple(notes),
    )


def _compared(
    wanted: CaptureSpec, before: LiveCapture, after: LiveCapture, report_progress: ReportProgress
) -> tuple[list[Comparison], list[str]]:
    notes = []
    judged, stepper = after, before.stepper
    reference = eager_reference(before.program, stepper)
    if after.graphs_that_draw():
        report_progress("Compiling with eager's random numbers, to compare results")
        with settings.eager_random():
            judged = make_capture(wanted, "judged", report_progress, alone=False)
        share_values(before.program, judged.program)
        notes.append(
            "Random numbers: for this comparison the changed program was compiled with fallback_random=True, so that "
            "eager and compiled draw the same ones."
        )
    with judged.changes.active():
        results = judged.stepper.compared_step(judged.compiled)
    rows = [compare("changed", results, "eager, unchanged", reference.eager)]
    if reference.exact is None:
        return rows, [*notes, reference.nothing_exact]
    rows.append(reference.judge("changed", results, "float64, unchanged"))
    return [marked(row, reference.eager, reference.exact) for row in rows], notes


def time_interleaved(
    sides: list[tuple[LiveCapture, Callable[..., Any]]], seconds: float = _SECONDS
) -> list[list[int]]:
    """Nanoseconds of whole steps of each side, interleaved."""
    clock = step_clock()

    def step(live: LiveCapture, function: Callable[..., Any]) -> int:
        place.put(live.changes.active)
        return live.stepper.timed(function, clock).nanoseconds

    with contextlib.ExitStack() as stack, InPlace() as place:
        for live in {id(live): live for live, _ in sides}.values():
            stack.enter_context(unchanged_state(live.program))
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        return interleave([partial(step, *side) for side in sides], seconds, warm_up=5, fewest=7, most=300)


def _still_compiling(live: LiveCapture) -> str:
    """The guard for which the last of a few calls compiled again; empty where none did."""
    last = repeated(live)[-1]
    return (first_reason(last.recompiles) or "no earlier code fits") if last.recompiles else ""


def _sizes(
    before: LiveCapture,
    after: LiveCapture,
    wanted: DimensionTrial,
    report_progress: ReportProgress,
    failed: bool,
) -> tuple[tuple[SizeRun, ...], tuple[SizeRun, ...]]:
    report_progress("Calling it with other sizes")
    rows: list[tuple[SizeRun, ...]] = []
    for live in (before, after):
        with live.changes.active(), unchanged_state(live.program):
            skip = failed and live is after
            rows.append(
                () if skip else tuple(_size_run(live, wanted, size, report_progress) for size in wanted.sizes)
            )
    return rows[0], rows[1]


def _size_run(
    live: LiveCapture, wanted: DimensionTrial, size: int, report_progress: ReportProgress
) -> SizeRun:
    """Call the compiled program with one size, and see what had to be compiled."""
    made = fitting_arguments(live.program, wanted, size)
    if made is None:
        return SizeRun(size, problem="The program itself fails with this size.")
    args, kwargs = made
    recorder = Recorder(lambda text: report_progress(prefixed(f"Size {size}", text)))
    try:
        with torch.set_grad_enabled(live.stepper.options.gradients):
            watched(recorder, partial(live.compiled, *args, **kwargs))
    except Exception as error:  # noqa: BLE001  what torch.compile raises for a size is the answer
        return SizeRun(size, problem=problem_from(error, "torch.compile fails", "").what)
    frames = recorder.frames
    reasons = [
        reason
        for frame in frames
        for reason in frame.recompile_reasons[:1] or ((frame.error,) if frame.error else ())
    ]
    return SizeRun(size, tuple(frame.id for frame in frames), tuple(dict.fromkeys(reasons)))


def fitting_arguments(
    program: Program, wanted: DimensionTrial, size: int
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Arguments with which the program runs by itself: the one resized, else every dimension of the same size."""
    one = resized(program, wanted.argument, wanted.dimension, size)
    old = _size_of(program, wanted)
    for args, kwargs in (one, *([resized_everywhere(program, old, size)] if old else ())):
        try:
            with torch.no_grad(), unchanged_state(program), contextlib.redirect_stdout(io.StringIO()):
                program.callable(*args, **kwargs)
        except Exception:  # noqa: BLE001  a program need not take every size
            continue
        return args, kwargs
    return None


def _size_of(program: Program, wanted: DimensionTrial) -> int:
    return int(argument_at(program, wanted.argument).shape[wanted.dimension])


def side_of(live: LiveCapture, times: list[int], sizes: tuple[SizeRun, ...], failed: bool) -> TrialSide:
    """What a capture turned out to be; `times` are nanoseconds of its steps."""
    capture = live.capture
    graphs = capture.of_kind(StageKind.DYNAMO_GRAPH)
    ops = sum(
        node.op in ("call_function", "call_method", "call_module")
        for stage in graphs
        for node in (stage.graph.nodes if stage.graph else ())
    )
    kernels = sum(len(stage.kernels) for stage in capture.stages)
    return TrialSide(
        break_count(capture),
        len(graphs),
        ops,
        kernels,
        sum(not frame.skip_reason for frame in capture.frames if not frame.id.startswith("skipped")),
        capture.seconds,
        summarise(times),
        sizes,
        capture.problems,
        "" if failed else _printed(live),
    )


def _printed(live: LiveCapture) -> str:
    """What one compiled call prints from Python."""
    heard = io.StringIO()
    with live.changes.active(), unchanged_state(live.program), contextlib.redirect_stdout(heard):
        try:
            live.stepper.step(live.compiled, backward=False)
        except Exception as error:  # noqa: BLE001  reported with the trial's problems where it matters
            return problem_from(error, "failed", "").what
    return heard.getvalue()
