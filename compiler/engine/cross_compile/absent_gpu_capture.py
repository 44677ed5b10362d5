"""A capture for a GPU that this machine does not have: the program's tensors are fakes that say they are there.

Nothing is allocated on a device and no kernel runs. The hooks are those of every capture; the process must be one that
`pretend` was called in before Dynamo was imported, and it is good for one target.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import torch
from torch.utils import _pytree as pytree

from compiler.engine.capture.capture import LiveCapture, read_capture
from compiler.engine.errors import EngineError, problem_from, users_place
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.fake_gpu import measured_choices
from compiler.engine.torch_internals.fake_gpu.fake_backend import (
    compiled_but_run_on_fakes,
    copied_as_fakes,
    fake_mode,
    wants_a_value,
)
from compiler.engine.torch_internals.live.live_graphs import LiveProgram
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.registry.listening import listening
from compiler.engine.user_program.applied_changes import CarriedOut
from compiler.engine.user_program.loading import Program, load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.gpu_assumptions import CONFIGURATION, Assumed
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.gpu_target import GpuTarget
from compiler.model.ir.ids import CaptureId

_CONFIGURATION = Assumed(
    CONFIGURATION,
    "Of a kernel's candidate configurations the GPU measures, at the first launch, which is the fastest; what is lowered "
    "is the first of them.",
)


def edited_for_absent_gpu(
    live: LiveCapture,
    target: GpuTarget,
    edits: tuple[Edit, ...],
    new_id: CaptureId,
    report_progress: Callable[[str], None],
) -> Capture:
    """What a cross-compiled capture becomes with edits, compiled from the edited stages on. Raises EngineError."""
    edited = EditedProgram(live).recompile(edits, new_id, report_progress)
    return _told(edited, target, edited.seconds, ())


def capture_for_absent_gpu(
    spec: CaptureSpec, target: GpuTarget, capture_id: CaptureId, report_progress: Callable[[str], None]
) -> LiveCapture:
    """Load the target, move it to the pretended GPU as fakes, and read every stage of its compilation. The live objects
    can be compiled again, not run.

    Raises EngineError.
    """
    if spec.compile.backend != "inductor" or spec.changes:
        raise EngineError(
            Problem(
                "For an absent GPU, only backend inductor without changes is captured.",
                "Capture with the default backend, or on the CPU.",
            )
        )
    report_progress(f"Loading {spec.target.name}")
    program = load_program(spec.target, spec.run.seed)
    set_mode(program, spec.run)
    mode = fake_mode(spec.compile.dynamic is True)
    recorder = Recorder(report_progress)
    live = recorder.live = LiveProgram()
    problems: list[Problem] = []
    started = time.perf_counter()
    with mode:
        faked = _moved(program, mode)
        stepper = Stepper(faked, spec.run)
        compiled = torch.compile(
            faked.callable,
            fullgraph=spec.compile.fullgraph,
            dynamic=spec.compile.dynamic,
            backend=compiled_but_run_on_fakes(spec.compile),
        )
        with settings.recompiling(backward=True), listening(recorder):
            torch.manual_seed(spec.run.seed)
            try:
                stepper.step(compiled)
            except Exception as error:  # noqa: BLE001  told as a problem of the capture, which keeps what it has
                problems.append(_failure(error, target))
    seconds = time.perf_counter() - started
    report_progress("Reading the stages")
    capture = _told(read_capture(spec, capture_id, recorder), target, seconds, tuple(problems))
    return LiveCapture(capture, live, recorder, faked, stepper, compiled, CarriedOut(faked, ()))


def _told(capture: Capture, target: GpuTarget, seconds: float, problems: tuple[Problem, ...]) -> Capture:
    """With what is to be known of a capture that nothing ran of."""
    return msgspec.structs.replace(
        capture,
        seconds=seconds,
        problems=(*problems, *_notes(target)),
        assumed=(*dict.fromkeys(measured_choices.assumed), _CONFIGURATION),
    )


def _failure(error: Exception, target: GpuTarget) -> Problem:
    if wants_a_value(error):
        path, line = users_place(error)
        return Problem(
            "The program asks a tensor for a value here, and without the GPU tensors have none: what comes after is not captured.",
            "Capture on the CPU to see it whole, or use torch.where or torch.cond in place of the branch.",
            path=path,
            line=line,
            severity=Severity.WARNING,
        )
    what = f"The program fails when it is compiled for {target.name}"
    return problem_from(error, what, "The stages before the failure are shown; the message is torch's.")


def _notes(target: GpuTarget) -> list[Problem]:
    """That it is cross-compiled, and what was assumed."""
    notes = [
        Problem(
            f"Compiled for {target.name} without having one: kernels and wrappers are Inductor's own, nothing was run or measured.",
            "Times and verdicts need the GPU itself.",
            severity=Severity.NOTE,
        )
    ]
    notes += [
        Problem(f"Assumed: {words}", "File → Assumptions… has the other choices.", severity=Severity.NOTE)
        for words in dict.fromkeys(row.words for row in measured_choices.assumed)
    ]
    return notes


def _moved(program: Program, mode: Any) -> Program:
    """The program on the pretended GPU: parameters, buffers and inputs are fakes of the same sizes and strides."""
    called = copied_as_fakes(mode, program.callable)
    args, kwargs = copied_as_fakes(mode, (program.args, program.kwargs))
    if isinstance(called, torch.nn.Module):
        for module in called.modules():
            _move_module(module)

    def moved(value: Any) -> Any:
        return (
            _on_gpu(value).requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value
        )

    args, kwargs = pytree.tree_map(moved, (args, kwargs))
    return Program(program.kind, called, args, kwargs, program.path, program.namespace)


def _on_gpu(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="cuda")


def _move_module(module: torch.nn.Module) -> None:
    """`Module.to` fails on fakes, which cannot be swapped; so each tensor is replaced."""
    for name, parameter in list(module.named_parameters(recurse=False)):
        setattr(module, name, torch.nn.Parameter(_on_gpu(parameter), parameter.requires_grad))
    for name, buffer in list(module.named_buffers(recurse=False)):
        setattr(module, name, _on_gpu(buffer))
