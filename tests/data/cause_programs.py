"""Small programs into whose compiling faults are put."""

import torch
from torch import nn


class Small(nn.Module):
    """A norm, a product, an activation and a reduction."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.up = nn.Linear(16, 48)

    def forward(self, x):
        x = self.norm(x)
        x = nn.functional.gelu(self.up(x))
        return nn.functional.softmax(x, dim=-1)


class Broken(nn.Module):
    """Two graphs, a break between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 16)
        self.second = nn.Linear(16, 16)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        torch._dynamo.graph_break()
        return torch.sigmoid(self.second(x))


class MaskIfTraced(nn.Module):
    """Tracing makes a mask that eager does without, as models of transformers do."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(16, 16)

    def forward(self, x):
        x = x.view(2, 12, 16)
        mask = None
        if torch.compiler.is_compiling():
            rows = torch.arange(12, device=x.device)
            mask = (rows[:, None] >= 0) & x.new_ones(12, 12, dtype=torch.bool)
        y = nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)
        return nn.functional.gelu(self.up(y))


def example_inputs():
    return (torch.randn(24, 16),)


class Positive(nn.Module):
    """The example's numbers are all ones."""

    def forward(self, x):
        return torch.abs(x)
