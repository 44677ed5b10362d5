"""A function that finds copies of all that it holds: a module can be copied as it is, and what a function holds stands in files and
closures, where others find it too.
"""

import contextlib
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import torch

from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.held_state.held_by_functions import roots_of


class CopiedFunction(NamedTuple):
    """What is called, and what it is to be called within."""

    function: Callable[..., Any]
    in_place: Callable[[], AbstractContextManager[None]]
    """The copies stand where the function finds them, and afterwards what stood there."""
    optimizers: list[torch.optim.Optimizer]
    """Copies, of copied parameters."""


def copied_function(target: Callable[..., Any]) -> CopiedFunction:
    """A function is itself; an object, a method and a partial are copied with what they find. Raises what copying raises."""
    roots, memo = roots_of(target), dict[int, Any]()
    stays = isinstance(target, types.FunctionType)
    given: Any = None if stays else target
    copied, values = copied_program((given, [root.value for root in roots]), memo)
    originals = memo.get(id(memo), ())  # kept there by copy itself
    for old in originals:  # torch copies a parameter without its gradient
        if isinstance(old, torch.nn.Parameter) and old.grad is not None:
            memo[id(old)].grad = old.grad.detach().clone()

    @contextlib.contextmanager
    def in_place() -> Iterator[None]:
        try:
            for root, value in zip(roots, values, strict=True):
                root.put(value)
            yield
        finally:
            for root in roots:
                root.put(root.value)

    optimizers = [made for made in memo.values() if isinstance(made, torch.optim.Optimizer)]
    return CopiedFunction(target if stays else copied, in_place, optimizers)
