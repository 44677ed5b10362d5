"""A capture on fakes made by a worker, with the step that ran: nothing is wrong with it, and there are notes at most to tell."""

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from compiler.model.session_file.checks import consistent


def capture_with_step(worker: WorkerClient, spec: CaptureSpec, capture_id: str = "capture-1") -> Capture:
    """Ask for it; an AssertionError says what is wrong with it."""
    reply = worker.ask(MakeCapture(spec, capture_id))
    assert isinstance(reply, CaptureMade)
    capture = reply.capture
    assert not consistent(capture)[1]
    assert not [row for row in capture.problems if row.severity is not Severity.NOTE]
    assert capture.step is not None
    assert capture.step.problem == ""
    return capture
