"""Of its two graphs the first gives only what is detached: torch never compiles a backward for it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.second = nn.Linear(6, 6)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        torch._dynamo.graph_break()
        return torch.sigmoid(self.second(h.detach()))


def example_inputs():
    """A batch."""
    return (torch.linspace(-1, 1, 24).reshape(4, 6),)
