"""Code without a file: dataclasses, attrs, namedtuples, exec, eval, torch.fx."""

import collections
import dataclasses

import torch


@dataclasses.dataclass
class Pair:
    a: torch.Tensor
    b: torch.Tensor = None

    def __post_init__(self):
        self.b = torch.sin(self.a)


Point = collections.namedtuple("Point", "x y")
scope = {"torch": torch}
exec(
    "def made(x):\n    y = torch.cos(x)\n    if y is not None:\n        y = torch.tan(y)\n    return y\n",
    scope,
)
made = scope["made"]
twice = eval("lambda x: torch.exp(x) + x", scope)


class Inner(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) * 2


traced = torch.fx.symbolic_trace(Inner())


def run(x):
    p = Pair(x)
    q = Point(p.a, p.b)
    y = made(q.x) + twice(q.y)
    return traced(y)


def broken(x):
    print("a")
    y = made(x)
    print("b")
    return twice(y)


def example_inputs():
    return (torch.randn(4),)
