"""Programs of kinds that compilers trip over: each is captured, edited, judged and timed by the sweep."""

import torch
import torch.utils.checkpoint as cp
from torch import nn


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(16, 32, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0]


class Mha(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, x):
        return self.m(x, x, x)


class Emb(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(100, 16)
        self.layer = nn.Linear(16, 100)

    def forward(self, x):
        i = (x[..., 0].abs() * 10).long().clamp(0, 99)
        return {"logits": self.layer(self.e(i)), "ids": i}


def cond(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


def mutate(x):
    y = x.clone()
    y.add_(1)
    y[0] = 3.0
    return y * 2


class Ckpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(16, 16)
        self.b = nn.Linear(16, 16)

    def forward(self, x):
        return cp.checkpoint(lambda t: self.b(torch.relu(self.a(t))), x, use_reentrant=False)


def vm(x):
    return torch.vmap(lambda r: (r * r).sum())(x)


class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.exp()


class Custom(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 16)

    def forward(self, x):
        return Fn.apply(self.layer(x))


class Loopbreak(nn.Module):
    def __init__(self):
        super().__init__()
        self.ls = nn.ModuleList(nn.Linear(16, 16) for _ in range(3))

    def forward(self, x):
        for layer in self.ls:
            x = torch.relu(layer(x))
            print("loop")
        return x


def gen(x):
    def g():
        for i in range(3):
            yield x * i

    return sum(g())


def nothing(x):
    return x


def item(x):
    n = int(x.abs().sum().item()) % 5 + 1
    return x * n


class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 16).bfloat16()

    def forward(self, x):
        return self.layer(x.bfloat16()).softmax(-1)


def example_inputs():
    return (torch.randn(4, 8, 16),)
