"""Counts its calls in a list, a global, a closure and an attribute, and computes with each count."""

import os

import torch
from torch import nn

CALLS = [0]
TIMES = 0


def _count():
    inside = 0

    def counted():
        nonlocal inside
        inside += 1
        return inside

    return counted


counted = _count()


@torch.compiler.disable
def tell(text):
    """Every run that happens is written down."""
    with open(os.environ["CALLS"], "a", encoding="utf-8") as file:
        file.write(f"{text}\n")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.n = 0

    def forward(self, x):
        global TIMES
        TIMES += 1
        CALLS[0] += 1
        self.n += 1
        x = self.fc(x) * TIMES + CALLS[0]
        tell(f"net {self.n}")
        return torch.relu(x) * self.n - counted()


def example_inputs():
    """A batch."""
    return (torch.linspace(-1, 1, 24).reshape(4, 6),)
