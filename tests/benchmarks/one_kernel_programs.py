"""Functions that compile to one kernel each, for timing a kernel that has the caches to itself."""

import torch


def gelu(x):
    return torch.nn.functional.gelu(x)


def softmax(x):
    return torch.softmax(x, -1)


def layer_norm(x):
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


def row_sums(x):
    return x.sum(-1)


def product(x):
    return torch.mm(x, x)
