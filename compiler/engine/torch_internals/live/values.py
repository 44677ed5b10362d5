"""Whether a result of a compiled graph is finite, found out without leaving a trace in the program."""

from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

GIVES = "stopping at NaN and Inf"
NEEDS = ("torch.utils._python_dispatch:_disable_current_modes",)


def not_finite(value: Any) -> str:
    """``3 NaN and 1 Inf``, or empty for what is finite or no tensor of floats."""
    if not isinstance(value, torch.Tensor) or not (value.is_floating_point() or value.is_complex()):
        return ""
    with torch.no_grad(), _disable_current_modes():
        plain = value.detach()
        if bool(torch.isfinite(plain).all()):
            return ""
        nans, infinite = int(torch.isnan(plain).sum()), int(torch.isinf(plain).sum())
    return " and ".join(f"{count:,} {what}" for count, what in ((nans, "NaN"), (infinite, "Inf")) if count)
