"""A classifier with six different graph breaks: in a loop, across functions, each one common in real code."""

import logging

import torch
from torch import nn

log = logging.getLogger("six_breaks")


def normalise(x):
    scale = x.abs().max().item()
    return x / scale


@torch.compiler.disable
def mirror(x):
    return x.flip(-1)


class SixBreaks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(32, 32) for _ in range(3))
        self.head = nn.Linear(32, 10)

    def gate(self, x):
        if x.mean() > 0:
            x = torch.relu(x)
        else:
            x = torch.tanh(x)
        return x

    def forward(self, x):
        x = normalise(x)
        x = mirror(x)
        for number, block in enumerate(self.blocks):
            x = block(x)
            print("block", number)
        x = self.gate(x)
        log.info("gate passed")
        kept = x[x.sum(dim=1) > 0]
        return self.head(kept)


def example_inputs():
    return (torch.randn(64, 32),)
