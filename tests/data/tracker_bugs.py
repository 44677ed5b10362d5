"""Programs after issues of pytorch/pytorch that torch 2.13 still has on a CPU, each called after its number."""

import torch
from torch.nn import functional

inf, nan = float("inf"), float("nan")


def i197829(x):
    x[1:] = x[:-1].clone()
    return x


def i187018(x):
    y = -x.abs()
    return torch.cat([y, y]).sum()


def i183763(x):
    return torch.sinh(x)


def i183765(x):
    return torch.cosh(x)


def i183767(x):
    return torch.asinh(x)


def i172062(grad, x, output):
    return torch.ops.aten.cumprod_backward(grad, x, 1, output)


def i183083(x):
    return torch.remainder(x, 3.14)


def i188048(a, b):
    return torch.div(a, b, rounding_mode="floor")


def i189518(x):
    ones = torch.ones(300, dtype=torch.bool)
    return ones.cumsum(0, dtype=torch.uint8).float() + x


def i197434(x):
    return functional.adaptive_max_pool2d(x.transpose(2, 3), (2, 2), return_indices=True)[1]


def i190272(x):
    samples = torch.full((1, 16, 2), 0.5, dtype=torch.float64)
    return functional.fractional_max_pool2d(x, -1, output_size=(2, 2), _random_samples=samples)


def i185464(x, target):
    return functional.multilabel_margin_loss(x, target)


def i183986(source, index):
    x = torch.zeros(1, 8).expand(4, -1)
    return x.index_add(0, index, source)


def _picked(x):
    stacked = torch.stack([x[..., k] for k in range(4)], dim=-1)
    weights = torch.tensor([1.0, -1.0], dtype=x.dtype)
    return (torch.index_select(stacked, -1, torch.tensor([0, 2])) * weights).sum(-1).reshape(())


def i188084(x):
    return torch.func.vmap(torch.func.grad_and_value(_picked))(x)


def i187580(x):
    return x * 0


def _adam_step(param, grad, m, v, count):
    count.add_(1)
    m.mul_(0.9).add_(grad, alpha=0.1)
    v.mul_(0.999).addcmul_(grad, grad, value=0.001)
    step = count.item()
    denominator = (v.sqrt() / ((1 - 0.999**step) ** 0.5)).add_(1e-8)
    param.addcdiv_(m, denominator, value=-0.001 / (1 - 0.9**step))


def i185382(param, grad):
    m, v, count = torch.zeros_like(param), torch.zeros_like(param), torch.tensor(0.0)
    for _ in range(6):
        _adam_step(param, grad, m, v, count)
    return param * 1


def i198134(x):
    return torch.acosh(x)


def i198094(x, source):
    y = torch.slice_scatter(x, source[1:3], dim=0, start=1, end=3)
    x.zero_()
    return y


def i198131(to, source):
    to[0:, :] = source[0:, :]
    source.add_(1)
    return to, source


def i198270(x):
    x.index_put_((torch.arange(x.size(0)),), x * 2.0)
    x.add_(x.flip(0))
    return x


def i198057(a, b):
    return torch.remainder(a, b)


def i198081(x):
    return torch.any(x) * 200 + 100


def i183768(x):
    return torch.acosh(x)


def i178964(a, b):
    return (a.transpose(0, 1) + b).max(dim=1)


def i196681(x):
    x = x.contiguous(memory_format=torch.channels_last)
    v = (x * 0.5) * (torch.erf(x * 0.7071067811865476) + 1)
    a = v.permute(3, 2, 1, 0)
    p = functional.pad(a, (0, 0, 0, 58), value=0.5)
    q = functional.pad(v, (0, 0, 0, 0, 0, 58), value=0.5)
    return torch.matmul(q, p)


def i188228(x):
    y = torch.arctanh_(x)
    z = functional.softmax(y / 0.007, -1)
    return torch.addcdiv(z, x, z)
