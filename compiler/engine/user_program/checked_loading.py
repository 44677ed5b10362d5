"""A program loaded as a capture asks for it, and run once as it is, so that its own errors are reported as its own."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeGuard

import msgspec
import torch

from compiler.engine.errors import EngineError, own_failure, problem_from
from compiler.engine.user_program.alternate_inputs import own_copy
from compiler.engine.user_program.device_placement import Placed, lost_gpu, moved, where_it_is
from compiler.engine.user_program.live_objects import live_program
from compiler.engine.user_program.loading import Program, load_program, require_values
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.progress import Doing, Phase, Step

ReportProgress = Callable[[str], None]


class OnDevice(NamedTuple):
    """On its device and in its mode."""

    program: Program
    spec: CaptureSpec
    """With the device that it is on."""
    unasked: bool
    """Whether it was moved to a GPU that nobody asked for."""
    notes: tuple[Problem, ...] = ()
    """Why it is not on a GPU that is here."""


def load_on_device(spec: CaptureSpec, texts: Mapping[str, str] | None = None) -> OnDevice:
    """Nothing of it runs. An object of this process, which is somebody's, stays where it is. Raises EngineError."""
    require_values(spec)
    program = load_program(spec.target, spec.run.seed, texts=texts)
    is_somebodys = live_program(spec.target.name) is not None
    try:
        placed: Placed = where_it_is(program) if is_somebodys else moved(program, spec.run_on)
    except EngineError as error:
        if spec.run_on or not goes_back(error.__cause__, True):
            raise
        why = fails_on_gpu(error.__cause__, "it could not be moved to the GPU")
        return load_on_device(on_cpu(spec), texts)._replace(notes=(why,))
    set_mode(program, spec.run)
    return OnDevice(program, msgspec.structs.replace(spec, run_on=placed.device), placed.unasked)


def loaded(spec: CaptureSpec, report_progress: ReportProgress) -> OnDevice:
    """The program after one run of it as it is: on the CPU where it was moved to a GPU unasked and fails there. Raises EngineError."""
    report_progress(Doing(f"Loading {spec.target.name}", Step(Phase.LOADING)))
    found = load_on_device(spec)
    program = found.program
    report_progress(Doing("Running the program once as it is", Step(Phase.RUNNING)))
    tried = program
    try:
        args, kwargs = own_copy((program.args, program.kwargs))  # it may write to them
        tried = dataclasses.replace(program, args=args, kwargs=kwargs)
        Stepper(tried, spec.run).compared_step(program.callable)
    except Exception as error:
        if goes_without_gradients(tried, spec, error):
            forward = loaded(without_gradients(spec), report_progress)
            return forward._replace(notes=(*forward.notes, fails_with_gradients(error)))
        if goes_back(error, found.unasked):
            return loaded(on_cpu(spec), report_progress)._replace(notes=(fails_on_gpu(error),))
        raise EngineError(programs_failure(error, found.unasked, tried, spec.run)) from error
    return found


def on_cpu(spec: CaptureSpec) -> CaptureSpec:
    """The same where its program is at home."""
    return msgspec.structs.replace(spec, run_on="cpu")


def without_gradients(spec: CaptureSpec) -> CaptureSpec:
    """The same without a backward."""
    return msgspec.structs.replace(spec, run=msgspec.structs.replace(spec.run, gradients=False))


def goes_without_gradients(program: Program, spec: CaptureSpec, error: Exception) -> bool:
    """Whether a program that nobody asked to train is captured without gradients: it fails with them alone, as an LSTM of cuDNN does."""
    return not _keeps_gradients(spec.run, error) and _runs_without_gradients(program, spec.run)


def _keeps_gradients(run: RunOptions, error: Exception) -> bool:
    """Whether nothing is captured without gradients unasked: they are asked for, or there is no room for them here."""
    return bool(run.training) or isinstance(error, torch.OutOfMemoryError)


def fails_with_gradients(error: Exception) -> Problem:
    """Why there are none."""
    what = "It was captured without gradients, with which it fails without torch.compile too"
    remedy = "Capture it in training (--train) to have a backward, if it has one there."
    return msgspec.structs.replace(problem_from(error, what, remedy), severity=Severity.WARNING)


def goes_back(error: BaseException | None, unasked: bool) -> TypeGuard[Exception]:
    """Whether a program is to be tried on the CPU: it was moved, and may make tensors there. What needs more memory than a GPU has may
    take hours on a CPU, and is reported instead; where a kernel's error took the GPU from this process, nothing more is run in it.
    """
    if not unasked or not isinstance(error, Exception):
        return False
    return not isinstance(error, torch.OutOfMemoryError) and not lost_gpu()


def programs_failure(error: Exception, unasked: bool, program: Program, run: RunOptions) -> Problem:
    """That a program fails as it is, or where it was moved unasked."""
    if not unasked and _keeps_gradients(run, error) and _runs_without_gradients(program, run):
        return own_failure(error, "It runs without gradients: capture it so (--no-grad), or correct it.")
    if not unasked:
        return own_failure(error)
    what = "On the GPU, to which it was moved, the program fails without torch.compile too"
    return problem_from(error, what, "Choose smaller inputs, or the CPU (--device cpu).")


def _runs_without_gradients(program: Program, run: RunOptions) -> bool:
    """Of a program that failed: what is written for inference may write to what a backward needs."""
    if not run.gradients or lost_gpu():
        return False
    try:
        Stepper(program, msgspec.structs.replace(run, gradients=False)).compared_step(program.callable)
    except Exception:  # noqa: BLE001  a program raises what it likes
        return False
    return True


def fails_on_gpu(
    error: Exception, why: str = "the program fails on the GPU, to which it was moved"
) -> Problem:
    """Why it is on the CPU."""
    what = f"It was captured on the CPU, since {why}"
    remedy = "To have it there, put what it makes itself on the device of its inputs: torch.ones(4, device=x.device)."
    return msgspec.structs.replace(problem_from(error, what, remedy), severity=Severity.WARNING)
