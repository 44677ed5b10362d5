"""One capture: the real torch.compile of the user's program with every stage listening."""

import copy
import dataclasses
import re
import time
import types
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, cast

import msgspec
import torch

from compiler.engine.capture.assemble import (
    dynamo_graph_stages,
    final_dynamo_graphs,
    guards_of,
    program_stages,
    recompiles_of,
)
from compiler.engine.capture.assemble_passes import FoundPasses, passes_of
from compiler.engine.capture.breaks import breaks_of
from compiler.engine.capture.frames import frames_of, variables_of
from compiler.engine.capture.option_notes import option_notes, own_compile_notes, require_options
from compiler.engine.capture.partial_results import EarlyStages, Emit, GraphCopies
from compiler.engine.capture.reading import GraphReadings
from compiler.engine.capture.second_call import not_run_again
from compiler.engine.errors import EngineError, problem_from
from compiler.engine.file_ownership import innermost
from compiler.engine.provenance.caller_links import caller_links
from compiler.engine.provenance.stack_links import stack_links
from compiler.engine.quiet_logs import no_failed_meta
from compiler.engine.records.recorder import Recorder
from compiler.engine.records.wrapper_kernels import kernels_by_source
from compiler.engine.rng.random_ops import is_random
from compiler.engine.stages.python_bytecode import code_stages_of
from compiler.engine.torch_internals.dispatcher.thread_state import thread_put_back
from compiler.engine.torch_internals.dynamo_guards.process_state import ProcessState
from compiler.engine.torch_internals.dynamo_guards.recorded_inputs import RecordedInputs
from compiler.engine.torch_internals.live.live_graphs import LiveProgram
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.rare_collections import rare_collections
from compiler.engine.torch_internals.patch.wrapped_tensors import levels_left
from compiler.engine.torch_internals.registry.listening import listening
from compiler.engine.user_program.applied_changes import AppliedChanges, ChangedProgram, load_changed
from compiler.engine.user_program.checked_loading import (
    fails_on_gpu,
    fails_with_gradients,
    goes_back,
    goes_without_gradients,
    on_cpu,
    programs_failure,
    without_gradients,
)
from compiler.engine.user_program.environment import find_environment
from compiler.engine.user_program.input_overrides import frame_arguments
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.program_state import ProgramState
from compiler.engine.user_program.stepper import Results, Stepper, program_state, state_of
from compiler.engine.user_program.torch_settings import allowed_tf32
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.progress import Doing, Phase, Step

_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_MOST_KEPT = 2**30
"""Bytes of results and gradients of which a copy is kept."""


@dataclasses.dataclass(kw_only=True)
class CompiledGraphs:
    """A capture with torch's graphs behind it, of a program that runs here or by itself: what edits work on."""

    capture: Capture
    live: LiveProgram
    recorder: Recorder

    def graphs_that_draw(self) -> tuple[str, ...]:
        """Compile ids of graphs that draw random numbers."""
        return tuple(
            dynamo_graph.record.compile_id
            for dynamo_graph in self.live.dynamo_graphs
            if any(is_random(node) for node in dynamo_graph.dynamo_module.graph.nodes)
        )


@dataclasses.dataclass(kw_only=True)
class LiveCapture(CompiledGraphs):
    """A capture with the program behind it: what timings and verdicts work on."""

    program: Program
    stepper: Stepper
    compiled: Callable[..., Any]
    changes: AppliedChanges
    """To be active around everything that compiles or runs the program."""
    compiling: Results | None = None
    """What the call gave in which torch compiled, copied to the CPU before the program's state was put back."""
    compiling_unknown: str = ""
    """Why that was not kept, as a clause."""
    met: tuple[types.CodeType, dict[str, RecordedInputs]] | None = None
    """The frame that was asked for last, and what its compiled codes were called with, by compile id."""


