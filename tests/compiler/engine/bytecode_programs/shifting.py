"""Programs whose instructions Dynamo numbers otherwise than Python does; each is called with one tensor."""

import torch


class Scaled(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x)


class Shifted(Scaled):
    """super() without arguments, slices, a jump on None, and one over more than 255 units: each moves what follows."""

    def forward(self, x, y=None, z=None, big=False):
        if y is not None:
            x = x + y
        if z is None:
            x = torch.sin(x)
        if big:
            x = torch.exp(x) + torch.log(x) + torch.sqrt(x) + torch.abs(x) + torch.erf(x) + torch.ceil(x)
            x = torch.exp(x) + torch.log(x) + torch.sqrt(x) + torch.abs(x) + torch.erf(x) + torch.ceil(x)
            x = torch.exp(x) + torch.log(x) + torch.sqrt(x) + torch.abs(x) + torch.erf(x) + torch.ceil(x)
        x = super().forward(x)
        low, high = 1, x.shape[0]
        first = torch.cos(x[low:high])
        second = helper(first, scale=None)
        a, b = first, second
        return torch.relu(a) + torch.floor(b)


def helper(x, scale):
    x = torch.neg(x) if scale is None else x * scale
    return torch.erf(x)


def broken(x, y=None):
    if y is not None:
        x = x + y
    x = torch.sin(x)
    print("between")
    x = helper(x, None) if y is None else x
    x = torch.cos(x)
    if x.sum() > 0:
        x = torch.neg(x)
    return torch.tanh(x)
