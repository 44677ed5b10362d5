"""A small training step: model and loss in one function, gradients through both."""

import torch
import torch.nn.functional as F
from torch import nn


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))

    def forward(self, x, target):
        logits = self.model(x)
        return F.cross_entropy(logits, target)


def example_inputs():
    return torch.randn(32, 64), torch.randint(0, 10, (32,))
