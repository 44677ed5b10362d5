"""What stands in the place of a scatter into a view is of the scatter, and so reaches the line of the view."""

from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import Provenance

pytestmark = pytest.mark.engine

PROGRAM = """import torch


class Strided(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        y = torch.tanh(self.linear(x))
        z = torch.as_strided(y, (4, 4), (8, 1), 1)
        return torch.sin(z)


def example_inputs():
    return (torch.randn(8, 8),)
"""


@pytest.mark.thorough
def test_a_write_into_a_view_reaches_the_line_of_the_view(tmp_path: Path):
    (tmp_path / "strided.py").write_text(PROGRAM)
    torch.manual_seed(0)
    run = RunOptions(training=True, gradients=True)
    spec = CaptureSpec(TargetSpec("strided.py:Strided", str(tmp_path)), run=run)
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    links = Provenance(capture.links)
    before, after = (
        next(stage for stage in capture.stages if stage.id == f"0/0:backward:{what}").graph
        for what in ("aot", "post_grad")
    )
    scatter = next(node.id for node in before.nodes if node.target == "aten.as_strided_scatter.default")
    names = {node.id for node in before.nodes}
    made = [node.id for node in after.nodes if node.id not in names and node.target.startswith("aten.")]
    written = next(node for node in after.nodes if node.target == "aten.copy_.default")
    assert {written.id, written.inputs()[0]} <= set(made)
    for name in (written.id, written.inputs()[0]):
        above = links.ancestors(place("0/0:backward:post_grad", name))
        lines = {line_of(line) for stage, found in above.items() if "strided.py" in stage for line in found}
        assert 11 in lines
        assert 10 not in lines
    assert written.id in links.descendants(place("0/0:backward:aot", scatter))["0/0:backward:post_grad"]


ASSIGNED = """import torch


def assigned(x, y):
    z = x * 2
    z[:, 1:5, 2:] = y
    return (z * z).sum()


def example_inputs():
    return torch.randn(4, 8, 8, requires_grad=True), torch.randn(4, 4, 6)
"""


@pytest.mark.thorough
def test_what_a_scatter_in_a_backward_is_written_out_as_is_of_the_scatter(tmp_path: Path):
    (tmp_path / "assigned.py").write_text(ASSIGNED)
    spec = CaptureSpec(TargetSpec("assigned.py:assigned", str(tmp_path)), run=RunOptions())
    capture = make_capture(spec, "capture-1", lambda text: None).capture
    links = Provenance(capture.links)
    graph = capture.stage("0/0:backward:post_grad").graph
    nodes = [node for node in graph.nodes if node.op.startswith("call_")]
    assert [node.id for node in nodes if not links.ancestors(place("0/0:backward:post_grad", node.id))] == []
    views = [node.id for node in nodes if node.target == "aten.slice.Tensor"]
    outer = next(name for name in views if "slice_tensor" in name)
    above = links.ancestors(place("0/0:backward:post_grad", outer))["0/0:backward:aot"]
    assert all("slice_scatter" in name for name in above)
