"""Programs of many kinds, each with an operation that is changed in the source and in the graph."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

B, T, C = 2, 6, 16


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(C, C, bias=False) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(q @ k.transpose(1, 2) / 4.0, -1)
        return weights @ v


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(C, 2 * C)

    def forward(self, x):
        a, b = self.up(x).chunk(2, -1)
        return a * torch.sigmoid(b)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(2 * C, C)

    def forward(self, x):
        state = x.new_zeros(x.shape[0], C)
        for step in range(3):
            state = torch.tanh(self.cell(torch.cat([x[:, step], state], -1)))
        return state


class Convolved(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv1d(T, T, 3, padding=1), nn.GroupNorm(2, T)

    def forward(self, x):
        return F.leaky_relu(self.norm(self.conv(x)))


class Buffered(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(C, C)
        self.register_buffer("mean", torch.zeros(C))

    def forward(self, x):
        y = self.linear(x)
        with torch.no_grad():
            self.mean.mul_(0.9).add_(y.mean((0, 1)), alpha=0.1)
        return F.softplus(y - self.mean)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(11, C)
        self.head = nn.Linear(C, 11, bias=False)
        self.head.weight = self.table.weight

    def forward(self, x):
        ids = (x[..., 0].abs() * 5).long() % 11
        return F.log_softmax(self.head(F.relu6(self.table(ids))), -1)


class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(C, 3), nn.Linear(C, 5)

    def forward(self, x):
        h = F.hardswish(x)
        return {"one": self.one(h), "two": [self.two(h), h.sum()]}


class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(C, C), nn.LayerNorm(C)

    def forward(self, x):
        return self.norm(x + F.dropout(self.linear(x), 0.2, self.training))


class Lowered(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(C, C).to(torch.bfloat16)

    def forward(self, x):
        return F.elu(self.linear(x.to(torch.bfloat16))).float() + x


class Viewed(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(C))

    def forward(self, x):
        y = x.clone()
        y[:, 1:3].mul_(2.0)
        return torch.atan(y * self.scale)[:, ::2], y


def example_inputs():
    return (torch.linspace(-2, 2, B * T * C).reshape(B, T, C),)
