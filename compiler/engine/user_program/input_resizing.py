"""A program's arguments with another size in one dimension, their values taken from the old ones so that indices stay
valid.
"""

from typing import Any

import torch

from compiler.engine.errors import EngineError
from compiler.engine.held_tensors import with_tensors
from compiler.engine.user_program.input_overrides import path_of, replaced
from compiler.engine.user_program.loading import Program, argument_names
from compiler.model.ir.diagnostics import Problem


def resized(
    program: Program, argument: str, dimension: int, size: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """(args, kwargs) with that size. Raises EngineError where there is no such dimension."""
    root, path = path_of(argument)
    names = argument_names(program)
    value: Any = program.args[names.index(root)] if root in names else program.kwargs.get(root)
    try:
        for step in path:
            value = value[step]
        new = _with_size(value, dimension, size)
    except (LookupError, TypeError, AttributeError) as error:
        raise EngineError(
            Problem(f"{argument} has no dimension {dimension}.", "Choose a dimension of a tensor.")
        ) from error
    if root in names:
        args = list(program.args)
        args[names.index(root)] = replaced(args[names.index(root)], path, new)
        return tuple(args), program.kwargs
    return program.args, {**program.kwargs, root: replaced(program.kwargs[root], path, new)}


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
