"""A capture made by a worker."""

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.protocol.messages import CaptureMade, MakeCapture


def capture_by(worker: WorkerClient, spec: CaptureSpec, capture_id: str = "capture-1") -> Capture:
    """Ask for it."""
    return worker.ask(MakeCapture(spec, capture_id), CaptureMade).capture
