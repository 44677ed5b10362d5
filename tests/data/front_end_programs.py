"""Twelve small programs that front ends see differently (`tests/compiler/engine/test_front_end_matrix.py`)."""

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(8, 3)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


class DataIf(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x - 10


class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


class DictIn(nn.Module):
    def forward(self, d):
        return d["a"] * 2 + d["b"]


class Print(nn.Module):
    def forward(self, x):
        y = x * 2
        print("in forward")
        return y + 1


class Drop(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.5)

    def forward(self, x):
        return self.d(x) + 1


class ListComprehension(nn.Module):
    def forward(self, x):
        return torch.stack([x[i] * i for i in range(x.shape[0])]).sum(0)


class Keywords(nn.Module):
    def forward(self, x, **k):
        return x * k["scale"] + k.get("bias", 0)


class Numpy(nn.Module):
    def forward(self, x):
        import numpy as np

        return torch.from_numpy(np.tanh(x.detach().numpy())) * 2


class Item(nn.Module):
    def forward(self, x):
        return x * x.max().item()


class FactoryAndLen(nn.Module):
    def forward(self, x):
        return x + torch.rand(3) * 0 + torch.ones(3) * len(x)


class While(nn.Module):
    def forward(self, x):
        while x.abs().max() > 1:
            x = x / 2
        return x


def randn(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))
