"""Where a tensor is used twice autograd adds its gradients: the sum is linked to what made the tensor, and to the uses that it
adds: torch's own stack of it is that of one of these."""

from pathlib import Path

import pytest

from compiler.engine.capture.capture import make_capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import StageKind

_PROGRAM = """
import torch

def made_here(x):
    y = x.sin()
    return y.exp() + y.tanh() + y.cosh()

def an_input(x):
    return x.exp() + x.tanh()

def example_inputs():
    return (torch.randn(4, requires_grad=True),)
"""


@pytest.mark.parametrize(
    ("function", "wanted"), [("made_here", ["cosh sin tanh", "exp sin"]), ("an_input", ["exp tanh"])]
)
def test_a_sum_of_gradients_is_linked(tmp_path: Path, function: str, wanted: list[str]) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM)
    spec = CaptureSpec(
        TargetSpec(f"program.py:{function}", str(tmp_path)), CompileOptions(backend="aot_eager")
    )
    found = make_capture(spec, "capture-1", lambda text: None).capture
    links = Provenance(table for table in found.links if table.proof != GUESS)
    (dynamo,) = found.of_kind(StageKind.DYNAMO_GRAPH)
    (backward,) = (stage for stage in found.of_kind(StageKind.AOT_GRAPH) if "backward" in stage.id)
    assert dynamo.graph is not None
    assert backward.graph is not None
    sums = [node for node in backward.graph.nodes if node.target == "aten.add.Tensor"]
    reached = [links.ancestors(place(backward.id, node.id)).get(dynamo.id, ()) for node in sums]
    names = {
        node.id: node.target.rpartition(".")[2] for node in dynamo.graph.nodes if node.op.startswith("call")
    }
    assert [" ".join(sorted(names[name] for name in row if name in names)) for row in reached] == wanted
