"""``Module.to``, ``.half()``, ``.cuda()`` on modules of fakes, which torch refuses: a fake cannot be swapped for another.

GIVES: programs that convert their module while they are loaded without values, or a part of it whenever they are called.
NEEDS: ``torch.nn.Module._apply``, and that it tells fakes by the class it imports.
"""

import contextlib
import functools
import gc
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest.mock import patch

import torch

from compiler.engine.torch_internals.patch.wrapped_tensors import with_attributes

GIVES = "conversion of modules without values"
NEEDS = ("torch.nn:Module._apply",)


@contextlib.contextmanager
def replacing() -> Iterator[None]:
    """While this is entered, a conversion puts new parameters in place of the old ones; what was shared stays shared."""
    made: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
    """Old and new by the old one's id; kept, it stays its own."""

    def converted(tensor: torch.Tensor, function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        with torch.no_grad():
            new = function(tensor)
        if new is tensor or not isinstance(tensor, torch.nn.Parameter):
            return new
        return with_attributes(torch.nn.Parameter(new.detach(), tensor.requires_grad), tensor)

    def apply(module: Any, function: Any, recurse: bool = True) -> Any:
        outermost = not depth
        depth.append(None)
        try:
            for child in module.children() if recurse else ():
                child._apply(function)
            for held in (module._parameters, module._buffers):
                for name, tensor in held.items():
                    if tensor is None:
                        continue
                    if id(tensor) not in made:
                        made[id(tensor)] = tensor, converted(tensor, function)
                    held[name] = made[id(tensor)][1]
        finally:
            depth.pop()
            if outermost:
                refer_to_new(made)
                made.clear()
        return module

    depth: list[None] = []
    with patch.object(torch.nn.Module, "_apply", apply):
        yield


def refer_to_new(made: Mapping[int, tuple[torch.Tensor, torch.Tensor]]) -> None:
    """What refers to an old parameter refers to its new one, since torch leaves a parameter itself and swaps what it holds: an
    optimizer's groups and state, a list that the program keeps. `made`: old and new by the old one's id.
    """
    new = {
        number: then
        for number, (before, then) in made.items()
        if then is not before and isinstance(before, torch.nn.Parameter)
    }
    if not new:
        return
    for holder in gc.get_referrers(*(made[number][0] for number in new)):
        if isinstance(holder, dict):
            _in_dict(holder, new)
        elif isinstance(holder, list):
            holder[:] = [new.get(id(value), value) for value in holder]
        elif isinstance(holder, set):
            for old in [value for value in holder if id(value) in new]:
                holder.remove(old)
                holder.add(new[id(old)])
        elif isinstance(holder, types.CellType):
            holder.cell_contents = new.get(id(holder.cell_contents), holder.cell_contents)
        elif isinstance(
            held := getattr(holder, "__dict__", None), dict
        ):  # an object whose dictionary was never asked for
            _in_dict(held, new)


def _in_dict(held: dict[Any, Any], new: Mapping[int, torch.Tensor]) -> None:
    """In place and in order; an optimizer's state has parameters for its keys."""
    if any(id(key) in new for key in held):
        rows = list(held.items())
        held.clear()
        held.update((new.get(id(key), key), value) for key, value in rows)
    for key, value in list(held.items()):
        if id(value) in new:
            held[key] = new[id(value)]


_DISTINGUISHES_FAKES = "from torch._subclasses.fake_tensor import FakeTensor"


@contextlib.contextmanager
def as_of_real_tensors() -> Iterator[None]:
    """While this is entered, a conversion does to fakes what it does to tensors with values, which Dynamo traces, line by line."""
    with patch.object(torch.nn.Module, "_apply", _hiding_fakes()):
        yield


@functools.cache
def _hiding_fakes() -> Callable[..., Any]:
    """Torch's own text at its own lines: a stand-in would be compiled as if it were the program's."""
    original: Any = torch.nn.Module._apply
    lines, first = inspect.getsourcelines(original)
    text = textwrap.dedent("".join(lines)).replace(_DISTINGUISHES_FAKES, "FakeTensor = int")
    names: dict[str, Any] = {}
    code = compile("\n" * (first - 1) + text, original.__code__.co_filename, "exec")
    exec(code, original.__globals__, names)
    made: Callable[..., Any] = names[original.__name__]
    made.__qualname__ = original.__qualname__
    return made
