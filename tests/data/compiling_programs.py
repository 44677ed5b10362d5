"""Programs of which a call may compile more than once."""

import torch
from torch import nn


class Small(nn.Module):
    """One graph."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Linear(8, 4)

    def forward(self, x):
        return self.one(x).relu()


@torch._dynamo.disable
def _apart(x):
    return x


def _doubled(x, times):
    x = _apart(x)
    return torch.sin(x) * times


class Again(nn.Module):
    """Compiles a function twice in one call."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Linear(8, 4)

    def forward(self, x):
        x = self.one(x)
        return _doubled(_doubled(x, 2), 3)


class EachOther(nn.Module):
    """Gives something else at each call: nobody can turn an iterator back."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = iter(range(1, 5000))

    def forward(self, x):
        return _times(x, self.numbers) + 1


@torch._dynamo.disable
def _times(x, numbers):
    return x * next(numbers)


def example_inputs():
    return (torch.randn(3, 8),)
