"""Whether two results differ by no more than rounding makes of them, judged against the program in float64."""

from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.wide_values import wide_dtype

MORE_THAN_EAGER = 32.0
"""A result that is this many times as far from float64 as eager's is rounding still: kernels that add in another order are
a few times off where little is left of large numbers, and a branch that was lost is a million times off."""


def rounding_explains(found: Any, eager: Any, wide: Any) -> str:
    """How far eager itself and what was found are from float64, in words; empty where the difference is more than that."""
    ours, theirs = _distance(found, wide), _distance(eager, wide)
    if ours is None or not theirs or ours > MORE_THAN_EAGER * theirs:
        return ""
    return f"eager itself is {theirs:.2g} from float64 here, this {ours:.2g}: rounding"


def noise_explains(found: Any, wide: Any, noisy: list[Any]) -> str:
    """How far rounding takes the program in float64 by itself (`rounding_noise`), in words, where that is as far as what was
    found; else empty.
    """
    ours = _distance(found, wide)
    moved = [far for far in (_distance(value, wide) for value in noisy) if far is not None]
    if ours is None or not moved or ours > MORE_THAN_EAGER * max(moved):
        return ""
    return f"rounding alone takes float64 {max(moved):.2g} away here, this is {ours:.2g} away"


def _distance(found: Any, wide: Any) -> float | None:
    """The largest difference of any element; None where shapes or types differ, or a value is no number."""
    ours, theirs = pytree.tree_leaves(found), pytree.tree_leaves(wide)
    if len(ours) != len(theirs):
        return None
    most = 0.0
    for one, other in zip(ours, theirs, strict=True):
        if (
            not isinstance(one, torch.Tensor)
            or not isinstance(other, torch.Tensor)
            or one.shape != other.shape
        ):
            return None
        wide = wide_dtype(one.dtype)
        if wide is None:
            if not torch.equal(one.cpu(), other.cpu()):
                return None
            continue
        if one.numel():
            most = max(most, (one.detach().cpu().to(wide) - other.cpu()).abs().max().item())
    return most if most == most else None
