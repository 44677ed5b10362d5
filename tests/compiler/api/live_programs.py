"""Objects that tests hold themselves, as a script or a notebook would."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.dropout = nn.Dropout(0.5)
        self.fc2 = nn.Linear(16, 4)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        hidden = nn.functional.relu(self.fc1(x))
        return self.fc2(self.dropout(hidden))


def scaled(x, *, factor):
    y = torch.sin(x)
    print("between")
    return y * factor
