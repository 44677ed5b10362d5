"""A program of several compiled frames: a frame before a break, what resumes after it, a function called in a loop, and one
that lives in another module and reads a global there.
"""

import torch
from framed_settings import shifted
from torch import nn

FACTOR = 3.0


def scaled(x, times):
    return shifted(x) * FACTOR + times


class Framed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.wide = True

    def forward(self, x):
        hidden = self.linear(x)
        total = hidden.sum().item()
        hidden = hidden.relu() if self.wide else hidden
        with torch.no_grad():
            print("in between")
            for times in (1, 2):
                torch._dynamo.graph_break()
                hidden = hidden + scaled(hidden, times)
        return hidden * (total > 1e9)


def example_inputs():
    return (torch.randn(8, 4),)
