"""The programs whose kernels were recorded on an H200 (``shared/data/inductor_h200_torch2.11.json``), on the CPU."""

import torch
from torch import nn
from torch.nn import functional


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(512, 2048)
        self.ln = nn.LayerNorm(2048)
        self.l2 = nn.Linear(2048, 1000)

    def forward(self, x):
        h = functional.dropout(functional.relu(self.ln(self.l1(x))), 0.1, self.training)
        return functional.softmax(self.l2(h), -1)


class Attention(nn.Module):
    def __init__(self, width=512, heads=8):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.o = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            t.view(batch, length, self.h, width // self.h).transpose(1, 2) for t in self.qkv(x).chunk(3, -1)
        )
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width=512, heads=8):
        super().__init__()
        self.n1 = nn.LayerNorm(width)
        self.a = Attention(width, heads)
        self.n2 = nn.LayerNorm(width)
        self.f1 = nn.Linear(width, 4 * width)
        self.f2 = nn.Linear(4 * width, width)
        self.to(torch.bfloat16)

    def forward(self, x):
        x = x + functional.dropout(self.a(self.n1(x)), 0.1, self.training)
        return x + self.f2(functional.gelu(self.f1(self.n2(x))))


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(16, 32, 3, padding=1)
        self.b = nn.BatchNorm2d(32)
        self.f = nn.Linear(32, 10)

    def forward(self, x):
        return self.f(functional.relu(self.b(self.c(x))).mean((2, 3)))


def reduction(x):
    y = torch.softmax(x.float(), -1)
    return y.to(x.dtype), (x * x).sum(0)
