"""Results in which a fault does not show, whatever they are compared with."""

from collections.abc import Iterator

import torch

from compiler.engine.accuracy.tolerance import GRADIENT_LEFT
from compiler.engine.user_program.stepper import AFTERWARDS, Results
from compiler.engine.wide_values import wide_dtype, wide_value


def zero_throughout(results: Results) -> tuple[str, ...]:
    """The results and gradients that are nothing but zeros: what is multiplied by them on the way may be anything."""
    return tuple(name for name, value in _given(results) if not bool(value.any()))


def not_finite_throughout(results: Results) -> tuple[str, ...]:
    """Those that are nothing but NaN or infinite: so they are too where what they are made of is wrong."""
    return tuple(name for name, value in _given(results) if not bool(value.isfinite().any()))


def empty(results: Results) -> tuple[str, ...]:
    """The results without an element (a mask that is false throughout chose them)."""
    return tuple(
        name for name, value in results.tensors.items() if not name.endswith(AFTERWARDS) and not value.numel()
    )


def _given(results: Results) -> Iterator[tuple[str, torch.Tensor]]:
    """Results and gradients of fractional numbers that have elements, wide."""
    for name, value in results.tensors.items():
        is_given = not name.endswith(AFTERWARDS) or name.endswith(GRADIENT_LEFT)
        if is_given and wide_dtype(value.dtype) is not None and value.numel():
            yield name, wide_value(value)
