"""Kernels of ours for operators of torch, for good.

GIVES: a shape function, or a kernel, where torch has none without a GPU.
NEEDS: ``torch.library``; to keep Dynamo out.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch

GIVES = "kernels of ours for torch's operators"
NEEDS = ("torch.library:Library", "torch:_disable_dynamo")
_kept: list[torch.library.Library] = []


def implement(kernels: Mapping[str, Callable[..., Any]], key: str) -> None:
    """Each operator of ``aten``, by name and overload, has this kernel for a dispatch key from now on, also where it had one.

    Where an operator is called outside of graphs, Dynamo is asked to compile the kernel's code, as if it were the program's.
    """
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, kernel in kernels.items():
            library.impl(name, torch._disable_dynamo(kernel), key, allow_override=True)


def contiguous_like(given: torch.Tensor) -> torch.Tensor:
    """Of the same size, whatever its strides."""
    return torch.empty_like(given, memory_format=torch.contiguous_format)
