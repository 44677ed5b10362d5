"""Dynamo's walks over Python's stack come to the program, not to our hooks."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

pytestmark = pytest.mark.engine
PROGRAM = """
import torch

@torch.compiler.disable(recursive=False)
def left(x):
    return within(x) + 1

def within(x):
    return x.exp()

def net(x):
    return left(x.sin()).cos()

def example_inputs():
    return (torch.ones(2),)
"""


def test_what_is_disabled_without_what_it_calls_is_not_compiled(tmp_path: Path) -> None:
    """Torch looks for its wrapper of such a function beyond its own frames, and found ours: `left` was compiled."""
    (tmp_path / "disabled.py").write_text(PROGRAM)
    spec = CaptureSpec(
        TargetSpec("disabled.py:net", str(tmp_path)),
        CompileOptions(backend="eager"),
        RunOptions(training=False, gradients=False),
    )
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    compiled = [frame.name for frame in capture.frames if frame.graph]
    assert compiled == ["net", "within", "torch_dynamo_resume_in_net_at_12"]
