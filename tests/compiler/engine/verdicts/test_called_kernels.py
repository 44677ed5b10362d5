"""A kernel that no step calls is not judged: a wrong one was reported right."""

import re
from pathlib import Path

import pytest

from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import ReplaceKernel

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch

def program(x):
    def yes(x):
        return torch.sin(x) * 2

    def no(x):
        return torch.cos(x) - 1

    return torch.cond(x.sum() > 0, yes, no, (x,)) + 1

def example_inputs():
    return (torch.ones(5, 4),)
"""


@pytest.mark.parametrize(("operation", "right"), [("sin", False), ("cos", None)])
def test_a_kernel_of_the_other_branch_is_not_judged(
    tmp_path: Path, operation: str, right: bool | None
) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM)
    engine = Engine()
    target = TargetSpec("program.py:program", str(tmp_path))
    made = engine.capture(CaptureSpec(target, run=RunOptions(training=False)), "capture-1", lambda text: None)
    ((stage, kernel),) = (
        (stage.id, kernel) for stage in made.stages for kernel in stage.kernels if operation in kernel.name
    )
    stored = re.search(r"(tmp\d+)\.store\(", kernel.source)
    wrong = kernel.source.replace(stored[0], f"({stored[1]} + {stored[1]}).store(", 1)
    edit = ReplaceKernel(stage, kernel.name, wrong)
    _, verdict = engine.recompile("capture-1", (edit,), "capture-2", True, lambda text: None)
    assert verdict.right is right
    assert (f"no step calls {kernel.name}" in verdict.summary) is (right is None)
