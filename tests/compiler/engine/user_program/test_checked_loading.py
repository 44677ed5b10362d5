"""What is said of a program that fails as it is."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec

pytestmark = pytest.mark.engine

_INFERENCE = """
import torch

def adds_in_place(x):
    return x.view(4).add_(1)

def example_inputs():
    return (torch.ones(4, requires_grad=True),)
"""


@pytest.mark.parametrize("front_end", ["torch.compile", "make_fx"])
def test_a_program_for_inference_alone_is_told_to_be_captured_without_gradients(
    tmp_path: Path, front_end: str
) -> None:
    """It writes to a leaf, as torchbench's opacus_cifar10 does to what its hooks see."""
    (tmp_path / "program.py").write_text(_INFERENCE)
    target = TargetSpec("program.py:adds_in_place", str(tmp_path))
    spec = CaptureSpec(target, CompileOptions(backend="eager"), front_end=front_end)
    make = make_capture if front_end == "torch.compile" else capture_with
    with pytest.raises(EngineError) as failed:
        make(spec, "capture-1", lambda text: None)
    assert (
        failed.value.problem.remedy == "It runs without gradients: capture it so (--no-grad), or correct it."
    )
