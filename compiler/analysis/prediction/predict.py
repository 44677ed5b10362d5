"""A capture's step as a machine would run it."""

from typing import NamedTuple

import msgspec

from compiler.analysis.prediction.memory_curve import largest, memory_curve
from compiler.analysis.prediction.moment_work import MomentWork, is_cublas, moments_work
from compiler.analysis.prediction.rank_memory import rank_memory
from compiler.analysis.prediction.step_time import Span, predicted_time, spans
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.ir.diagnostics import Severity
from compiler.model.prediction.machine import Machine
from compiler.model.prediction.predicted_step import PredictedStep
from compiler.model.prediction.simulated_step import BACKWARD, SimulatedStep

_NOT_IN_IT = (
    "Fragmentation of torch's allocator is not in it: what is reserved may be more than what is allocated.",
    "Memory that cuDNN, cuBLAS and attention kernels take within one call is not in it, but for cuBLAS's own workspaces.",
    "Kernels come to their ceiling as large products and copies do: products with a vector, scans and sums over few rows take longer.",
)


def step_of(capture: Capture) -> SimulatedStep:
    """The step that the capture has. Raises ValueError, with what to do, where it has none."""
    step = capture.step
    failed = capture.failures()
    if step is None and failed and capture.spec.step is not None:
        raise ValueError(f"Nothing is predicted, since the capture failed: {failed[0].message()}")
    if step is None and capture.problems and capture.spec.step is not None:
        raise ValueError(f"Nothing is predicted, since the capture is not whole: {_reason(capture)}")
    if step is None:
        raise ValueError(
            "This capture has no step on fakes: capture again with --predict, --optimizer or --world (and --fake or --target)"
        )
    if step.problem:
        raise ValueError(f"No step could be run on fakes: {step.problem}")
    return step


def _reason(capture: Capture) -> str:
    """What ended the program's run, where nothing failed: it asked a tensor without values for one, for instance."""
    warned = [row for row in capture.problems if row.severity is Severity.WARNING]
    return (warned or capture.problems)[0].message()


class MachineRun(NamedTuple):
    """A step on a machine, moment by moment."""

    step: SimulatedStep
    works: tuple[MomentWork, ...]
    spans: tuple[Span, ...]


def run_on(machine: Machine, capture: Capture, step: SimulatedStep) -> MachineRun:
    """What every moment does, and when."""
    works = moments_work(capture, step)
    return MachineRun(step, works, spans(step, works, machine))


def predict(capture: Capture, machine: Machine) -> PredictedStep:
    """Memory and time of one step. Raises ValueError where the capture has no step."""
    return predict_run(capture, run_on(machine, capture, step_of(capture)), machine)


def library_bytes(run: MachineRun, machine: Machine) -> int:
    """What cuBLAS keeps to work in: once for each thread and stream that it is called in. Autograd goes back in a thread of its
    own.
    """
    callers = {
        (moment.phase == BACKWARD, moment.stream)
        for moment, work in zip(run.step.moments, run.works, strict=True)
        if is_cublas(work.name)
    }
    return len(callers) * machine.library_bytes


def predict_run(capture: Capture, run: MachineRun, machine: Machine) -> PredictedStep:
    """The same of one that is known moment by moment."""
    step, works, ran = run
    libraries = library_bytes(run, machine)
    curve = memory_curve(step, libraries)
    if step.moments:
        at = curve.peak.at
        moment = step.moments[at]
        where = f"{moment.phase}, {works[at].layer}: {works[at].name}"
        held = ", ".join(piece.name for piece in largest(step, at, 3))
        curve = msgspec.structs.replace(curve, where=f"{where} (largest: {held})")
    time = predicted_time(step, works, ran, machine)
    notes = list(_NOT_IN_IT)
    if step.sparse:
        notes.append(
            f"Memory of {counted(step.sparse, 'sparse tensor')} is not in it: how much they hold depends on values."
        )
    if time.unknown:
        notes.append(
            f"Of {counted(time.unknown, 'kernel')} no work is known; each counts as the shortest there is."
        )
    return PredictedStep(
        machine.name,
        capture.spec.compiled_for,
        machine.memory_bytes - machine.set_aside_bytes,
        curve,
        time,
        step.optimizer,
        notes=tuple(notes),
        ranks=rank_memory(capture.other_ranks, step, libraries),
    )
