"""``nn.Lazy*`` modules: which parameters had no shape, which they got, and which call gave it to them."""

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.parameter import is_lazy

from compiler.engine.front_ends.lazy_tensor.sync_tracing import Stack, users_stack
from compiler.engine.user_program.checked_loading import load_on_device
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec


@dataclasses.dataclass
class Filled:
    """One module that got its shapes at its first call."""

    name: str
    before: str
    after: str
    inputs: tuple[str, ...]
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    stack: Stack


def filled_modules(program: Program, spec: CaptureSpec) -> tuple[Filled, ...]:
    """Load the program afresh and run it once, since it has been run already; in the order the modules are filled."""
    if not program.modules():
        return ()
    fresh = load_on_device(spec).program
    lazy = {
        (prefix + name).rstrip("."): part
        for prefix, module in fresh.modules()
        for name, part in module.named_modules()
        if _is_unfilled(part)
    }
    found: list[Filled] = []
    for name, part in lazy.items():
        _watch(name, part, found)
    if lazy:
        with torch.no_grad():
            fresh.callable(*fresh.args, **fresh.kwargs)
    for row in found:
        part = lazy[row.name]
        row.after = type(part).__name__
        row.shapes = tuple(
            (name, tuple(value.shape))
            for name, value in (*part.named_parameters(recurse=False), *part.named_buffers(recurse=False))
        )
    return tuple(found)


def _is_unfilled(part: torch.nn.Module) -> bool:
    own = (*part.parameters(recurse=False), *part.buffers(recurse=False))
    return isinstance(part, LazyModuleMixin) and any(is_lazy(value) for value in own)


def _watch(name: str, part: Any, found: list[Filled]) -> None:
    original: Callable[..., Any] = part.initialize_parameters

    def initialize_parameters(*args: Any, **kwargs: Any) -> Any:
        shapes = tuple(str(list(value.shape)) for value in args if isinstance(value, torch.Tensor))
        found.append(Filled(name, type(part).__name__, "", shapes, (), users_stack()))
        return original(*args, **kwargs)

    part.initialize_parameters = initialize_parameters


def filled_table(rows: tuple[Filled, ...]) -> str:
    """The modules in the order they were filled."""
    lines = [f"{'module':<24}{'was':<22}{'became':<18}{'by an input of':<22}parameters"]
    for row in rows:
        shapes = ", ".join(f"{name} {list(shape)}" for name, shape in row.shapes)
        lines.append(f"{row.name:<24}{row.before:<22}{row.after:<18}{', '.join(row.inputs):<22}{shapes}")
    return "\n".join(lines)
