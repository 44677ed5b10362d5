"""A program's arguments with another size in one dimension, their values taken from the old ones so that indices stay
valid.
"""

from typing import Any

import torch

from compiler.engine.errors import EngineError
from compiler.engine.held_tensors import with_tensors
from compiler.engine.user_program.input_overrides import argument_at, with_argument
from compiler.engine.user_program.program import Program


def resized(
    program: Program, argument: str, dimension: int, size: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """(args, kwargs) with that size. Raises EngineError where there is no such dimension."""
    try:
        new = _with_size(argument_at(program, argument), dimension, size)
    except (LookupError, TypeError, AttributeError) as error:
        raise EngineError(
            f"{argument} has no dimension {dimension}.", "Choose a dimension of a tensor."
        ) from error
    return with_argument(program, argument, new)


def resized_everywhere(program: Program, old: int, size: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """(args, kwargs) in which every dimension of size `old` has another size."""

    def change(value: torch.Tensor) -> torch.Tensor:
        for dimension, length in enumerate(value.shape):
            if length == old:
                value = _with_size(value, dimension, size)
        return value

    args, kwargs = with_tensors((program.args, program.kwargs), change)
    return args, kwargs


def _with_size(value: torch.Tensor, dimension: int, size: int) -> torch.Tensor:
    index = torch.arange(size, device=value.device) % max(int(value.shape[dimension]), 1)
    new = value.detach().index_select(dimension, index).requires_grad_(value.requires_grad)
    vars(new).update({key: kept for key, kept in vars(value).items() if key.startswith("_dynamo")})
    return new
