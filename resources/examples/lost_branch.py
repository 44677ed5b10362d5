"""Trace's lost branch: an if on a Python flag is decided once, while compiling, and guarded."""

import torch
from torch import nn


class Branch(nn.Module):
    def __init__(self, use_relu=True):
        super().__init__()
        self.linear = nn.Linear(32, 32)
        self.use_relu = use_relu

    def forward(self, x):
        x = self.linear(x)
        if self.use_relu:
            return torch.relu(x)
        return torch.tanh(x)


def example_inputs():
    return (torch.randn(16, 32),)
