"""A program in float64: what results are judged against where rounding may explain a difference."""

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from compiler.engine.held_tensors import with_tensors
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.held_state.held_by_functions import held_by, roots_of
from compiler.engine.user_program.loading import Program
from compiler.engine.wide_values import wide_dtype, wide_value

Call = tuple[tuple[Any, ...], dict[str, Any]]


def widened(values: Any) -> Any:
    """The same tree with every floating tensor in float64, every complex one in complex128, detached; what required gradients still does."""

    def wide(value: torch.Tensor) -> Any:
        if wide_dtype(value.dtype) is not None:
            return wide_value(value.detach()).requires_grad_(value.requires_grad)
        return value

    return with_tensors(values, wide)


def widened_program(program: Program, call: Call | None = None) -> Program:
    """A copy with parameters and arguments in float64; `call` instead of its own arguments. It is run `in_place`. Raises what copying a
    module raises; a function that holds what cannot be copied is as it is.
    """
    args, kwargs = widened(call if call is not None else (program.args, program.kwargs))
    if program.module is not None:
        module = copied_program(program.module)
        _widen(module)
        return Program(program.kind, module, args, kwargs, program.path, program.namespace)
    target, in_place = program.callable, program.in_place
    with contextlib.suppress(Exception):  # what a session holds need not let itself be copied
        target, in_place = _widened_function(program.callable)
    return Program(program.kind, target, args, kwargs, program.path, program.namespace, in_place=in_place)


def _widened_function(
    target: Callable[..., Any],
) -> tuple[Callable[..., Any], Callable[[], contextlib.AbstractContextManager[None]]]:
    """A function, which stays, with copies of what it finds, while it runs; an object, method or partial is copied with these."""
    roots, memo = roots_of(target), dict[int, Any]()
    own = None if isinstance(target, types.FunctionType) else target
    copied, values = copied_program((own, [root.value for root in roots]), memo)
    target = target if own is None else copied

    @contextlib.contextmanager
    def in_place() -> Iterator[None]:
        try:
            for root, value in zip(roots, values, strict=True):
                root.put(value)
            yield
        finally:
            for root in roots:
                root.put(root.value)

    with in_place():
        for held in held_by(target):
            _widen(held.value)
    for made in memo.values():
        if isinstance(made, torch.optim.Optimizer):
            for state in made.state.values():
                state.update(widened(dict(state)))
    return target, in_place


def _widen(held: torch.nn.Module | torch.Tensor) -> None:
    if isinstance(held, torch.nn.Module):
        held.double()._apply(wide_value)  # type: ignore[no-untyped-call]  # noqa: SLF001  `double` leaves complex ones as they are
    elif wide_dtype(held.dtype) is not None:
        held.data = wide_value(held.data)
