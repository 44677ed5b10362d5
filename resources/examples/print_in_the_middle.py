"""A function with a print in the middle: one graph break, two graphs."""

import torch


def scale(x, factor):
    y = torch.sin(x) * factor
    return y + 1


def forward(x):
    y = scale(x, 2.0)
    print("half way")
    return torch.cos(y).mean(-1)


def example_inputs():
    return (torch.randn(64, 128, requires_grad=True),)
