"""Hook: which operators Inductor takes as they are, behind AOTAutograd, where nothing is decomposed any more."""

from typing import Any

import torch._inductor.decomposition
import torch._inductor.lowering

GIVES = "operators that Inductor lowers"
NEEDS = ("torch._inductor.lowering:lowerings", "torch._inductor.decomposition:decompositions")


def can_lower(operator: Any) -> bool:
    """Whether Inductor has a lowering for an operator or may call it as it is; one that it would have decomposed before
    is refused by it.
    """
    return (
        operator in torch._inductor.lowering.lowerings
        or operator not in torch._inductor.decomposition.decompositions
    )
