"""A trace of a program that keeps what it computed, with its history, which cannot be copied along (snntorch's membranes)."""

from pathlib import Path

import pytest

from compiler.engine.front_ends.capture import capture_with
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.loading import load_program
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec, with_torch_compile

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

_PROGRAM = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 3)
        self.register_buffer("membrane", torch.zeros(0))
        self.seen = []

    def forward(self, x):
        self.membrane = self.lin(x)
        self.seen = [self.membrane * 2]
        return torch.relu(self.membrane)


def example_inputs():
    return (torch.ones(3, 4),)
"""


def test_its_trace_has_all_stages(tmp_path: Path) -> None:
    """The copy for eval mode failed, and the program was said not to be one that torch.jit.trace takes."""
    (tmp_path / "net.py").write_text(_PROGRAM)
    target = TargetSpec("net.py:Net", str(tmp_path))
    program = load_program(target)
    program.callable(*program.args)
    with pytest.raises(RuntimeError, match="deepcopy"):  # the trap is set
        copied_program(program.callable)
    capture = capture_with(
        with_torch_compile(CaptureSpec(target, front_end="jit.trace")), "c1", lambda text: None
    )
    made = {stage.id for stage in capture.stages}
    assert {"jit.trace:weights", "jit.trace:frozen", "jit.trace:inference"} <= made
    assert not [
        problem for problem in capture.problems if "copied" in problem.what or "frozen" in problem.what
    ]
