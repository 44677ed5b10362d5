"""Programs whose values are no numbers, by known lines."""

import torch
from torch import nn


class Logarithm(nn.Module):
    """log of zeros is minus infinity, and zero times that is NaN."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 4)

    def forward(self, x):
        scores = torch.log(self.first(x).relu())
        held = scores * 0.0
        return self.second(held)


class Backwards(nn.Module):
    """Finite forward; the gradient of a root at zero is not."""

    def forward(self, x):
        return torch.sqrt(x - x.detach()).sum()


class Large(nn.Module):
    """Finite in float32, too large for float16."""

    def forward(self, x):
        return (x.abs() + 1) * 1e6


class Masked(nn.Module):
    """Minus infinity from a constant, as masks have it; the result is finite."""

    def forward(self, x):
        return torch.softmax(
            torch.where(x > 0, x, torch.full((), float("-inf"))).cummax(-1).values[..., -1:], -1
        )