@rare_collections()
def make_capture(
    spec: CaptureSpec,
    capture_id: CaptureId,
    report_progress: Callable[[str], None],
    alone: bool = True,
    emit: Emit | None = None,
) -> LiveCapture:
    """Load the target, compile and run it, and read every stage. Raises EngineError.

    Torch's compiled code is global: a capture that is not `alone` leaves that of earlier ones working, and its compile
    ids go on from theirs. What is generated is reported before it is built.
    """
    report_progress(Doing(f"Loading {spec.target.name}", Step(Phase.LOADING)))
    if alone:
        settings.forget_compiled_code()
    ready = load_changed(spec, lambda changes: require_options(changes.options))
    recorder = Recorder(report_progress)
    recorder.live = live = LiveProgram()
    live.keeps_keys = True
    emitting = EarlyStages(emit)
    _emit_early(recorder, emitting, ready.spec, capture_id)
    compiled = _compile(ready.program, ready.options)
    first = _first_run(ready, compiled, recorder)
    if first.failed is not None and (error := _fails_eagerly(ready.stepper, report_progress)):
        if goes_without_gradients(ready.program, ready.spec, error):
            forward = make_capture(without_gradients(spec), capture_id, report_progress, alone, emit)
            return _with_notes(forward, fails_with_gradients(error))
        if not goes_back(error, ready.unasked):
            raise EngineError(
                programs_failure(error, ready.unasked, ready.program, ready.spec.run)
            ) from error
        at_home = make_capture(on_cpu(spec), capture_id, report_progress, alone, emit)
        return _with_notes(at_home, fails_on_gpu(error))
    phases = live.phases.phases(kernels_by_source(recorder.dynamo_graphs))
    report_progress(Doing("Reading the stages", Step(Phase.READING)))
    capture = msgspec.structs.replace(
        read_capture(ready.spec, capture_id, recorder),
        seconds=first.seconds - emitting.spent,
        problems=(*_problems(first.failed, ready, recorder), *first.once, *ready.notes),
        arguments=frame_arguments(recorder.top_locals),
        phases=phases,
        measured=tuple(recorder.measured),
    )
    _drop_replaced(live, recorder)
    return LiveCapture(
        capture=capture,
        live=live,
        recorder=recorder,
        program=ready.program,
        stepper=ready.stepper,
        compiled=compiled,
        changes=ready.changes,
        compiling=first.results,
        compiling_unknown=first.unknown,
    )


class _FirstRun(NamedTuple):
    """The step in which torch compiled."""

    failed: Problem | None
    seconds: float
    results: Results | None
    unknown: str
    """Why there are no results, as a clause."""
    once: tuple[Problem, ...]
    """That what was compiled runs no second time."""


def _first_run(ready: ChangedProgram, compiled: Callable[..., Any], recorder: Recorder) -> _FirstRun:
    """Run one step, which compiles. What runs later begins where this began, or it would not meet the graphs that were
    compiled.
    """
    program = ready.program
    untouched = program_state(program)
    recorder.live.phases.restart()  # what was made ready until now is no part of the compile
    started = time.perf_counter()
    with settings.capturing(), listening(recorder), ready.changes.active(), no_failed_meta():
        with torch.set_grad_enabled(ready.stepper.options.gradients):
            before = ProcessState()
        given, failed = _run_compiled(ready.stepper, compiled, ready.options)
        seconds = time.perf_counter() - started
        with torch.set_grad_enabled(ready.stepper.options.gradients):
            once = not_run_again(recorder, before) if failed is None else ()
    kept, unknown = _kept(given, untouched)
    untouched.restore()
    return _FirstRun(failed, seconds, kept, unknown, once)


def _problems(failed: Problem | None, ready: ChangedProgram, recorder: Recorder) -> tuple[Problem, ...]:
    """What there is to report of the whole capture."""
    found = [failed] if failed is not None else []
    if failed is None and ready.options.disable:
        what = "disable=True: torch.compile did nothing."
        found.append(Problem(what, "Capture without it.", severity=Severity.NOTE))
    return (
        *found,
        *option_notes(ready.options),
        *own_compile_notes(ready.program.as_given, ready.options),
        *_faults(recorder),
        *_graph_notes(recorder),
        *_skips(recorder),
    )


def _drop_replaced(live: LiveProgram, recorder: Recorder) -> None:
    """Keep the live objects of those graphs only that the capture shows."""
    kept = {id(dynamo_graph) for dynamo_graph in final_dynamo_graphs(recorder)}
    live.dynamo_graphs = [
        dynamo_graph for dynamo_graph in live.dynamo_graphs if id(dynamo_graph.record) in kept
    ]


