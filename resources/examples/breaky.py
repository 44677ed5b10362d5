"""An MLP with dropout and relu that breaks twice: a print, and an if on a tensor's value."""

import torch
from torch import nn


class Breaky(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 128)
        self.fc2 = nn.Linear(128, 128)
        self.fc3 = nn.Linear(128, 10)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        x = self.dropout(torch.relu(self.fc1(x)))
        print("hidden layer done")
        x = torch.relu(self.fc2(x))
        if x.mean() > 0:
            x = x * 2
        else:
            x = x - 1
        return self.fc3(x)


def example_inputs():
    return (torch.randn(32, 64),)
