"""Gradients are taken in another thread, as autograd does for a GPU: settings of torch made here are not made there."""

import threading

import torch
from torch import nn

net = nn.Linear(6, 6)


@torch.compiler.disable
def train(h):
    thread = threading.Thread(target=h.sum().backward)
    thread.start()
    thread.join()


def step(x):
    h = torch.tanh(net(x)) * torch.sigmoid(x)
    train(h)
    return h.detach()


def example_inputs():
    """A batch."""
    return (torch.linspace(-1, 1, 24).reshape(4, 6),)
