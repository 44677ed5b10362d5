"""What a graph gives expanded goes on so into the next graph when it is computed in float64."""

import pytest
import torch

import torch_loupe
from compiler.model.edits.edits import ReplaceTarget

pytestmark = pytest.mark.engine


class Expanding(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        repeated = x[:1].relu().expand(4, 8)
        torch._dynamo.graph_break()
        return repeated.tanh() * 2


@pytest.mark.thorough
def test_an_edit_of_a_graph_with_an_expanded_result_is_judged() -> None:
    captured = torch_loupe.capture(Expanding(), torch.randn(4, 8), train=False, grad=False)
    stage = captured["0/0:inference:aot"]
    relu = next(node for node in stage.nodes if node.target == "aten.relu.default")
    edit = ReplaceTarget(stage.id, relu.id, "call_function", "aten.sigmoid.default", relu.args)
    _, verdict = captured.edit(edit).recompile()
    assert verdict.right is True, verdict.summary
