"""A program in float64: what results are judged against where rounding may explain a difference."""

from typing import Any

import torch

from compiler.engine.held_tensors import with_tensors
from compiler.engine.torch_internals.patch.copied_programs import copied_program
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
    """A copy with parameters and arguments in float64; `call` instead of its own arguments. Raises what copying raises."""
    target = program.callable
    if program.module is not None:
        target = copied_program(program.module).double()
        target._apply(wide_value)  # type: ignore[no-untyped-call]  # noqa: SLF001  `double` leaves complex ones as they are
    args, kwargs = widened(call if call is not None else (program.args, program.kwargs))
    return Program(program.kind, target, args, kwargs, program.path, program.namespace)
