"""Programs that do more than return a result (`tests/compiler/engine/accuracy/test_differential_test.py`)."""

import torch
from torch import nn


def ones() -> torch.Tensor:
    return torch.ones(3)


class Writes(nn.Module):
    """Writes to its argument."""

    def forward(self, x):
        x.add_(1)
        return x * 2


class Averages(nn.Module):
    """Batch norm's averages move, and a parameter is trained."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.norm(x))


class Counts(nn.Module):
    """An attribute that is no tensor counts the calls, and another keeps the last input."""

    def __init__(self):
        super().__init__()
        self.calls = 0
        self.seen = []

    def forward(self, x):
        self.calls += 1
        self.seen.append(x.sum())
        return x + 1


class Cut(nn.Module):
    """Half of the way back is cut."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x):
        with torch.no_grad():
            y = x * self.weight
        return y + x * self.weight


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Rounds(nn.Module):
    """Another gradient than that of its operations: what is captured below autograd has zeros."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.3))

    def forward(self, x):
        return Straight.apply(x * self.weight)


class Transposed(nn.Module):
    def forward(self, x):
        return x.t()


class Noisy(nn.Module):
    def forward(self, x):
        return x + torch.rand_like(x)


class Drops(nn.Module):
    """The gradient of the last weight is of what was dropped."""

    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(nn.functional.dropout(x, 0.5))


SHARED = nn.BatchNorm1d(4)


def uses_shared(x):
    return SHARED(x)


class KeepsRandomState(nn.Module):
    """Keeps the state that it draws from, as reversible layers do."""

    kept: object = None

    def forward(self, x):
        self.kept = torch.get_rng_state()
        return x + torch.rand(x.shape)


class NoWayBack(torch.autograd.Function):
    """Its backward fails."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise TypeError("expected a state, but got None")


class FailsBackwards(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        return self.linear(NoWayBack.apply(x * self.linear.bias.sum()))
