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


def example_inputs():
    return (torch.randn(24, 16),)


class Positive(nn.Module):
    """The example's numbers are all ones."""

    def forward(self, x):
        return torch.abs(x)
