"""Reader: whether torch's own accuracy check, which its benchmarks use, takes a result for right."""

import torch
from torch._dynamo.utils import same

GIVES = "torch's own accuracy check"
NEEDS = ("torch._dynamo.utils:same",)


def torch_agrees(result: torch.Tensor | None, eager: torch.Tensor | None, exact: torch.Tensor | None) -> bool:
    """`torch._dynamo.utils.same` with eager as the reference and float64 behind it, tolerance as torch has it (1e-4). Raises where
    one of them is missing, and what torch raises.
    """
    if result is None or eager is None or exact is None:
        raise LookupError
    if result.shape != eager.shape:
        return False
    return bool(same(eager, result, fp64_ref=exact, equal_nan=True, log_error=_quiet))


def _quiet(*_words: object) -> None:
    """What torch would log of a result that it does not take."""
