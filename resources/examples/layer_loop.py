"""A Python loop over layers: Dynamo unrolls it, so the graph holds every layer once."""

import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth=4, width=64):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.nn.functional.silu(layer(x))
        return x


def example_inputs():
    return (torch.randn(16, 64),)
