"""TorchScript: a branch and a loop that a trace forgets, and work for its passes: dead code, constants, conv and batch norm."""

import torch
from torch import nn
from torch.nn import functional as F


class Bent(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = F.gelu(x) * 2
        else:
            x = x - 10
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bent = Bent()
        self.conv = nn.Conv2d(3, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.scale = 2

    def forward(self, x):
        unused = x * 7  # noqa: F841  left for dead code elimination
        factor = (3 + 4) * self.scale
        y = torch.relu(self.bn(self.conv(self.bent(x))))
        a = y.sum(dim=1)
        b = y.sum(dim=1)
        z = a + b * factor
        while z.abs().max() > 100:
            z = z / 2
        return z


def example_inputs():
    return (torch.rand(2, 3, 8, 8),)
