"""A program in float64: what results are judged against where rounding may explain a difference."""

import contextlib
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.held_tensors import with_tensors
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.held_state.copied_functions import CopiedFunction, copied_function
from compiler.engine.user_program.held_state.held_by_functions import held_by
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
        target, in_place, _ = _widened_function(program.callable)
    return Program(program.kind, target, args, kwargs, program.path, program.namespace, in_place=in_place)


def _widened_function(target: Callable[..., Any]) -> CopiedFunction:
    copied = copied_function(target)
    with copied.in_place():
        for held in held_by(copied.function):
            _widen(held.value)
    for optimizer in copied.optimizers:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                _widen(parameter)  # a step alone holds no module of theirs
        for state in optimizer.state.values():
            state.update(widened(dict(state)))
    return copied


def _widen(held: torch.nn.Module | torch.Tensor) -> None:
    if isinstance(held, torch.nn.Module):
        held.double()._apply(wide_value)  # type: ignore[no-untyped-call]  # noqa: SLF001  `double` leaves complex ones as they are
    elif wide_dtype(held.dtype) not in (None, held.dtype):
        gradient, held.grad = held.grad, None
        held.data = wide_value(held.data)
        held.grad = wide_value(gradient) if gradient is not None else None
