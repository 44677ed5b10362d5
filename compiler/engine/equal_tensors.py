"""Whether two tensors hold the same numbers."""

import torch


def same_numbers(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Of one shape and dtype, and equal number by number, or neither a number; on one device. Raises what torch raises for dtypes that
    it does not compare.
    """
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    one, other = one.detach(), other.detach()
    if one.is_nested and one.layout is torch.jagged:  # of which torch asks no number whether all are equal
        one, other = one.values(), other.values()
    if torch.equal(one, other):
        return True
    return bool(((one == other) | ((one != one) & (other != other))).all())
