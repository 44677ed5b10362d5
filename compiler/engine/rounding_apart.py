"""Whether two results differ by no more than rounding makes of them, judged against the program in float64."""

import copy
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.program import Program
from compiler.engine.running import unchanged_state

_MORE_THAN_EAGER = 32.0
"""A result that is this many times as far from float64 as eager's is rounding still: kernels that add in another order are
a few times off where little is left of large numbers, and a branch that was lost is a million times off."""


def rounding_explains(
    found: Any, eager: Any, program: Program, call: tuple[tuple[Any, ...], dict[str, Any]], seed: int
) -> str:
    """How far eager itself and what was found are from float64, in words; empty where the difference is more than that.

    `call` is given in its own dtype. A program that cannot be run in float64 explains nothing.
    """
    wide = _in_float64(program, call, seed)
    if wide is None:
        return ""
    ours, theirs = _distance(found, wide), _distance(eager, wide)
    if ours is None or not theirs or ours > _MORE_THAN_EAGER * theirs:
        return ""
    return f"eager itself is {theirs:.2g} from float64 here, this {ours:.2g}: rounding"


def _in_float64(program: Program, call: tuple[tuple[Any, ...], dict[str, Any]], seed: int) -> Any:
    try:
        target = program.callable
        if program.module is not None:
            target = copy.deepcopy(program.module).double()
        args, kwargs = pytree.tree_map(_widened, call)
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            with unchanged_state(target if isinstance(target, torch.nn.Module) else None):
                return target(*args, **kwargs)
    except Exception:  # noqa: BLE001  a program need not be able to run in another precision
        return None


def _widened(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().double()
    return value


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
        if not one.is_floating_point():
            if not torch.equal(one.cpu(), other.cpu()):
                return None
            continue
        if one.numel():
            most = max(most, (one.detach().cpu().double() - other.cpu()).abs().max().item())
    return most if most == most else None
