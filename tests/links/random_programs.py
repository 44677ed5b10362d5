"""Programs made at random: a module of lines, each one operation or a few, of every kind that lowers differently.

Every constant is used once, so that it can be found again in generated code. `Choose` is what draws: hypothesis in the
tests, a seeded generator in the table.
"""

from collections.abc import Callable, Sequence
from typing import Any

Choose = Callable[[Sequence[Any]], Any]
_ROWS = 8


class _Writer:
    """The program while it is written: its lines, and the tensors that are there with their widths."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.made: list[str] = []
        self.lines: list[str] = []
        self.here: list[tuple[str, int]] = [("x", 24)]
        self.functions: list[str] = []
        self.constants = 0
        self.names = 0

    def constant(self) -> str:
        self.constants += 1
        return f"{1.0317 + 0.0173 * self.constants:.4f}"

    def fresh(self, text: str, width: int) -> None:
        self.names += 1
        self.lines.append(f"y{self.names} = {text}")
        self.here.append((f"y{self.names}", width))

    def module(self, text: str) -> str:
        self.names += 1
        self.made.append(f"self.m{self.names} = {text}")
        return f"self.m{self.names}"

    def recent(self) -> tuple[str, int]:
        return self.here[self.choose([-1, -1, -1, -2, -3]) % len(self.here) if len(self.here) > 2 else -1]

    def other(self, width: int) -> str:
        fits = [name for name, size in self.here if size == width]
        return self.choose(fits[-4:])


def _unary(w: _Writer) -> None:
    x, width = w.recent()
    called = w.choose(
        [
            "torch.sin",
            "torch.tanh",
            "torch.sigmoid",
            "torch.relu",
            "F.gelu",
            "F.silu",
            "torch.atan",
            "torch.exp",
        ]
    )
    w.fresh(f"{called}({x})", width)


def _constant(w: _Writer) -> None:
    x, width = w.recent()
    form = w.choose(
        [
            "{x} * {c}", "{x} + {c}", "{x} / {c}", "F.leaky_relu({x}, {c})", "F.elu({x}, {c})", "{c} - {x}",
            "torch.clamp({x}, min=-{c})", "F.softplus({x}, {c})", "F.threshold({x}, {c}, {d})",
            "torch.where({x} > {c}, {x}, {y})", "torch.addcmul({x}, {x}, {y}, value={c})",
        ]
    )  # fmt: skip
    w.fresh(form.format(x=x, y=w.other(width), c=w.constant(), d=w.constant()), width)


def _binary(w: _Writer) -> None:
    x, width = w.recent()
    form = w.choose(
        ["{x} + {y}", "{x} * {y}", "torch.maximum({x}, {y})", "{x} - {y}", "torch.hypot({x}, {y})"]
    )
    w.fresh(form.format(x=x, y=w.other(width)), width)


def _linear(w: _Writer) -> None:
    x, width = w.recent()
    wide = w.choose([16, 24, 24, 40])
    bias = w.choose(["", ", bias=False"])
    w.fresh(f"{w.module(f'nn.Linear({width}, {wide}{bias})')}({x})", wide)


def _matrix(w: _Writer) -> None:
    x, width = w.recent()
    weight = w.module(f"nn.Parameter(torch.randn({width}, {width}) / 8)")
    if w.choose([True, False]):
        w.fresh(f"{x} @ {weight}", width)
    else:
        w.fresh(f"torch.tanh({x} @ {x}.transpose(-1, -2)) @ {x}", width)


def _normalise(w: _Writer) -> None:
    x, width = w.recent()
    form = w.choose(
        [
            "{m}({x})",
            "F.layer_norm({x}, ({width},), eps={c})",
            "torch.softmax({x}, -1)",
            "torch.log_softmax({x}, -1)",
        ]
    )
    module = w.module(f"nn.LayerNorm({width})") if "{m}" in form else ""
    w.fresh(form.format(x=x, m=module, width=width, c=w.constant()), width)


def _reduce(w: _Writer) -> None:
    x, width = w.recent()
    form = w.choose(
        [
            "{x} * {x}.sum(-1, keepdim=True)", "{x} - {x}.mean(-1, keepdim=True)", "{x} / ({c} + {x}.var(0))",
            "{x} - {x}.amax(0, keepdim=True)", "torch.cumsum({x}, 0) * {c}",
        ]
    )  # fmt: skip
    w.fresh(form.format(x=x, c=w.constant()), width)


def _view(w: _Writer) -> None:
    x, width = w.recent()
    form = w.choose(
        [
            "{x}.flip(0)", "{x}.view(2, 4, {width}).transpose(0, 1).reshape(8, {width})", "{x}.t().contiguous().t()",
            "torch.cat([{x}[:, 4:], {x}[:, :4]], -1)", "{x}.unsqueeze(0).expand(3, 8, {width}).mean(0)",
            "torch.stack([{x}, {y}], 1).sum(1)", "F.pad({x}, (0, 2))[:, 2:]", "{x}.roll(1, 0)",
        ]
    )  # fmt: skip
    w.fresh(form.format(x=x, y=w.other(width), width=width), width)


def _unpack(w: _Writer) -> None:
    x, width = w.recent()
    w.names += 2
    a, b = f"y{w.names - 1}", f"y{w.names}"
    w.lines.append(f"{a}, {b} = {x}.chunk(2, -1)")
    w.here += [(a, width // 2), (b, width // 2)]


def _in_place(w: _Writer) -> None:
    x, width = w.recent()
    w.fresh(f"{x} * {w.constant()}", width)
    y = w.here[-1][0]
    form = w.choose(["{y} += {x}", "{y}.add_({c})", "{y}.mul_({x})", "{y} *= {c}"])
    w.lines.append(form.format(x=x, y=y, c=w.constant()))


def _drop(w: _Writer) -> None:
    x, width = w.recent()
    w.fresh(f"{w.module('nn.Dropout(0.2)')}({x})", width)


def _embed(w: _Writer) -> None:
    width = w.choose([16, 24])
    w.fresh(f"{w.module(f'nn.Embedding(50, {width})')}(ids)", width)


def _attend(w: _Writer) -> None:
    x, width = w.recent()
    if width % 4:
        return _unary(w)
    w.names += 3
    q, k, v = (f"y{w.names - item}" for item in range(3))
    linear = w.module(f"nn.Linear({width}, {3 * width})")
    w.lines.append(f"{q}, {k}, {v} = {linear}({x}).view(8, 3, 4, {width // 4}).permute(1, 2, 0, 3)")
    score = f"{q} @ {k}.transpose(-1, -2) * {w.constant()}"
    w.fresh(f"(torch.softmax({score}, -1) @ {v}).transpose(0, 1).reshape(8, {width})", width)
    return None


def _called(w: _Writer) -> None:
    x, width = w.recent()
    name = f"helper{len(w.functions)}"
    inner = w.choose(["torch.tanh(a)", "F.silu(a)", "a.mean(-1, keepdim=True)"])
    w.functions.append(f"def {name}(a):\n    b = {inner}\n    return a * {w.constant()} + b")
    w.fresh(f"{name}({x})", width)


def _repeated(w: _Writer) -> None:
    x, width = w.recent()
    layers = w.module(f"nn.ModuleList([Layer({width}), Layer({width})])")
    w.names += 1
    y = f"y{w.names}"
    w.lines += [f"{y} = {x}", f"for layer in {layers}:", f"    {y} = layer({y})"]
    w.here.append((y, width))


KINDS: tuple[Callable[[_Writer], None], ...] = (
    _unary, _constant, _constant, _binary, _binary, _linear, _linear, _matrix, _normalise, _reduce, _view, _view,
    _unpack, _in_place, _drop, _embed, _attend, _called, _repeated,
)  # fmt: skip

_TEXT = """import torch
import torch.nn.functional as F
from torch import nn


{functions}


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        y = torch.sigmoid(self.linear(x))
        return x + y * 0.7311


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x, ids):
        {lines}
        return {results}


def example_inputs():
    torch.manual_seed(0)
    return torch.randn(8, 24), torch.randint(0, 50, (8,))
"""


def random_program(choose: Choose, length: int) -> str:
    """The text of a program with a module ``Net`` of about that many lines."""
    writer = _Writer(choose)
    for _ in range(length):
        choose(KINDS)(writer)
    used = "\n".join(writer.lines)
    idle = [name for name, _ in writer.here[1:] if used.count(f"{name} ") + used.count(f"{name})") < 2]
    results = ", ".join(dict.fromkeys([*idle[-2:], writer.here[-1][0]]))
    indent = "\n        "
    return _TEXT.format(
        functions="\n\n\n".join(writer.functions),
        made=indent.join(writer.made or ["pass"]),
        lines=indent.join(writer.lines),
        results=results,
    )
