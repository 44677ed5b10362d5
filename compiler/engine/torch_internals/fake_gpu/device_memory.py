"""Small tensors that Inductor makes for real on the GPU (constants that it folds) get host memory. For good.

GIVES: ``aten.empty`` and ``aten.empty_strided`` for CUDA without a GPU.
NEEDS: ``torch.library`` and the operators' schemas.
"""

import warnings
from typing import Any

import torch

_kept: list[torch.library.Library] = []


def install() -> None:
    """Register both."""
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)

    def empty(size: Any, *, dtype: Any = None, **_rest: Any) -> torch.Tensor:
        return torch.empty(size, dtype=dtype, device="cpu")

    def empty_strided(size: Any, stride: Any, *, dtype: Any = None, **_rest: Any) -> torch.Tensor:
        return torch.empty_strided(size, stride, dtype=dtype, device="cpu")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library.impl("empty.memory_format", empty, "CUDA", allow_override=True)
        library.impl("empty_strided", empty_strided, "CUDA", allow_override=True)
