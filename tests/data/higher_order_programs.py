"""Programs whose graphs call graphs."""

import torch
from torch.nn.attention.flex_attention import flex_attention
from torch.utils.checkpoint import checkpoint

slopes = torch.randn(2)


def Conditional(x):
    y = torch.sin(x)
    return torch.cond(y.sum() > -1e9, lambda value: value.tanh() * 2, lambda value: value.relu(), (y,)).exp()


def Loop(x):
    start = (torch.tensor(0), x.detach().clone())
    with torch.no_grad():
        loop = torch._higher_order_ops.while_loop
        return loop(lambda i, y: i < 3, lambda i, y: (i + 1, (y * 1.5 + x).tanh()), start)[1].cos()


def Checkpointed(x):
    return checkpoint(lambda value: value.tanh().exp(), x, use_reentrant=False).cos()


def Attention(x):
    query = x.detach().view(1, 2, 4, 4)
    return flex_attention(query, query, query, score_mod=lambda score, b, h, i, j: score.tanh() + slopes[h])


def Written(x):
    y = x.detach().sin()
    y[1:] = x[1:].detach().tanh()
    return y


def example_inputs():
    return (torch.randn(4, 8, requires_grad=True),)
