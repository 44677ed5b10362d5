"""Inference whose backward alone fails, as that of an LSTM of cuDNN does, is captured without one: nobody asked for it."""

from pathlib import Path

import msgspec
import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch

class OfCudnn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise RuntimeError("RNN backward can only be called in training mode")

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return OfCudnn.apply(self.fc(x))

def example_inputs():
    return (torch.ones(2, 3),)
"""


@pytest.fixture
def spec(tmp_path: Path) -> CaptureSpec:
    (tmp_path / "program.py").write_text(_PROGRAM)
    target = TargetSpec("program.py:Net", str(tmp_path))
    return CaptureSpec(target, CompileOptions(backend="eager"), RunOptions())


@pytest.mark.parametrize("front_end", ["dynamo", "make_fx"])
def test_it_is_captured_without_a_backward_and_says_why(spec: CaptureSpec, front_end: str) -> None:
    """*The program fails by itself* was said of a program whose user never runs it backward."""
    if front_end == "dynamo":
        found = make_capture(spec, "capture-1", lambda text: None).capture
    else:
        asked = msgspec.structs.replace(spec, front_end=front_end)
        found = capture_with(asked, "capture-1", lambda text: None)
    assert not found.spec.run.gradients
    (problem,) = found.problems
    assert problem.what.startswith(
        "It was captured without gradients, with which it fails without torch.compile too"
    )
    assert (problem.severity, problem.line) == (Severity.WARNING, 11)


def test_in_training_it_is_the_programs_own_failure(spec: CaptureSpec) -> None:
    trained = msgspec.structs.replace(spec, run=RunOptions(training=True))
    with pytest.raises(EngineError, match="The program fails by itself"):
        make_capture(trained, "capture-1", lambda text: None)
