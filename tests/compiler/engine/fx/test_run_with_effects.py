"""What a graph writes is written to what it was given and holds, in float64 too; NaN in memory that is shared is no write."""

import torch
from torch import nn

from compiler.engine.fx.interpreter import run_with_effects


class Writes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("var", torch.ones(3))
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        self.weight.mul_(0.1)
        normal = nn.functional.batch_norm(x, self.mean, self.var, training=True)
        x.add_(1)
        return normal + y


def test_inputs_and_what_the_graph_holds() -> None:
    x, y = torch.randn(8, 3), torch.full((1,), float("nan")).expand(3)
    narrow, wide = Writes(), Writes()
    given = x.clone(), x.clone()
    with torch.no_grad():
        graph = torch.fx.symbolic_trace(narrow)
        run_with_effects(graph, (given[0], y), False)
        run_with_effects(torch.fx.symbolic_trace(wide), (given[1], y), True)
    assert torch.equal(given[0], x + 1)
    assert torch.equal(given[1], x + 1)
    assert narrow.weight.tolist() == wide.weight.tolist() == torch.full((3,), 0.1).tolist()
    for name in ("mean", "var"):
        assert not torch.equal(getattr(wide, name), getattr(Writes(), name))
        torch.testing.assert_close(getattr(wide, name), getattr(narrow, name))
    assert wide.weight.dtype == wide.mean.dtype == torch.float32
