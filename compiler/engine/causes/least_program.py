"""A small program as the text of one file that needs torch alone, and fails by an assertion."""

import base64
import io
import platform
import re
import textwrap
from typing import NamedTuple

import torch
import torch.fx

from compiler.engine.causes.subprograms import Subprogram

_FEW = 64
"""Values that are written out."""
_IMPORTS = {
    "torch": "",
    "device": "from torch import device",
    "inf": "from math import inf",
    "nan": "from math import nan",
}


class UnprintableError(Exception):
    """Something in it has no spelling."""


class Drawn(NamedTuple):
    """How the inputs are drawn."""

    seed: int
    whole_numbers: bool = False
    """Whether those that are no floating numbers are drawn too, within the bounds that they had."""

    def covers(self, value: torch.Tensor) -> bool:
        """Whether an input is drawn."""
        plain = value.numel() > 0 and not value.is_complex()
        return value.is_floating_point() or (self.whole_numbers and plain)


def draws(inputs: list[torch.Tensor], drawn: Drawn) -> list[torch.Tensor]:
    """Inputs like others, drawn as `program_text` writes it; what is not drawn keeps its values."""
    torch.manual_seed(drawn.seed)
    return [_like(value) if drawn.covers(value) else value for value in inputs]


def _like(value: torch.Tensor) -> torch.Tensor:
    if value.is_floating_point():
        drawn = torch.randn(value.shape, dtype=value.dtype, device=value.device)
        return drawn.requires_grad_(value.requires_grad)
    low, high = _bounds(value)
    return torch.randint(low, high, value.shape, device=value.device).to(value.dtype)


def _bounds(value: torch.Tensor) -> tuple[int, int]:
    return int(value.min()), int(value.max()) + 1


def with_names_hidden(least: Subprogram) -> Subprogram:
    """The same with nothing in it that somebody named."""
    graph = torch.fx.Graph()
    made: dict[torch.fx.Node, torch.fx.Node] = {}
    for number, node in enumerate(least.module.graph.nodes):
        name = f"x{number}"
        if node.op == "placeholder":
            made[node] = graph.placeholder(name)
            continue
        made[node] = graph.node_copy(node, made.__getitem__)
        if node.op != "output":
            made[node].name = name
    return Subprogram(torch.fx.GraphModule(least.module, graph), least.inputs)


def program_text(least: Subprogram, drawn: Drawn | None, why: str) -> str:
    """The file. Raises UnprintableError."""
    code = least.module.graph.python_code("self")
    body = re.sub(r"def forward\(self, ?", "def program(", code.src.strip(), count=1)
    body = re.sub(r";  (\w+ = )+None", "", body)  # torch.fx lets go of values early
    if "self." in body:
        raise UnprintableError("it calls a graph inside the graph")
    used = {name for name in code.globals if re.search(rf"\b{re.escape(name)}\b", body)}
    unknown = used - set(_IMPORTS)
    if unknown:
        raise UnprintableError(f"it calls {', '.join(sorted(unknown))}, which is none of torch's")
    imports = "\n".join(filter(None, (_IMPORTS[name] for name in sorted(used))))
    values = "\n".join(
        f"        {_value(tensor, drawn is not None and drawn.covers(tensor))}," for tensor in least.inputs
    )
    seeded = f"    torch.manual_seed({drawn.seed})\n" if drawn is not None else ""
    gpu = f", {torch.cuda.get_device_name()}" if any(value.is_cuda for value in least.inputs) else ""
    return _FILE.format(
        why="\n".join(_wrapped(why.replace("\\", "/").replace('"""', "'''"))),
        torch=torch.__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}{gpu}",
        imports=f"\n{imports}" if imports else "",
        body=body,
        seeded=seeded,
        values=values,
    )


def _value(tensor: torch.Tensor, drawn: bool) -> str:
    where = f', device="{tensor.device}"' if tensor.device.type != "cpu" else ""
    grad = ".requires_grad_()" if tensor.requires_grad else ""
    if drawn and tensor.is_floating_point():
        return f"torch.randn({list(tensor.shape)}, dtype={tensor.dtype}{where}){grad}"
    if drawn:
        low, high = _bounds(tensor)
        return f"torch.randint({low}, {high}, {list(tensor.shape)}{where}).to({tensor.dtype})"
    if tensor.numel() <= _FEW and not tensor.dtype.is_complex:
        numbers = re.sub(r"\b(inf|nan)\b", r'float("\1")', str(tensor.detach().cpu().tolist()))
        return f"torch.tensor({numbers}, dtype={tensor.dtype}{where}){grad}"
    kept = io.BytesIO()
    torch.save(tensor.detach().cpu().contiguous(), kept)
    text = base64.b64encode(kept.getvalue()).decode()
    return f'saved("{text}").to("{tensor.device}"){grad}'


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100)


_FILE = '''"""{why}

The least program that Torch Loupe found, with torch {torch}, Python {python}, {machine}.
It ends with an error where compiled code is wrong: farther from float64 than eager is, by more than rounding.
"""

import base64
import io

import torch{imports}


{body}


def saved(text):
    return torch.load(io.BytesIO(base64.b64decode(text)), weights_only=True)


def example_inputs():
{seeded}    return (
{values}
    )


def step(function, inputs):
    """Outputs, and gradients of the inputs that ask for them."""
    torch.manual_seed(0)
    outputs = [value for value in function(*inputs) if isinstance(value, torch.Tensor)]
    ends = [value for value in outputs if value.requires_grad]
    leaves = [value for value in inputs if value.requires_grad]
    found = [value.detach() for value in outputs]
    if ends and leaves:
        generator = torch.Generator().manual_seed(1)
        draw = lambda end: torch.randn(end.shape, generator=generator, dtype=torch.float64).to(end)
        grads = torch.autograd.grad(ends, leaves, [draw(end) for end in ends], allow_unused=True)
        found += [grad for grad in grads if grad is not None]
    return found


def wide(value):
    if not value.is_floating_point():
        return value
    return value.detach().double().requires_grad_(value.requires_grad)


def farthest(found, exact):
    """The largest error of any tensor, over its largest value."""
    rows = [(a.double() - b.double()).abs().max() / b.double().abs().max() for a, b in zip(found, exact) if b.numel()]
    return max(float(row.nan_to_num(nan=float("inf"))) for row in rows)


if __name__ == "__main__":
    exact = step(program, [wide(value) for value in example_inputs()])
    eager = farthest(step(program, example_inputs()), exact)
    compiled = farthest(step(torch.compile(program), example_inputs()), exact)
    print(f"off by, over the largest value: eager {{eager:.1e}}, compiled {{compiled:.1e}}")
    assert compiled <= max(4 * eager, 3e-5), "compiled code is wrong"
'''
