"""Which operations draw random numbers."""

from typing import Any

import torch
import torch.fx

from compiler.engine.graph_reading import is_operator

_NAMES = (
    "dropout",
    "rand",
    "bernoulli",
    "multinomial",
    "normal",
    "uniform",
    "rrelu",
    "poisson",
    "exponential",
)


def is_random(node: torch.fx.Node) -> bool:
    """Whether a node draws random numbers, as far as its call says (dropout outside training does not)."""
    if node.op not in ("call_function", "call_method"):
        return False
    target: Any = node.target
    if is_operator(target):
        return torch.Tag.nondeterministic_seeded in target.tags or "inductor_random" in str(target)
    name = target if isinstance(target, str) else getattr(target, "__name__", "")
    if not any(part in name for part in _NAMES) or "normalize" in name:
        return False
    if "dropout" in name and len(node.args) > 2:
        return bool(node.args[2])
    return bool(node.kwargs.get("training", True))