def read_capture(
    spec: CaptureSpec, capture_id: CaptureId, recorder: Recorder, readings: GraphReadings | None = None
) -> Capture:
    """Everything the recorder holds as one plain value; with `readings` graphs that did not change are not read again."""
    readings = readings or GraphReadings()
    code_stages = code_stages_of(recorder)
    stages, links = program_stages(recorder, code_stages)
    frames = {frame.id: frame for frame in recorder.frames}
    for dynamo_graph in final_dynamo_graphs(recorder):
        frame = frames.get(dynamo_graph.compile_id)
        read = partial(dynamo_graph_stages, dynamo_graph, frame, code_stages)
        more, more_links = readings.read("stages", dynamo_graph, frame, read)
        stages += more
        links += more_links
    links += stack_links(stages, links)
    links += caller_links(stages, {name: frame.callers for name, frame in frames.items()}, links)
    breaks = breaks_of(recorder, code_stages)
    passes = FoundPasses()
    for dynamo_graph in final_dynamo_graphs(recorder):
        passes.add(readings.read("passes", dynamo_graph, None, partial(passes_of, dynamo_graph)))
    recorder.faults += [*passes.faults, *code_stages.faults()]
    return Capture(
        id=capture_id,
        spec=spec,
        environment=find_environment(),
        stages=stages,
        links=links,
        frames=frames_of(recorder, code_stages, breaks),
        breaks=breaks,
        guards=guards_of(recorder),
        recompiles=recompiles_of(recorder),
        passes=tuple(passes.runs),
        pass_starts=tuple(passes.starts),
        fusions=tuple(passes.fusions),
        variables=variables_of(recorder),
        tf32=allowed_tf32(spec.device),
    )


def _graph_notes(recorder: Recorder) -> list[Problem]:
    """What became of CUDA graphs, where they were asked for; `_skips` reports those with a line."""
    return [
        Problem(
            note.words(), "A timing run replays graphs, and says what that saves.", severity=Severity.NOTE
        )
        for note in dict.fromkeys(recorder.cuda_graphs)
        if note.recorded or not any(note.reason in text for text in recorder.cudagraph_skips)
    ]


def _emit_early(recorder: Recorder, emitting: EarlyStages, spec: CaptureSpec, capture_id: CaptureId) -> None:
    """Let each stage be told when it is made; finished graphs stand as they are, the last one as far as it is."""
    copies, readings = GraphCopies(), GraphReadings()

    def read() -> Capture:
        early = copy.copy(recorder)
        early.faults = []
        early.dynamo_graphs = [copies.of(recorded, recorder) for recorded in recorder.dynamo_graphs]
        return read_capture(spec, capture_id, early, readings)

    def generated(sources: tuple[str, ...]) -> None:
        with recorder.reading("the stages before their kernels are built"):
            dynamo_graph = recorder.dynamo_graph or final_dynamo_graphs(recorder)[-1]
            inductor_graphs = [
                (dynamo_graph.compile_id, inductor_graph) for inductor_graph in dynamo_graph.inductor_graphs
            ]
            emitting.emit(sources, inductor_graphs, read)

    def made() -> None:
        with recorder.reading("the stages made so far"):
            emitting.emit_made(read)

    def met() -> None:
        with recorder.reading("what Dynamo has read so far"):
            emitting.emit_while_reading(read)

    recorder.generated, recorder.made, recorder.met = generated, made, met


def _faults(recorder: Recorder) -> list[Problem]:
    """What this torch keeps elsewhere than we look; the rest of the capture is whole."""
    remedy = f"The rest of the capture is whole. This is torch {torch.__version__}; please report it."
    return [
        Problem(f"Something could not be read: {fault}", remedy, severity=Severity.NOTE)
        for fault in dict.fromkeys(recorder.faults)
    ]


