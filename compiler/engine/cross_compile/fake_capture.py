"""A capture whose tensors are fakes: for a GPU that this machine does not have, or without values.

Nothing is allocated on a device and no kernel runs. The hooks are those of every capture; the process does nothing else,
for a GPU it must be one that `pretend` was called in, and it is good for one target.
"""

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
import torch

from compiler.engine.capture.capture import LiveCapture, read_capture
from compiler.engine.cross_compile.attention_biases import refused_masks
from compiler.engine.cross_compile.fake_loading import load_as_fakes, value_wanted
from compiler.engine.cross_compile.mixed_products import mixed_products
from compiler.engine.cross_compile.parallel.other_ranks import other_ranks
from compiler.engine.cross_compile.parallel.spread import Spread, checkpoint_units, spread
from compiler.engine.cross_compile.step_on_fakes import (
    StepOnFakes,
    first_step,
    join_world,
    reported_launches,
)
from compiler.engine.cross_compile.values_on_cpu import values_on_cpu, values_on_fakes
from compiler.engine.error_chain import chain
from compiler.engine.errors import EngineError, own_failure, problem_from, said, users_place
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.distributed.rank_queries import RankQueries, ReadVariables
from compiler.engine.torch_internals.fake_gpu import measured_choices
from compiler.engine.torch_internals.fake_gpu.fake_backend import (
    compiled_but_run_on_fakes,
    fake_mode,
    optimizers_made_of_fakes,
    wants_a_value,
)
from compiler.engine.torch_internals.fake_gpu.module_conversion import as_of_real_tensors
from compiler.engine.torch_internals.fake_gpu.values.assumed_values import (
    AssumingMode,
    TwoTypesError,
    arrays_by_value,
    formatted_by_value,
)
from compiler.engine.torch_internals.fake_gpu.values.found_values import FoundValues
from compiler.engine.torch_internals.inductor.forked_backward import forked_backward
from compiler.engine.torch_internals.live.live_graphs import LiveProgram
from compiler.engine.torch_internals.memoized.all_of_them import memoized
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.patch.copied_fakes import copies_of_fakes
from compiler.engine.torch_internals.registry.listening import listening
from compiler.engine.torch_internals.simulated_step import wrappers_on_fakes
from compiler.engine.torch_internals.simulated_step.wrappers_on_fakes import Wrappers
from compiler.engine.user_program.applied_changes import AppliedChanges
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import DYNAMO
from compiler.model.capture.gpu_assumptions import CONFIGURATION, VALUE, Assumed, without_repeats
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.prediction.parallel_plan import StepOptions

_NO_GPU = re.compile(
    "requires CUDA|CUDA library MUST be loaded|dummy base class|without ATen_cuda|not compiled with CUDA|(?:CUDA|NVIDIA) driver|CUDA error"
    "|has no attribute '_cuda|NVTX functions not installed|Backend doesn't support"
)
"""How torch refuses what only a GPU's driver can do."""
_TWO_DEVICES = re.compile(r"on the same device|(?i:device mismatch)|two different devices")
"""How torch says it, by release."""
_BUILT_KERNELS = re.compile("CudaKernelParamCache not populated")
_BUILT_FIRST = f"With cpp_wrapper, torch {torch.__version__} writes into the wrapper what only kernels tell that were built on the GPU"
_CONFIGURATION = Assumed(
    CONFIGURATION,
    "Of a kernel's candidate configurations the GPU measures, at the first launch, which is the fastest; what is lowered "
    "is the first of them.",
)

_WITH_VALUES = (
    "If it fails so on the GPU, correct it or its inputs. If it wants the GPU there, say what it finds where it asks after that "
    "(--assume, in the form: assume)."
)
_CORRECT = "Correct it or its inputs. The stages before the failure are shown."


class _StepperOnFakes(Stepper):
    """A direction is drawn for real otherwise, in the size of the output."""

    def _tangent(self, index: int, value: torch.Tensor) -> torch.Tensor:
        return torch.empty(value.shape, dtype=value.dtype, device=value.device)


class _Ending:
    """What ended a program's run on fakes, if anything did."""

    def __init__(self, spec: CaptureSpec) -> None:
        self._spec = spec
        self.error: Exception | None = None
        self.problems: list[Problem] = []

    def fail(self, error: Exception) -> None:
        self.error = error
        self.problems.append(_failure(error, self._spec))


