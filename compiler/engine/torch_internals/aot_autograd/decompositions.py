"""Torch's decomposition tables, and the file and line of each decomposition."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch._prims
import torch._refs
from torch._decomp import core_aten_decompositions, global_decomposition_table

GIVES = "decompositions"
NEEDS = (
    "torch._decomp:global_decomposition_table",
    "torch._decomp:core_aten_decompositions",
    "torch._refs:softmax",
    "torch._prims:convert_element_type",
)


def full_table() -> Mapping[Any, Callable[..., Any]]:
    """Every decomposition that this torch has in Python: aten in terms of other aten operators and of prims."""
    return global_decomposition_table["post_autograd"]


@functools.lru_cache(maxsize=1)
def core_table() -> Mapping[Any, Callable[..., Any]]:
    """What leads to core aten. Torch makes the table again each time it is asked, which takes a tenth of a second."""
    return core_aten_decompositions()


def place_of(decomposition: Callable[..., Any]) -> tuple[str, int]:
    """(path, line) of the function that does it; ("", 0) where it has none."""
    code = getattr(inspect.unwrap(decomposition), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)


def is_core(overload: Any) -> bool:
    """Whether torch counts an operator to core aten."""
    return torch.Tag.core in overload.tags


def is_composite(overload: Any) -> bool:
    """Whether it is made of other operators in C++, so that autograd never sees it."""
    name = overload.name()  # prim::device and its like are no operators of the dispatcher's
    return torch._C._dispatch_has_kernel(name) and torch._C._dispatch_has_kernel_for_dispatch_key(
        name, torch._C.DispatchKey.CompositeImplicitAutograd
    )
