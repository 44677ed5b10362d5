"""Every kernel that one step of a program calls, and whether listening changed anything."""

from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.equal_tensors import same_numbers
from compiler.engine.measuring.torch_threads import torch_threads
from compiler.engine.operators.dispatch_tables import commit
from compiler.engine.operators.dispatch_tracing import DispatchRecorder, overloads_used
from compiler.engine.user_program.checked_loading import loaded
from compiler.engine.user_program.program import Program
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.operators.dispatching import DispatchTrace

_RUNS = 3
"""Untraced, to see what changes from run to run: one may be equal to the first by chance."""


def trace_program(spec: CaptureSpec, report_progress: Callable[[str], None]) -> DispatchTrace:
    """One step of a program with every kernel noted, compared with a step without. Raises EngineError."""
    program = loaded(spec, report_progress).program
    # A kernel may call operators in a parallel region, as attention's backward on the CPU does: its other threads would wait for
    # the interpreter, which the shim around the kernel holds until all of them are done.
    with torch_threads(1):
        return _trace(program, spec, report_progress)


def _trace(program: Program, spec: CaptureSpec, report_progress: Callable[[str], None]) -> DispatchTrace:
    stepper = Stepper(program, spec.run)
    expected = stepper.compared_step(program.callable)
    report_progress("Looking which operators the program uses")
    operators = overloads_used(lambda: stepper.compared_step(program.callable))
    report_progress(f"Putting shims around the kernels of {len(operators)} operators")
    recorder = DispatchRecorder()

    def noted(*args: Any, **kwargs: Any) -> Any:
        recorder.recording = True
        try:
            return program.callable(*args, **kwargs)
        finally:
            recorder.recording = False

    try:
        recorder.install(operators)
        report_progress("Running the program through the shims")
        results = stepper.compared_step(noted)
    finally:
        recorder.remove()
    different = _different(expected, results)
    unsteady = _unsteady(stepper, program, expected) if different else ()
    return DispatchTrace(
        tuple(recorder.calls),
        tuple(name for name in different if name not in unsteady),
        len(expected.tensors),
        len(operators),
        recorder.shims,
        tuple(recorder.left_alone),
        commit(),
        unsteady,
    )


def _unsteady(stepper: Stepper, program: Program, expected: Results) -> tuple[str, ...]:
    """Results that change from run to run without shims: sums of atomic additions on a GPU, say."""
    runs = [stepper.compared_step(program.callable) for _ in range(_RUNS)]
    return tuple(dict.fromkeys(name for run in runs for name in _different(expected, run)))


def _different(expected: Results, found: Results) -> tuple[str, ...]:
    names = dict.fromkeys((*expected.tensors, *found.tensors))
    return tuple(name for name in names if not _same(expected.tensors.get(name), found.tensors.get(name)))


def _same(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    return one is not None and other is not None and same_numbers(one, other)
