"""Bytes that a dispatched operation reads and writes, and which operations of a profiled step are which dispatched ones."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.fx.graph_import import tensor_bytes
from compiler.engine.torch_internals.dispatcher.dispatched_operations import Dispatched, dispatched
from compiler.model.ir.graph import SourceLine

_UNSEEN = "aten::detach"
"""Of tensors that autograd saves: the profiler sees only those that the program asks for."""

Range = tuple[int, int, str, int]
"""(begin, end, name, how many ranges it is inside of)."""


def bytes_moved(operation: Dispatched) -> tuple[int, int]:
    """(read, written): of the elements of its tensors, each once; a view moves none."""
    if getattr(operation.function, "is_view", False):
        return 0, 0
    return _bytes(_tensors((operation.args, operation.kwargs))), _bytes(_tensors(operation.result))


def _tensors(values: Any) -> Iterator[torch.Tensor]:
    return (value for value in pytree.tree_leaves(values) if isinstance(value, torch.Tensor))


def _bytes(tensors: Iterable[torch.Tensor]) -> int:
    return sum(tensor_bytes(tensor) or 0 for tensor in {id(tensor): tensor for tensor in tensors}.values())


@dataclasses.dataclass
class DispatchedOperation:
    """What is kept of a dispatched operation once its tensors are let go."""

    name: str
    read: int
    written: int
    line: SourceLine | None
    """The user's, of a backward operation the forward's."""


def asked_in(
    step: Callable[[Callable[..., Any]], object], function: Callable[..., Any]
) -> list[DispatchedOperation]:
    """The operations of one step of a function, in order; none where it does not run while it is watched."""
    try:
        operations = dispatched(step, function)
    except Exception:  # noqa: BLE001  what the program raises by itself, the steps that are timed raise too
        return []
    return [
        DispatchedOperation(
            operation.name, *bytes_moved(operation), operation.stack[-1] if operation.stack else None
        )
        for operation in operations
        if operation.name != _UNSEEN
    ]


def dispatched_in(
    ranges: Sequence[Range], operations: Sequence[DispatchedOperation]
) -> dict[int, list[DispatchedOperation]]:
    """For the ranges that no other operation's range is around (by index): what was dispatched in them, of another run of the
    same step. Nothing where the two runs cannot be matched from end to end.
    """
    found: dict[int, list[DispatchedOperation]] = {}
    at, outer, outer_end, inner_end = 0, -1, -1, -1
    for index, (begin, end, name, _) in enumerate(ranges):
        if not name.startswith("aten::"):
            continue
        if begin >= outer_end:
            outer, outer_end = index, end
        if begin < inner_end or at == len(operations):
            continue  # what an operation calls below the dispatcher's Python
        # gradients are added up in place only where nobody watches
        if operations[at].name.rstrip("_") == name.rstrip("_"):
            found.setdefault(outer, []).append(operations[at])
            at, inner_end = at + 1, end
    return found if at == len(operations) else {}
