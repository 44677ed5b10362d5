"""An edited joint graph of attention written by hand: Inductor traces the pattern that it matches with AOTAutograd, too."""

import math

import pytest
import torch
from torch import nn

import torch_loupe

pytestmark = pytest.mark.engine


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part(x).view(2, 8, 2, 8).permute(0, 2, 1, 3) for part in (self.q, self.k, self.v))
        scores = torch.matmul(q, k.transpose(-2, -1)).div(math.sqrt(8))
        return scores.softmax(dim=-1).matmul(v).permute(0, 2, 1, 3).reshape(2, 8, 16).tanh()


@pytest.mark.thorough
def test_the_joint_graph_is_the_programs_own() -> None:
    capture = torch_loupe.capture(Attention(), torch.randn(2, 8, 16), train=True)
    joint = capture["joint"]
    tanh = next(node for node in joint.nodes if node.target == "aten.tanh.default")
    new, verdict = capture.edit(joint.replace(tanh.id, torch.ops.aten.sigmoid.default)).recompile()
    assert "aten.sigmoid.default" in [node.target for node in new["joint"].nodes]
    assert verdict.right
