"""Small programs whose compiling fails, by themselves or with a fault that a test plants."""

import torch


def Chain(chosen_by_me):
    x = torch.sin(chosen_by_me)
    x = torch.sinh(x)
    x = torch.erf(x * 2)
    x = torch.sigmoid(x)
    return x + 1


def RefusedByDynamo(x):
    if x.sum() > 0:
        return x * 2
    return x


def Broken(x):
    raise RuntimeError("by itself")


def example_inputs():
    return (torch.randn(4, 8, requires_grad=True),)
