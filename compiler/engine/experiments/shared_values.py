"""One program given the weights and arguments of another, which it was made as: what is compared must be of the same numbers."""

import torch
from torch.utils import _pytree as pytree

from compiler.engine.user_program.held_state.held_by_functions import tensors_of
from compiler.engine.user_program.program import Program

_OTHERS = ["The changed program has other parameters, so its results are its own."]


def share_values(before: Program, after: Program) -> list[str]:
    """What both hold by a name; why the results of `after` are its own, where they do not hold the same."""
    reported = _share_state(before, after)
    old = pytree.tree_leaves((before.args, before.kwargs))
    new = pytree.tree_leaves((after.args, after.kwargs))
    with torch.no_grad():
        for one, other in zip(old, new, strict=False):
            if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor) and one.shape == other.shape:
                other.copy_(one)
    return reported


def _share_state(before: Program, after: Program) -> list[str]:
    if before.module is not None and after.module is not None:
        try:
            after.module.load_state_dict(before.module.state_dict())
        except RuntimeError:
            return _OTHERS
        return []
    old, new = dict(tensors_of(before.callable)), dict(tensors_of(after.callable))
    if {name: value.shape for name, value in old.items()} != {
        name: value.shape for name, value in new.items()
    }:
        return _OTHERS
    with torch.no_grad():
        for name, value in new.items():
            if value is not old[name]:
                value.copy_(old[name])
    return []
