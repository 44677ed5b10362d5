"""``python -m tests.gpu.lost_gpu``: programs and edited kernels that take this machine's GPU from the process, and what is captured
afterwards by the same worker.

Prints a line a try, below what the worker says of the GPU; exit status 1 where the capture after it fails.
"""

import sys
import tempfile
from pathlib import Path

from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.stage import KernelStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile

_GOOD = """
import torch
def f(x):
    return torch.relu(x) * 2 + 1
def example_inputs():
    return (torch.randn(64, 64, device="cuda"),)
"""
_BAD = """
import torch
def f(x):
    return x[torch.full((4,), 1 << 20, device="cuda")].relu()
def example_inputs():
    return (torch.randn(64, 64, device="cuda"),)
"""


class _Tries:
    def __init__(self, client: WorkerClient, folder: str) -> None:
        self._client, self._folder = client, folder

    def capture(self, target: str) -> Capture | str:
        """What was captured, or why not."""
        run = RunOptions(training=False, gradients=False)
        try:
            made = self._client.ask(
                MakeCapture(CaptureSpec(TargetSpec(target, self._folder), run=run), target)
            )
        except CommandFailedError as error:
            return error.problem.what
        assert isinstance(made, CaptureMade)
        return made.capture

    def edit(self, capture: Capture) -> str:
        """Let a kernel of it write far out of its buffer; gives why that was refused."""
        for stage in capture.stages:
            if isinstance(stage.content, KernelStage):
                (kernel, *_) = stage.kernels
                source = kernel.source.replace("tl.store(out_ptr0 + (", "tl.store(out_ptr0 + (1 << 40) + (")
                assert source != kernel.source
                edit = ReplaceKernel(stage.id, kernel.name, source)
                try:
                    return str(self._client.ask(Recompile(capture.id, (edit,), "far")))[:300]
                except CommandFailedError as error:
                    return error.problem.what
        raise AssertionError("no kernel")


def main() -> int:
    """A line a try."""
    bad = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        WorkerClient(lambda event: None, timeout=300, gate=TrustGate()) as client,
    ):
        Path(folder, "good.py").write_text(_GOOD)
        Path(folder, "bad.py").write_text(_BAD)
        tries = _Tries(client, folder)
        for what in ("a program", "a kernel"):
            if what == "a program":
                refused = tries.capture("bad.py:f")
            else:
                captured = tries.capture("good.py:f")
                refused = (
                    tries.edit(captured) if isinstance(captured, Capture) else f"not captured: {captured}"
                )
            again = tries.capture("good.py:f")
            right = isinstance(again, Capture) and bool(again.stages)
            bad += not right
            print(
                f"{'good' if right else 'BAD'}: {what}: {str(refused)[:300]!r}; then: {str(again)[:120]}",
                flush=True,
            )
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
