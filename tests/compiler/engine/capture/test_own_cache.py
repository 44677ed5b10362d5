"""Captures of one program beside each other: a library's code is one object for all, what it is compiled to must not be."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.engine.guards.guard_tester import test_guards as try_guards
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.guard_testing.guard_tests import GuardChange

pytestmark = pytest.mark.engine
LIBRARYS = """
import torch

def make():
    return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())

def example_inputs():
    return (torch.ones(2, 4),)
"""


def test_each_capture_compiles_a_librarys_module_itself(tmp_path: Path) -> None:
    (tmp_path / "held.py").write_text(LIBRARYS)
    spec = CaptureSpec(
        TargetSpec("held.py:make", str(tmp_path)),
        CompileOptions(backend="eager"),
        RunOptions(training=False, gradients=False),
    )
    first = make_capture(spec, "first", lambda text: None)
    second = make_capture(spec, "second", lambda text: None, alone=False)
    assert [len(live.live.dynamo_graphs) for live in (first, second)] == [1, 1]
    for live in (first, second):
        ids = {frame.id for frame in live.capture.frames}
        tried = {row.compile_id for row in try_guards(live, GuardChange(), "").entries}
        assert tried == ids