def _skips(recorder: Recorder) -> list[Problem]:
    """CUDA graphs that torch did without, in its words, with the line it names."""
    found = []
    for message in dict.fromkeys(recorder.cudagraph_skips):
        first = message.strip().split("\n")[0].partition(". Found from")[0].rstrip(". ")
        first = first[:1].upper() + first[1:]
        lines = [(path, int(line)) for path, line in _LINE.findall(message)]
        path, line = innermost(lines, lambda item: item[0]) or ("", None)
        remedy = "What the mode or option asks for beside CUDA graphs still counts."
        found.append(Problem(f"{first}.", remedy, path, line, Severity.NOTE, detail=message.strip()))
    return found


def _compile(program: Program, options: CompileOptions) -> Callable[..., Any]:
    try:
        with settings.isolated() as alone:
            compiled: Callable[..., Any] = torch.compile(
                program.callable,
                fullgraph=options.fullgraph,
                dynamic=options.dynamic,
                backend=options.backend,
                mode=options.mode,
                options=cast("dict[str, Any]", dict(options.options)) or None,
                disable=options.disable,
                **_newer_arguments(options) | alone,
            )
    except Exception as error:
        raise EngineError(_not_compiled(error)) from error
    return compiled


def _not_compiled(error: Exception) -> Problem:
    if getattr(torch.compile, "__module__", "") != "torch":  # a program may put something else there
        doing = "What the program put in the place of torch.compile fails"
        return problem_from(error, doing, "Correct it and capture again.")
    return problem_from(error, "torch.compile did not take these options", "Correct them and capture again.")


def _newer_arguments(options: CompileOptions) -> dict[str, Any]:
    """What not every torch takes, where it is asked for."""
    wanted = {
        "recompile_limit": options.recompile_limit,
        "isolate_recompiles": options.isolate_recompiles or None,
        "name": options.name,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _fails_eagerly(stepper: Stepper, report_progress: Callable[[str], None]) -> Exception | None:
    """What failed under torch.compile may fail without it, from the same state: the program's own errors are then reported as its own."""
    report_progress("Running the program once without torch.compile, since it failed with it")
    try:
        stepper.compared_step(stepper.program.callable)
    except Exception as error:  # noqa: BLE001  a program raises what it likes
        return error
    return None


def _with_notes(live: LiveCapture, *notes: Problem) -> LiveCapture:
    """With the reason why it is captured otherwise than was asked."""
    live.capture = msgspec.structs.replace(live.capture, problems=(*live.capture.problems, *notes))
    return live


def _kept(given: Results | None, state: ProgramState) -> tuple[Results | None, str]:
    """(copies, why there are none): what is put back may be what the program returned, and a GPU has no room to spare."""
    if given is None:
        return None, "the call that compiled raised"
    try:
        changed, unchanged = state_of(state)
        tensors = given.tensors | changed
        size = sum(tensor.nbytes for tensor in tensors.values())
        if size > _MOST_KEPT:
            return None, f"what the call that compiled gave takes {size / 2**30:.1f} GiB, too much for a copy"
        copies = {name: tensor.to("cpu", copy=True) for name, tensor in tensors.items()}
        return Results(copies, unchanged=unchanged), ""
    except Exception as error:  # noqa: BLE001  a tensor may be of a kind that cannot be copied
        return None, f"what the call that compiled gave cannot be copied ({type(error).__name__})"


def _run_compiled(
    stepper: Stepper, compiled: Callable[..., Any], options: CompileOptions
) -> tuple[Results | None, Problem | None]:
    """The first run, which compiles: one step, as a training step or a call would be. With ``fullgraph`` a break is an
    error; what was captured until then is kept.
    """
    torch.manual_seed(stepper.options.seed)
    problem: Problem | None = None
    try:
        with levels_left(), thread_put_back():
            try:
                return stepper.step(compiled), None
            except Exception as error:
                problem = _failure(
                    error, options
                )  # while the frames of its traceback hold what they worked on
                raise
    except Exception as error:  # noqa: BLE001  reported as a problem of the capture, which keeps what it has
        return None, problem or _failure(error, options)


def _failure(error: Exception, options: CompileOptions) -> Problem:
    fullgraph = "fullgraph=True" if options.fullgraph else "torch.compile"
    remedy = (
        "Remove the break (see the graph breaks), or capture without fullgraph."
        if options.fullgraph
        else "The stages before the failure are shown; the message is torch's."
    )
    return problem_from(error, f"The program fails under {fullgraph}", remedy)
