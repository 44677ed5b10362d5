"""Programs that draw random numbers, each in another way."""

import torch
import torch.nn as nn
import torch.nn.functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint


class Drops(nn.Module):
    """Dropout in three layers: each mask is another."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, x):
        x = F.dropout(F.relu(self.one(x)), 0.4)
        return self.two(F.feature_alpha_dropout(F.dropout(x, 0.1), 0.2, True))


class Attends(nn.Module):
    """Attention with dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)

    def forward(self, x):
        q, k, v = (part.view(2, 5, 2, 8).transpose(1, 2) for part in self.qkv(x.view(2, 5, 16)).chunk(3, -1))
        return F.scaled_dot_product_attention(q, k, v, dropout_p=0.3)


class Samples(nn.Module):
    """Numbers drawn as such, of every kind."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(16, 16)

    def forward(self, x):
        y = self.layer(x) + torch.randn_like(x) * torch.rand(16)
        y = y + torch.bernoulli(torch.sigmoid(y.detach())) + torch.normal(y.detach(), 0.1)
        return F.rrelu(y, training=True) + torch.empty(16).exponential_() + torch.randint(0, 9, (16,))


class Recomputes(nn.Module):
    """Dropout that the backward draws once more."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(16, 16)

    def forward(self, x):
        return checkpoint(lambda y: F.dropout(F.gelu(self.layer(y)), 0.5), x, use_reentrant=False)


class Branches(nn.Module):
    """Draws nothing; in eager mode torch compiles `cond` by itself, and fails where operations are watched."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(16, 16), nn.Linear(16, 16)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda v: torch.relu(self.one(v)), lambda v: self.two(v), (x,))
        return y * 2


class OwnGenerator(nn.Module):
    """Draws from a generator of its own, which goes on from call to call."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(16, 16)
        self.generator = torch.Generator().manual_seed(3)

    def forward(self, x):
        return self.layer(x) * torch.rand(16, generator=self.generator)


def example_inputs():
    return (torch.randn(10, 16),)
