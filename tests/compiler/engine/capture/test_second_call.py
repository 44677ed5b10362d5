"""A capture says where what it shows runs once: edits of that can't be judged, and times would be of other code."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch

STORE = {}


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


def stores(x):
    if "scale" not in STORE:
        STORE["scale"] = 3.0
    return x * STORE["scale"]


class Steady(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)


def changes_its_input(x):
    return x.mul_(2)


def _inner(x):
    return x.sin() * 2


def without_gradients(x):
    with torch.no_grad():
        for _ in range(2):
            torch._dynamo.graph_break()
            x = _inner(x)
        return x


def in_autocast(x):
    with torch.autocast("cpu", torch.bfloat16):
        for _ in range(2):
            torch._dynamo.graph_break()
            x = _inner(x)
        return x


def on_a_device(x):
    with torch.device("meta"):
        for _ in range(2):
            torch._dynamo.graph_break()
            x = _inner(x)
        return x


class CountingInside(Counting):
    def forward(self, x):
        with torch.no_grad():
            for _ in range(2):
                torch._dynamo.graph_break()
                x = self.counted(x)
        return x

    def counted(self, x):
        self.calls += 1
        return x * self.calls


def example_inputs():
    return (torch.ones(2, 3),)
"""


@pytest.mark.parametrize(
    ("target", "guard", "line"),
    [
        ("Counting", "calls", 13),
        ("stores", "STORE", 18),
        ("Steady", "", 0),
        ("changes_its_input", "", 0),
        ("without_gradients", "", 0),
        ("in_autocast", "", 0),
        ("on_a_device", "", 0),
        ("CountingInside", "calls", 73),
    ],
)
def test_code_of_the_first_call_only_is_reported(tmp_path: Path, target: str, guard: str, line: int):
    (tmp_path / "program.py").write_text(_PROGRAM)
    spec = CaptureSpec(
        TargetSpec(f"program.py:{target}", str(tmp_path)),
        CompileOptions(backend="eager"),
        RunOptions(training=True),
    )
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    reported = [row for row in capture.problems if "runs at the first call only" in row.what]
    assert len(reported) == bool(guard)
    for row in reported:
        assert guard in row.what
        assert (row.severity, row.line) == (Severity.NOTE, line)
