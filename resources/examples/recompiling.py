"""A program that recompiles: the batch size changes from call to call."""

import torch
from torch import nn


class Changing(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(32, 32)

    def block(self, x):
        return torch.relu(self.linear(x))

    @torch.compiler.disable
    def batches(self, x):
        return [x[:4], x[:8], x[:16]]

    def forward(self, x):
        total = 0
        for part in self.batches(x):
            total = total + self.run(part).sum()
        return total

    @torch.compiler.disable(recursive=False)
    def run(self, x):
        return self.block(x)


def example_inputs():
    return (torch.randn(16, 32),)
