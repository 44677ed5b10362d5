"""Reads the table in which torch keeps the Triton kernels that programs bring, and what they are called with beside tensors."""

import os
from typing import Any

GIVES = "names of Triton kernels that a program brings"
NEEDS = ("torch._higher_order_ops.triton_kernel_wrap:kernel_side_table",)
_LONGEST = 40


def kernel_facts(kernel: int, constants: int) -> tuple[str, str, list[str]] | None:
    """(name, place, constants) by their numbers; None where the table was emptied."""
    from torch._higher_order_ops.triton_kernel_wrap import kernel_side_table

    try:
        found: Any = kernel_side_table.get_kernel(kernel)
        given = kernel_side_table.get_constant_args(constants)
        while not hasattr(found, "__name__"):  # what tries out configurations holds the function
            found = found.fn
        code = found.fn.__code__
        place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
        return str(found.__name__), place, [f"{name}={_short(value)}" for name, value in given.items()]
    except (AssertionError, AttributeError, LookupError, TypeError):
        return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