def edited_on_fakes(
    live: LiveCapture, edits: tuple[Edit, ...], new_id: CaptureId, report_progress: Callable[[str], None]
) -> Capture:
    """What a capture on fakes becomes with edits, compiled from the edited stages on. Raises EngineError."""
    edited = EditedProgram(live).recompile(edits, new_id, report_progress)
    edited = msgspec.structs.replace(edited, step=None, other_ranks=None)  # which were of the code before
    reported = [row for row in live.capture.assumed if row.what.startswith(VALUE)]
    return _reported(edited, edited.seconds, (), reported)


def capture_on_fakes(
    spec: CaptureSpec,
    capture_id: CaptureId,
    report_progress: Callable[[str], None],
    to_be_edited: bool = True,
) -> LiveCapture:
    """Load the target as fakes, for the GPU that `spec` names moved to it, and read every stage of its compilation. The
    live objects can be compiled again, not run; where it is not `to_be_edited` they may be missing, which takes less time.

    Raises EngineError.
    """
    if spec.compile.backend != "inductor" or spec.changes or spec.front_end != DYNAMO:
        why = "For an absent GPU" if spec.device is not None else "Without values"
        raise EngineError(
            f"{why}, only torch.compile with backend inductor and without changes is captured.",
            "Capture with the default backend, or with values on the CPU.",
        )
    nothing = FoundValues()
    captured = partial(_captured, spec, capture_id, report_progress, to_be_edited)
    live, ended_by = captured(nothing)
    asks_values = ended_by is not None and wants_a_value(ended_by)
    if asks_values and spec.without_values and spec.step is not None and spec.parallel is None:
        report_progress("Running the program without values, not compiled, for those that it asks for")
        if found := values_on_fakes(spec):
            settings.forget_compiled_code()
            live, ended_by = captured(found)
    if ended_by is None or spec.without_values:
        return live
    why = "for the values that it asks for" if asks_values else "since it failed"
    report_progress(f"Running the program once on the CPU, not compiled, {why}")
    found, failed = values_on_cpu(spec)
    if (asks_values or nothing.missed) and found and (asks_values or failed is None):
        settings.forget_compiled_code()
        live, ended_by = captured(found)
    if failed is None:
        return live
    reported = live.capture.problems
    here = ended_by is not None and users_place(failed) == users_place(ended_by)
    if ended_by is not None and here and not wants_a_value(ended_by) and not _says(_NO_GPU, failed):
        others = [row for row in reported if row.severity is not Severity.ERROR]
        live.capture = _reporting(live.capture, own_failure(failed, _CORRECT), *others)
    elif asks_values:
        live.capture = _reporting(live.capture, *reported, _failed_on_cpu(failed))
    return live


def _reporting(capture: Capture, *problems: Problem) -> Capture:
    return msgspec.structs.replace(capture, problems=problems)


def _failed_on_cpu(error: Exception) -> Problem:
    reported = problem_from(
        error, "Run on the CPU for the values that it asks for, the program fails", _WITH_VALUES
    )
    return msgspec.structs.replace(reported, severity=Severity.WARNING)


@contextlib.contextmanager
def _running(mode: AssumingMode) -> Iterator[None]:
    """Under fakes, with backward passes in this thread: torch runs those nodes of one that are on the GPU in a thread of their
    own beside those on the CPU, and a fake mode says for all threads at once whether an operator is running.
    """

    def launched(_name: str, given: Sequence[Any]) -> None:
        """What a kernel that did not run has written to is not known."""
        for value in given:
            if mode.known is not None:
                mode.known.forget(value)

    with mode, torch.autograd.set_multithreading_enabled(False), reported_launches(launched):
        yield


@contextlib.contextmanager
def _as_with_values(mode: AssumingMode) -> Iterator[None]:
    """What torch does otherwise with fakes than with tensors, where a program's own lines run."""
    with (
        as_of_real_tensors(),
        formatted_by_value(),
        arrays_by_value(),
        copies_of_fakes(),
        optimizers_made_of_fakes(mode),
    ):
        yield


