"""Tensors in float64, and complex ones in complex128: what results are judged against where rounding may explain a difference."""

from typing import Any

import torch


def wide_dtype(dtype: torch.dtype) -> torch.dtype | None:
    """None where numbers are not rounded."""
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else None


def wide_value(value: Any) -> Any:
    """A tensor of floating or complex numbers widened; anything else as it is.

    So is what is wide already: between the nodes of a transform of torch.func even a conversion that does nothing makes a value of
    the level that is about to end.
    """
    if not isinstance(value, torch.Tensor):
        return value
    wide = wide_dtype(value.dtype)
    return value if wide is None or value.dtype is wide else value.to(wide)
