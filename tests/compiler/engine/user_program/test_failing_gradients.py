"""Inference that fails with gradients alone, as an LSTM of cuDNN does, is captured without them: nobody asked for any."""

from pathlib import Path

import msgspec
import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
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

def in_inference(x):
    return OfCudnn.apply(x.sin())

def in_place(x):
    return x.view(4).add_(1)

def example_inputs():
    return (torch.ones(4, requires_grad=True),)
"""


def _captured(spec: CaptureSpec) -> Capture:
    if spec.front_end == "dynamo":
        return make_capture(spec, "capture-1", lambda text: None).capture
    return capture_with(spec, "capture-1", lambda text: None)


@pytest.fixture(params=[("in_inference", "dynamo"), ("in_place", "dynamo"), ("in_place", "make_fx")])
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> CaptureSpec:
    name, front_end = request.param
    (tmp_path / "program.py").write_text(_PROGRAM)
    target = TargetSpec(f"program.py:{name}", str(tmp_path))
    return CaptureSpec(target, CompileOptions(backend="eager"), front_end=front_end)


def test_it_is_captured_without_gradients_and_says_why(spec: CaptureSpec) -> None:
    """*The program fails by itself* was said of a program whose user never runs it backward."""
    found = _captured(spec)
    assert not found.spec.run.gradients
    (problem,) = found.problems
    assert problem.what.startswith("It was captured without gradients, with which it fails")
    assert problem.severity is Severity.WARNING


def test_in_training_it_is_the_programs_own_failure(spec: CaptureSpec) -> None:
    trained = msgspec.structs.replace(spec, run=RunOptions(training=True))
    with pytest.raises(EngineError, match="The program fails by itself") as failed:
        _captured(trained)
    assert (
        failed.value.problem.remedy == "It runs without gradients: capture it so (--no-grad), or correct it."
    )


def test_an_edited_capture_still_says_how_it_was_captured(tmp_path: Path) -> None:
    """Comparing the two said that this was gone."""
    (tmp_path / "program.py").write_text(_PROGRAM)
    target = TargetSpec("program.py:in_inference", str(tmp_path))
    engine = Engine()
    captured = engine.capture(CaptureSpec(target), "capture-1", lambda text: None)
    graph = captured.stage("0/0:dynamo").graph
    node = next(row for row in graph.nodes if "sin" in row.target)
    swap = ReplaceTarget("0/0:dynamo", node.id, node.op, node.target.replace("sin", "cos"), node.args)
    made, _ = engine.recompile("capture-1", (swap,), "capture-2", False, lambda text: None)
    assert made.problems == captured.problems != ()