def _captured(
    spec: CaptureSpec,
    capture_id: CaptureId,
    report_progress: Callable[[str], None],
    to_be_edited: bool,
    found: FoundValues,
) -> tuple[LiveCapture, Exception | None]:
    """The capture, and what ended it. `found`: what the program finds where it asks for values."""
    report_progress(f"Loading {spec.target.name}")
    mode = fake_mode(spec.compile.dynamic is True, spec.assume)
    mode.found = found
    asked = join_world(spec.parallel) if spec.parallel is not None else None
    wrappers = wrappers_on_fakes.install() if spec.step is not None or spec.parallel is not None else None
    with ReadVariables(asked) if asked is not None else contextlib.nullcontext():
        program = load_as_fakes(spec, mode)
    set_mode(program, spec.run)
    recorder = Recorder(report_progress)
    live = recorder.live = LiveProgram()
    ending = _Ending(spec)
    if wrappers is not None:
        made = _capture_with_step(spec, capture_id, program, mode, wrappers, recorder, asked, ending)
        return made, ending.error
    started = time.perf_counter()
    with _running(mode):
        stepper = _StepperOnFakes(program, spec.run)
        compiled = torch.compile(
            program.callable,
            fullgraph=spec.compile.fullgraph,
            dynamic=spec.compile.dynamic,
            backend=compiled_but_run_on_fakes(spec.compile),
        )
        noted = (measured_choices.assumed,)
        forked = contextlib.nullcontext() if to_be_edited else forked_backward(recorder, noted)
        with (
            settings.recompiling(backward=True),
            memoized(),
            _as_with_values(mode),
            listening(recorder),
            forked,
        ):
            torch.manual_seed(spec.run.seed)
            try:
                stepper.step(compiled)
            except Exception as error:  # noqa: BLE001  reported as a problem of the capture, which keeps what it has
                ending.fail(error)
    seconds = time.perf_counter() - started
    report_progress("Reading the stages")
    read = read_capture(spec, capture_id, recorder)
    made = LiveCapture(
        capture=_reported(read, seconds, (*ending.problems, *_at_once(recorder)), list(mode.assumed)),
        live=live,
        recorder=recorder,
        program=program,
        stepper=stepper,
        compiled=compiled,
        changes=AppliedChanges(program),
    )
    return made, ending.error


def _capture_with_step(
    spec: CaptureSpec,
    capture_id: CaptureId,
    program: Program,
    mode: AssumingMode,
    wrappers: Wrappers,
    recorder: Recorder,
    asked: RankQueries | None,
    ending: _Ending,
) -> LiveCapture:
    """The program spread as its plan says, compiled by the step it runs first; the second is written down. `asked`: what was
    made of the rank so far.
    """
    problems = ending.problems
    plan = spec.parallel
    device = "cuda" if spec.device is not None else "cpu"
    with _running(mode):
        options = spec.step or StepOptions()
        if options.checkpointed:
            checkpoint_units(program, plan)
        parts = spread(program, plan, device) if plan is not None else Spread(program, {})
        if asked is not None:
            asked.spreading = False
        step = StepOnFakes(spec, parts, wrappers)
        saving = settings.saving_at_most(options.budget)
        with (
            settings.recompiling(backward=True),
            memoized(),
            saving,
            _as_with_values(mode),
            listening(recorder),
        ):
            torch.manual_seed(spec.run.seed)
            seconds = first_step(step, ending.fail)
            if mode.found and not problems:
                first_step(step, ending.fail)  # what the first has set may lead to other graphs
            if not problems:
                recorder.report_progress("Running a step on fakes")
        with _as_with_values(mode):
            taken = step.simulate(mode, recorder) if not problems else None
        ending.error = ending.error or step.asked
    if taken is not None and taken.problem:
        what = f"No step could be run on fakes, so nothing is predicted: {taken.problem}"
        problems.append(Problem(what, "The stages are whole.", severity=Severity.WARNING))
    recorder.report_progress("Reading the stages")
    read = read_capture(spec, capture_id, recorder)
    capture = _reported(read, seconds, tuple(problems), list(mode.assumed))
    others = None
    if plan is not None and asked is not None and parts.program.module is not None and not problems:
        others = other_ranks(plan, parts.program.module, tuple(asked.rows))
    capture = msgspec.structs.replace(capture, step=taken, other_ranks=others)
    stepper = _StepperOnFakes(step.program, spec.run)
    return LiveCapture(
        capture=capture,
        live=recorder.live,
        recorder=recorder,
        program=step.program,
        stepper=stepper,
        compiled=step.compiled,
        changes=AppliedChanges(step.program),
    )


