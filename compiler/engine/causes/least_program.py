"""A small program as the text of one file that needs torch alone, and fails by an assertion."""

import base64
import io
import itertools
import platform
import re
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.fx

from compiler.engine.causes.spelled_graph import UnprintableError as UnprintableError
from compiler.engine.causes.spelled_graph import spelled
from compiler.engine.causes.subprograms import Subprogram, is_body
from compiler.engine.laid_out import laid_out, once

_FEW = 64
"""Values that are written out."""
_MODULE = "loupe_least_program_"
_numbers = itertools.count(1)


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
        return _laid_out(drawn, value).requires_grad_(value.requires_grad)
    low, high = _bounds(value)
    return _laid_out(torch.randint(low, high, value.shape, device=value.device).to(value.dtype), value)


def _laid_out(drawn: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """In memory as another lies."""
    if like.is_contiguous():
        return drawn
    return laid_out(drawn, like.stride())


def _bounds(value: torch.Tensor) -> tuple[int, int]:
    return int(value.min()), int(value.max()) + 1


def with_names_hidden(least: Subprogram) -> Subprogram:
    """The same with nothing in it that somebody named."""
    return Subprogram(_renamed(least.module), least.inputs)


def _renamed(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    bodies = torch.nn.Module()
    made: dict[torch.fx.Node, torch.fx.Node] = {}
    for number, node in enumerate(module.graph.nodes):
        name = f"x{number}"
        if node.op == "placeholder":
            made[node] = graph.placeholder(name)
            continue
        made[node] = graph.node_copy(node, made.__getitem__)
        if is_body(node):
            setattr(bodies, str(node.target), _renamed(getattr(module, str(node.target))))
        if node.op != "output":
            made[node].name = name
    return torch.fx.GraphModule(bodies, graph)


def program_text(least: Subprogram, drawn: Drawn | None, why: str) -> str:
    """The file. Raises UnprintableError."""
    return f"{program_head(least, drawn, why, _WRONG)}\n{_COMPARED}"


def program_head(least: Subprogram, drawn: Drawn | None, why: str, shows: str) -> str:
    """The file up to where something is done with the program: what it is, `program`, `example_inputs`, `step`. `shows`: how
    one sees it. Raises UnprintableError.
    """
    text = spelled(least.module)
    values = "\n".join(
        f"        {_value(tensor, drawn is not None and drawn.covers(tensor))}," for tensor in least.inputs
    )
    seeded = f"    torch.manual_seed({drawn.seed})\n" if drawn is not None else ""
    return _HEAD.format(
        why="\n".join(_wrapped(why.replace("\\", "/").replace('"""', "'''"))),
        shows=shows,
        where=where_found(any(value.is_cuda for value in least.inputs)),
        imports=f"\n{text.imports}" if text.imports else "",
        body=text.functions,
        seeded=seeded,
        values=values,
    )


def where_found(on_gpu: bool = False) -> str:
    """With what it was found: versions and the machine."""
    gpu = f", {torch.cuda.get_device_name()}" if on_gpu else ""
    return f"torch {torch.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}{gpu}"


def written(least: Subprogram) -> Callable[..., Any]:
    """The function that the file says, to be compiled as the file compiles it. Raises UnprintableError."""
    text = program_text(least, None, "")
    for name in [name for name in sys.modules.copy() if name.startswith(_MODULE)]:
        del sys.modules[name]
    module = types.ModuleType(
        f"{_MODULE}{next(_numbers)}"
    )  # each its own: Dynamo keeps what it imported by name
    sys.modules[module.__name__] = module  # for Dynamo imports the module of a function that it inlines
    exec(compile(text, "<least program>", "exec"), vars(module))
    function: Callable[..., Any] = vars(module)["program"]
    return function


def _value(tensor: torch.Tensor, drawn: bool) -> str:
    """As Python spells it, laid out in memory as it is."""
    if tensor.is_contiguous():
        return _values(tensor, drawn)
    plain = tensor.detach()
    leaf = ".requires_grad_()" if tensor.requires_grad else ""
    if (repeated := once(plain)).shape != plain.shape:
        return f"{_value(repeated, drawn)}.expand({list(plain.shape)}){leaf}"
    where = f', device="{tensor.device}"' if tensor.device.type != "cpu" else ""
    place = f"torch.empty_strided({list(tensor.shape)}, {list(tensor.stride())}, dtype={tensor.dtype}{where})"
    return f"{place}.copy_({_values(plain, drawn)}){leaf}"


def _values(tensor: torch.Tensor, drawn: bool) -> str:
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


_WRONG = "It ends with an error where compiled code is wrong: farther from float64 than eager is, by more than rounding."
_HEAD = '''"""{why}

The least program that Torch Loupe found, with {where}.
{shows}
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


def tensors(value):
    if isinstance(value, (tuple, list)):
        return [each for part in value for each in tensors(part)]
    return [value] if isinstance(value, torch.Tensor) else []


def step(function, inputs):
    """Outputs, what the inputs are then, and gradients of those that ask for them."""
    torch.manual_seed(0)
    outputs = tensors(function(*inputs))
    ends = [value for value in outputs if value.requires_grad]
    leaves = [value for value in inputs if value.requires_grad]
    found = [value.detach() for value in (*outputs, *inputs)]  # it may write to its inputs
    if ends and leaves:
        generator = torch.Generator().manual_seed(1)
        dtype = lambda end: torch.complex128 if end.is_complex() else torch.float64
        draw = lambda end: torch.randn(end.shape, generator=generator, dtype=dtype(end)).to(end)
        grads = torch.autograd.grad(ends, leaves, [draw(end) for end in ends], allow_unused=True)
        found += [grad for grad in grads if grad is not None]
    return found
'''
_COMPARED = '''
def wide_dtype(value):
    if value.is_complex():
        return torch.complex128
    return torch.float64 if value.is_floating_point() else value.dtype


def wide(value):
    return value.detach().to(wide_dtype(value)).requires_grad_(value.requires_grad)


class Wide(torch.overrides.TorchFunctionMode):
    """What the program makes itself, in float64 too."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        found = function(*args, **(kwargs or {}))
        return found.to(wide_dtype(found)) if isinstance(found, torch.Tensor) else found


def exactly():
    given, again = ([wide(value) for value in example_inputs()] for _ in range(2))
    try:
        return step(program, given)
    except RuntimeError:  # two dtypes meet
        with Wide():
            return step(program, again)


def farthest(found, exact):
    """The largest error of any tensor, over its largest value."""
    worst = 0.0
    for a, b in zip(found, exact):
        dtype = torch.complex128 if a.is_complex() or b.is_complex() else torch.float64
        a, b = a.to(dtype), b.to(dtype)
        same = (a == b) | (a.isnan() & b.isnan())
        largest = max(b[b.isfinite()].abs().flatten().tolist(), default=0.0) or 1.0
        off = torch.where(same, 0.0, (a - b).abs()) / largest
        worst = max([worst, *off.nan_to_num(nan=float("inf")).flatten().tolist()])
    return worst


if __name__ == "__main__":
    exact = exactly()
    eager = farthest(step(program, example_inputs()), exact)
    compiled = farthest(step(torch.compile(program), example_inputs()), exact)
    print(f"off by, over the largest value: eager {eager:.1e}, compiled {compiled:.1e}")
    assert compiled <= max(4 * eager, 3e-5), "compiled code is wrong"
'''
