"""What is run in a dispatch mode of ours is not compiled, not even what compiles itself: eager `torch.cond` does.

Under a mode Dynamo skips each frame that it meets, and remembers that for good: the next call of `torch.cond` outside the
mode then ends in "Unsupported: torch.* op returned non-Tensor", and so does every later one.

Uncompiled, the operators of `torch.cond` and `map` take gradients only of functions that give tuples, which Dynamo makes of all.
What they are is called instead: the branch that a value chooses, the function for each row.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.torch_internals.patch.wrapped_tensors import has_values

GIVES = "the operators inside of torch.cond and map, and their gradients, where nothing is compiled"
_COND, _MAP = "torch._higher_order_ops.cond:cond_op", "torch._higher_order_ops.map:map_impl"
NEEDS = (
    _COND,
    _MAP,
    "torch._higher_order_ops.map:map_dense",
    "torch.utils._python_dispatch:_disable_current_modes",
)


@contextlib.contextmanager
def nothing_compiled() -> Iterator[None]:
    """Enter before a mode."""
    with torch.compiler.set_stance("force_eager"), around(_COND, _branches), around(_MAP, _rows):
        yield


def _branches(
    predicate: Any, true_branch: Any, false_branch: Any, operands: Any = (), *, original: Callable[..., Any]
) -> Any:
    if not has_values((predicate, operands)):
        return original(predicate, true_branch, false_branch, operands)
    with _disable_current_modes():  # the operator reads it where no mode sees it
        is_true = bool(predicate)
    return (true_branch if is_true else false_branch)(*operands)


def _rows(function: Any, rows: Any, others: Any, *, original: Callable[..., Any], **more: Any) -> Any:
    from torch._higher_order_ops.map import map_dense

    if not has_values((rows, others)):
        return original(function, rows, others, **more)
    return map_dense(function, rows, others, **more)