def _reported(
    capture: Capture, seconds: float, problems: tuple[Problem, ...], values: list[Assumed]
) -> Capture:
    """With what is to be known of a capture that nothing ran of."""
    of_gpu = (*dict.fromkeys(measured_choices.assumed), _CONFIGURATION) if capture.spec.device else ()
    return msgspec.structs.replace(
        capture,
        seconds=seconds,
        problems=(
            *problems,
            *mixed_products(capture.stages),
            *refused_masks(capture.stages),
            *_notes(capture.spec, values),
        ),
        assumed=(*values, *of_gpu),
    )


def _at_once(recorder: Recorder) -> list[Problem]:
    """Of which graphs the times of forward and backward overlap."""
    words = "Forward and backward of {} were compiled at once, by a process each: their seconds overlap."
    return [
        Problem(words.format(graph.compile_id), severity=Severity.NOTE)
        for graph in recorder.dynamo_graphs
        if "at_once" in graph.seconds
    ]


def _failure(error: Exception, spec: CaptureSpec) -> Problem:
    if wants_a_value(error):
        return value_wanted(error, spec.without_values)
    if isinstance(error, TwoTypesError):
        return own_failure(error, _CORRECT)
    if _says(_BUILT_KERNELS, error):
        return problem_from(error, _BUILT_FIRST, "Capture without cpp_wrapper, or with torch 2.13 or newer.")
    what = f"The program fails when it is compiled for {spec.compiled_for}"
    remedy = "The stages before the failure are shown; the message is torch's."
    if _says(_NO_GPU, error):
        remedy += " It asks for the GPU's driver, which is not here."
    if _says(_TWO_DEVICES, error):
        remedy += (
            " What is no parameter, buffer or input of the target (a global, a plain attribute, what is made without device=)"
            " stays on the CPU."
        )
    return problem_from(error, what, remedy)


def _says(refusal: re.Pattern[str], error: Exception) -> bool:
    return any(refusal.search(said(found)) for found in chain(error))


def _says_otherwise(row: Assumed, without_values: bool) -> str:
    if not row.found:
        return "Recorded with --assume, or under assume in the Open form."
    found = "Found by running the program on the CPU"
    if without_values:
        found = "Computed here of the program's own numbers"
    if row.what.startswith(f"{VALUE}:"):  # asked by no line of the program: nothing can be said of it
        return f"{found}."
    return f"{found}; --assume {row.what}=… or assume in the Open form says otherwise."


def _notes(spec: CaptureSpec, values: list[Assumed]) -> list[Problem]:
    """That nothing ran, and what was assumed."""
    if spec.device is not None:
        what = f"Compiled for {spec.device.name} without having one: kernels and wrappers are Inductor's own, nothing was run or measured."
        remedy = "Times and verdicts need the GPU itself."
    else:
        what = "Compiled without values: kernels and wrappers are Inductor's own, C++ kernels were not built, nothing was run or measured."
        remedy = "Times and verdicts need a capture with values."
    notes = [Problem(what, remedy, severity=Severity.NOTE)]
    if spec.parallel is not None:
        what = f"One of {spec.parallel.words}, under torch's fake process group: nothing was sent."
        notes.append(Problem(what, severity=Severity.NOTE))
    if spec.device is not None and spec.without_values:
        what = "Built without values: no parameter was allocated."
        notes.append(Problem(what, severity=Severity.NOTE))
    notes += [
        Problem(
            f"Assumed: {row.words}",
            _says_otherwise(row, spec.without_values),
            severity=Severity.NOTE,
        )
        for row in values
    ]
    notes += [
        Problem(f"Assumed: {words}", "File → Assumptions… has the other choices.", severity=Severity.NOTE)
        for words in without_repeats(measured_choices.assumed)
    ]
    return notes
