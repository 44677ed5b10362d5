"""What ``tensor.data = value`` leaves at the end of a graph is of the assignment, on torch that puts it into the graph (2.15)."""

from pathlib import Path

import pytest
import torch

from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind
from tests.links.quick_captures import quick_capture

_PROGRAM = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        self.scale.data = (
            x.exp().mean(0)
        ).data
        return x * self.scale

def example_inputs():
    return (torch.randn(3, 4),)
"""


@pytest.mark.skipif(
    not hasattr(torch.ops.aten, "shallow_copy_data_"), reason="this torch breaks the graph there"
)
def test_the_line_of_the_assignment_leads_to_what_sets_the_data(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM)
    capture = quick_capture(tmp_path, "program.py:Net", training=False)
    links = Provenance(table for table in capture.links if table.proof != GUESS)
    for kind in (StageKind.AOT_GRAPH, StageKind.POST_GRAD_GRAPH):
        (stage,) = capture.of_kind(kind)
        (setting,) = (node.id for node in stage.graph.nodes if "shallow_copy_data_" in node.target)
        above = links.ancestors(place(stage.id, setting))
        lines = {line for name, found in above.items() if name.endswith("/program.py") for line in found}
        assert {line_id(10), line_id(12)} <= lines
        assert line_id(13) not in lines
