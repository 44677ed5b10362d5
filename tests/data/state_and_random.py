"""Programs that keep state outside their modules, draw random numbers, or do both."""

import random

import torch
import torch.nn as nn

calls = []


def alternating(x):
    calls.append(1)
    return x * 2 + len(calls) % 2


def of_python(x):
    return x * random.random()


class CountsAndDrops(nn.Module):
    """The counter is lost by a trace of modules; the random numbers are not."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.register_buffer("n", torch.tensor(0))

    def forward(self, x):
        self.n += 1
        return self.drop(x) * self.n


class ScalesByCounter(nn.Module):
    """AOTAutograd keeps the counter for the backward, and counts it twice."""

    def __init__(self):
        super().__init__()
        self.fc, self.drop = nn.Linear(4, 4), nn.Dropout(0.5)
        self.register_buffer("n", torch.tensor(0))

    def forward(self, x):
        self.n += 1
        return self.drop(self.fc(x)) * self.n
