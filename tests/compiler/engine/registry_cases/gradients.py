"""Autograd inside a compiled function."""

import torch
from torch import nn

_INPUTS = {
    "grad_fn": "torch.randn(4, requires_grad=True)",
    "retain": "torch.randn(4, requires_grad=True)",
    "hook": "torch.randn(4, requires_grad=True)",
    "hook_in_global": "torch.randn(4, requires_grad=True)",
    "backward": "torch.randn(4, requires_grad=True)",
    "grad": "torch.randn(4, requires_grad=True)",
    "module_hook": "torch.randn(4, requires_grad=True)",
    "requires_grad_set": "torch.randn(4, requires_grad=True)",
    "custom_jvp": "torch.randn(4, requires_grad=True)",
    "custom_vjp": "torch.randn(4, requires_grad=True)",
    "mark_dirty": "torch.randn(4, requires_grad=True)",
    "save_twice": "torch.randn(4, requires_grad=True)",
    "context_method": "torch.randn(4, requires_grad=True)",
    "duplicate_input": "torch.randn(4, requires_grad=True)",
    "keyword_only": "torch.randn(4, requires_grad=True)",
    "backward_inputs": "torch.randn(4, requires_grad=True)",
    "detach_requires": "torch.randn(4, requires_grad=True)",
}
HANDLE = None


def example_inputs():
    return (torch.randn(4),)


def grad_fn(x):
    y = x * 2
    return y + (y.grad_fn is None)  # GB0104


def retain(x):
    y = x * 2
    y.retain_grad()  # GB0108
    return y


def hook_in_global(x):
    global HANDLE
    y = x * 1
    HANDLE = y.register_hook(lambda grad: grad)  # GB0100
    return y


def backward(x):
    y = (x * 2).sum()
    y.backward()  # GB0123
    return y.detach()


def grad(x):
    y = (x * 2).sum()
    return torch.autograd.grad(y, x)  # GB9186


def requires_grad_set(x):
    y = x.detach() * 2
    y.requires_grad = True  # GB0206
    return y * 2


def requires_grad_called(x):
    y = x * 2
    y.requires_grad_()  # GB8985
    return y * 2


def detach_requires(x):
    return x.detach().requires_grad_() * 2  # GB8985


def made_with_grad(x):
    return torch.ones(4, requires_grad=True) * x  # GB0225


layer = nn.Linear(4, 4)
layer.register_full_backward_hook(lambda module, before, after: None)


def module_hook(x):
    return layer(x) + 1  # GB0083


class _Jvp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

    @staticmethod
    def jvp(ctx, grad):
        return grad * 2


def custom_jvp(x):
    return _Jvp.apply(x) + 1  # GB0144


class _Vjp(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def vjp(ctx, grad):
        return grad * 2


def custom_vjp(x):
    return _Vjp.apply(x) + 1  # GB0145


class _Dirty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)  # GB0092 GB2019
        return x.add_(1)

    @staticmethod
    def backward(ctx, grad):
        return grad


def mark_dirty(x):
    return _Dirty.apply(x * 2) + 1  # GB2464


class _Odd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.name()  # GB0139
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad


def context_method(x):
    return _Odd.apply(x * 2) + 1


class _Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


def duplicate_input(x):
    return _Two.apply(x, x) + 1  # GB6297


class _Keyword(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, *, scale=2):
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        return grad


def lstm(x):
    return RNN(x.view(1, 1, 4))[0]  # GB0014


RNN = nn.LSTM(4, 4)


def functional_vmap(x):
    return torch.func.jacrev(lambda value: print("", end="") or value * 2)(x)  # GB0059 GB7299


def checkpointed(x):
    return torch.utils.checkpoint.checkpoint(
        lambda value: value.sum().item() + value,  # GB0124
        x,
        use_reentrant=False,
    )


def no_grad_print(x):
    with torch.no_grad():
        y = x + 1
        print("", end="")  # GB0059
    return y
