"""A module that breaks twice, for two reasons."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 8)

    def forward(self, x):
        x = self.up(x).relu()
        for _ in range(2):
            x = x * 2
        if x.sum() > 0:
            x = x + 1
        return x * x.mean().item()


def example_inputs():
    torch.manual_seed(3)
    return (torch.randn(4, 8),)
