"""Programs made at random of views, equal calls, unused calls and work in place, read by Dynamo into one graph."""

import linecache
import random
from typing import Any

import torch

_CALLS = (
    """
{a} + {b}|{a} * {b}|torch.sin({a})|torch.zeros_like({a})|torch.ones_like({a})|{a}.clone()|{a}.view(-1).view(4, 4)|{a}.t()
torch.rand_like({a})|F.dropout({a}, 0.5, True)|{a}.contiguous()|{a}.to(torch.float32)|torch.empty(4, 4).copy_({a})
torch.where({a} > 0, {a}, {b})|torch.relu({a})|{a}.unsqueeze(0).squeeze(0)|torch.randn(4, 4)|torch.add({a}, {b}, alpha=2)
{a}.reshape(4, 4)|torch.stack([{a}, {b}]).sum(0)|{a}.chunk(2)[0].repeat(2, 1)|{a}.sum() + {b}|torch.cumsum({a}, 0)|{a}.detach()
F.batch_norm({a}, self.mean, self.variance, training=True)|self.norm({a})|self.drop({a})|{a}[torch.tensor([1, 0, 3, 2])]
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
_WRITES = (
    """
{a}.add_(1)|{a}.mul_({b})|{a} += {b}|{a} -= {a}|{a}[0] = {b}[1]|{a}.zero_()|torch.relu_({a})|{a}.copy_({b})|{a}[:, 0] *= 2
torch.add({a}, {b}, out={c})|torch.sin({a}, out={c})|F.relu({a}, inplace=True)|F.dropout({a}, 0.5, True, inplace=True)
{a}.t().add_(1)|{a}[1:3].mul_(2)|{a}.view(-1)[3] = 7.0|torch._foreach_add_([{a}, {b}], 1)|{a}.masked_fill_({b} > 0, 0.5)
{a}.normal_()|{a}.uniform_(0, 1)|self.kept.add_({a})|self.mean.mul_(0.5)|{a}.t_()|{a}.index_fill_(0, torch.tensor([1]), 3.0)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
_PROGRAM = """import torch
import torch.nn.functional as F


class Program(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop = torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5)
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("variance", torch.ones(4))
        self.register_buffer("kept", torch.zeros(4, 4))

    def forward(self, x):
        {lines}
        return ({results},)
"""
Outcome = list[torch.Tensor]


def program(seed: int) -> str:
    """A module of the name ``Program`` that takes a tensor of 4 by 4."""
    draw = random.Random(seed)
    names, lines, made = ["x", "y0"], ["y0 = x * 1.5"], list[str]()
    for _ in range(draw.randint(4, 14)):
        a, b, c = (draw.choice(names) for _ in range(3))
        if draw.random() < 0.35:
            lines.append(draw.choice(_WRITES).format(a=a, b=b, c=c))
            continue
        again = bool(made) and draw.random() < 0.45
        made.append(draw.choice(made) if again else draw.choice(_CALLS).format(a=a, b=b))
        names.append(f"y{len(made)}")
        lines.append(f"{names[-1]} = {made[-1]}")
    results = draw.sample(names, min(len(names), draw.randint(1, 3)))
    return _PROGRAM.format(lines="\n        ".join(lines), results=", ".join(results))


def dynamo_graph(seed: int) -> tuple[torch.fx.GraphModule, list[Any]] | None:
    """What Dynamo reads it into, with its inputs; None where the program fails by itself, or is not one graph."""
    text, name, namespace = program(seed), f"<program {seed}>", dict[str, Any]()
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), namespace)
    read: list[tuple[torch.fx.GraphModule, list[Any]]] = []

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        read.append((module, list(inputs)))
        return module

    module = namespace["Program"]()
    torch.compiler.reset()
    try:
        module(torch.randn(4, 4))
        torch.compile(module, backend=backend, fullgraph=True)(torch.randn(4, 4))
    except Exception:
        return None
    return read[0] if len(read) == 1 else None


def outcome(module: torch.fx.GraphModule, inputs: list[Any]) -> Outcome:
    """What comes of a call of a copy: results, then the inputs and the buffers afterwards."""
    torch.manual_seed(0)
    given = [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    results = module(*given)
    tensors = [value for value in (*results, *given) if isinstance(value, torch.Tensor)]
    return [value.detach().clone() for value in tensors]
