"""Calls into another file that break there."""

import time

import torch
from torch import nn


def slow(x):
    y = x * 2
    time.sleep(0)
    return y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(4, 4), Breaking())

    def forward(self, x):
        return self.inner(x) + 1


class Breaking(nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        torch._dynamo.graph_break()
        return y
