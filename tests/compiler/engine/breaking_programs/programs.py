"""Programs that break in ways that torch counts or does not."""

import functools
import inspect
import math

import layers
import numpy
import torch
from torch import nn


def example_inputs():
    return (torch.randn(4, 4),)


def loop(x):
    for i in range(2):
        x = x + i
        print("", end="")  # loop
    return helper(x)


def helper(x):
    return x * 2


def nested(x):
    a = x + 1
    b = layers.slow(a)  # outer
    return b + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([layers.Block(), layers.Block()])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def in_library(x):
    y = x + 1
    return functools.reduce(_add, [y, y])  # library


_optimizer = torch.optim.SGD([nn.Parameter(torch.ones(2))], lr=0.1)


def takes_a_step(x):
    y = x * 2
    _optimizer.step()
    return y


def _add(a, b):
    torch._dynamo.graph_break()
    return a + b


def no_tensors(x):
    for _ in range(2):
        torch._dynamo.graph_break()
        count = only_numbers(3)
    return x * count


def only_numbers(n):  # skipped
    return math.sqrt(n)


def driver(x):
    total = x.sum()
    for number in range(12):
        torch._dynamo.graph_break()
        total = total + scaled(x, str(number))
    return total


def scaled(x, name):  # limit
    return x.sum() * len(name)


def sizes(x, flag=3):
    y = x.t()
    pair = torch.cat([y, y])
    rows = pair.shape[0]
    z, w = pair.chunk(2)
    return inner(z) + w + rows


def inner(v):
    u = v.mean(0)
    return u + v


def in_try(x):
    y = x + 1
    try:
        y = y * 2
        torch._dynamo.graph_break()  # try
        y = y + 1
    finally:
        y = y - 1
    return y


def in_with(x):
    y = x + 1
    with torch.no_grad():
        y = y * 2
        torch._dynamo.graph_break()  # with
        y = y + 1
    return y


def items(x):
    for i in range(2):
        torch._dynamo.graph_break()  # generator
        yield x + i


def from_generator(x):
    y = x * 2
    return sum(items(y))  # caller


def in_comprehension(x):
    y = x * 2
    return sum([layers.slow(y) for _ in range(2)])  # comprehension


def branches(x):
    y = x + 1
    if y.sum() > 0:  # if
        y = y * 2
    else:
        y = y * 3
    while y.sum() < -1e9:  # while
        y = y - 1
    assert y.sum() > -1e9, [y]  # assert
    return y + 1


def refused(x):
    y = x + 1
    return declined(y) * 2  # refused


@torch.compiler.disable
def declined(x):
    return x + 1


def repeated(x):
    for _ in range(5):
        x = helper(x)
    return outer_of(x)


def outer_of(x):
    return helper(x) + 1


def until_it_stays(x):
    before = -torch.ones_like(x)
    while ((before - x).abs() != 0).any():  # loop
        before = x
        x = torch.clamp(x * 1.5, max=4).round()
    return x * 2


def in_generator(x):
    if not all(torch.equal(a, b) for a, b in zip([x], [x])):  # generated
        return x + 1
    return x * 2


class Held:
    def __init__(self, x):
        self.x = x

    def doubled(self):
        torch._dynamo.graph_break()
        return self.x * 2


def not_made_again(x):
    return Held(x + 1).doubled()  # cut


def called_by_an_eager_line(x):
    torch._dynamo.graph_break()
    y = only_broken(x)  # caller
    return y + 1  # after


def only_broken(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y.sin()


def calls_numpy(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y + float(numpy.polynomial.legendre.leggauss(2)[1].sum())


def gradient_after_a_break(x):
    x = x.detach().requires_grad_()
    z = x.sin() * 2
    torch._dynamo.graph_break()
    return torch.autograd.grad(z.sum(), x)[0]


class LaidOutAfterABreak(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(8, 8, 3)

    def forward(self, x):
        return convolved(self.convolution, x)  # calls it


def convolved(convolution, x):
    torch._dynamo.graph_break()
    return convolution(x).relu() + convolution(x * 2)


@torch.library.custom_op("loupe_tests::without_fake", mutates_args=())
def without_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def fails_in_torch(x):
    return without_fake(x) + 1  # no fake


def rest_given_up(x):
    y = x.sin()
    print("here")
    try:
        y = y + torch.tensor(y.tolist()).sum()  # tolist
    except ValueError:
        pass
    return y


@torch.inference_mode()
def counted(y):
    return (y.view(2, -1) > 0).sum()  # inference


def fails_in_inference_mode(x):
    return counted((x > 0).long())


@torch.compiler.disable(recursive=False)
def count_parameters(function):
    return len(inspect.signature(function).parameters)


def asks_python_itself(x):
    return x * count_parameters(count_parameters)


def gives_up_at_a_gradient(x):
    y = (x * 2).requires_grad_(True)
    return torch.autograd.grad((y * y).sum(), y)[0]  # gradient


def fails_inside_dynamo(x):
    module = torch.fx.symbolic_trace(sum_of_cosines)
    module.meta["local_map_kwargs"] = {"in_placements": (None,) * 3, "out_placements": ((None,) * 3,)}
    y = x + 1
    return torch._higher_order_ops.local_map_hop(module, y, x)  # inside


def sum_of_cosines(a, b):
    return a.cos() + b.cos()


def fails_while_lowered(x):
    y = x.sin() + 1
    y = y.matmul(y).round()  # lowered
    return y * 2
