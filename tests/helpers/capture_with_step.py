"""A capture on fakes made by a worker, with the step that ran: nothing is wrong with it, and there are notes at most to tell."""

from pathlib import Path
from typing import Any

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.session_file.checks import consistent
from tests.helpers.worker_capture import capture_by


def capture_with_step(worker: WorkerClient, spec: CaptureSpec, capture_id: str = "capture-1") -> Capture:
    """Ask for it; an AssertionError says what is wrong with it."""
    capture = capture_by(worker, spec, capture_id)
    assert not consistent(capture)[1]
    assert not [row for row in capture.problems if row.severity is not Severity.NOTE]
    assert capture.step.problem == ""
    return capture


def spec_on_h100(target: TargetSpec, **more: Any) -> CaptureSpec:
    """Of a training step without values, for a GPU that is not here; further fields of the spec."""
    return CaptureSpec(target, run=RunOptions(True), device=TARGETS["h100"], without_values=True, **more)


def target_in(path: Path, name: str = "Net") -> TargetSpec:
    """Something in a file."""
    return TargetSpec(f"{path.name}:{name}", str(path.parent))
