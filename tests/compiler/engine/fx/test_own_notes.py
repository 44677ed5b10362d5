"""A call that does nothing, ``y * ones``, is taken out by Inductor, which writes all that it noted of it into what takes its place."""

from pathlib import Path

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.links.quick_captures import quick_capture

_PROGRAM = """
import torch

class Inner(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        y = self.inner(x)
        z = y * torch.ones(4, 4)
        w = z + torch.zeros(4, 4)
        v = x * torch.ones(4, 4)
        return torch.sin(w).sum() + (x.cos() * v).sum()

def example_inputs():
    return (torch.randn(4, 4, requires_grad=True),)
"""


def _lines(capture: Capture, stage: str, node: str) -> set[str]:
    links = Provenance(table for table in capture.links if table.proof != GUESS)
    above = links.ancestors(place(stage, node))
    return {line for name, lines in above.items() if name.startswith("source:") for line in lines}


def test_what_takes_the_place_of_a_call_that_does_nothing_keeps_its_line_stack_and_module(
    tmp_path: Path,
) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM)
    capture = quick_capture(tmp_path, "program.py:Net", training=True)
    looked_at = []
    for stage in capture.stages:
        if stage.kind in (StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH):
            for node in stage.graph.nodes:
                if node.target == "aten.relu.default":
                    assert line_id(6) in _lines(capture, stage.id, node.id)
                    assert not {line_id(15), line_id(16)} & _lines(capture, stage.id, node.id)
                    assert (node.stack[-1].line, node.module_path, node.notes) == (6, "inner", ())
                    looked_at.append(stage.kind)
                if node.target == "aten.cos.default" and node.inputs() == (
                    "relu",
                ):  # for the gradient of the sine
                    assert _lines(capture, stage.id, node.id) == {line_id(18)}
                    assert node.stack[-1].line == 18
                if node.op == "placeholder" and node.role == "input":
                    assert (node.origins, node.stack) == ((), ())
    assert {*looked_at} == {StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH}
