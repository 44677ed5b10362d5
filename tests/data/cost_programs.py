"""Programs of which it is known what they cost."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(16, 16)

    def forward(self, x):
        y = torch.relu(self.inner(x))
        return torch.sin(y) + x


class Blocks(nn.Module):
    """Three that are equal."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.last = nn.Linear(16, 16)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.last(x))


class Wide(nn.Module):
    """Its inner tensors have 16,384 values each."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(128, 1, 1))

    def forward(self, x):
        return torch.sigmoid(x * self.scale).cumsum(0)


class Around(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wide = Wide()

    def forward(self, x):
        y = self.wide(x)
        return (y * y).sum()


class Doubling(nn.Module):
    """Takes what its result takes."""

    def forward(self, x):
        return x * 2


class Counting(nn.Module):
    """Another whole number each time."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(16, 16)
        self.turn = 1

    @torch.compiler.disable(recursive=False)
    def once(self, x):
        return self.scaled(x)

    def scaled(self, x):
        return torch.relu(self.linear(x)) * self.turn

    @torch.compiler.disable
    def set_turn(self, turn):
        self.turn = turn

    def forward(self, x):
        total = 0
        for turn in (3, 5, 7):
            self.set_turn(turn)
            total = total + self.once(x).sum()
        return total


def example_inputs():
    return (torch.randn(8, 16),)
