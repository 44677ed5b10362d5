"""What an operation of torch.distributed sends, read from its arguments: of ``c10d`` and of ``_c10d_functional``.

GIVES: kind, bytes and group of every collective that runs, also of those that are in no graph.
NEEDS: ``ProcessGroup.unbox``, ``_resolve_process_group``, ``get_process_group_ranks``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.distributed as dist

from compiler.model.prediction.simulated_step import Sent

GIVES = "collectives outside of graphs"
NEEDS = (
    "torch.distributed:ProcessGroup.unbox",
    "torch.distributed.distributed_c10d:_resolve_process_group",
    "torch.distributed:get_process_group_ranks",
)
_NAMES = {
    "allreduce_": "all_reduce",
    "allreduce_coalesced_": "all_reduce",
    "_allgather_base_": "all_gather",
    "allgather_": "all_gather",
    "allgather_coalesced_": "all_gather",
    "allgather_into_tensor_coalesced_": "all_gather",
    "_reduce_scatter_base_": "reduce_scatter",
    "reduce_scatter_": "reduce_scatter",
    "reduce_scatter_tensor_coalesced_": "reduce_scatter",
    "broadcast_": "broadcast",
    "alltoall_": "all_to_all",
    "alltoall_base_": "all_to_all",
    "send": "send",
    "recv_": "recv",
    "all_reduce": "all_reduce",
    "all_reduce_": "all_reduce",
    "all_reduce_coalesced": "all_reduce",
    "all_reduce_coalesced_": "all_reduce",
    "all_gather_into_tensor": "all_gather",
    "all_gather_into_tensor_out": "all_gather",
    "all_gather_into_tensor_coalesced": "all_gather",
    "reduce_scatter_tensor": "reduce_scatter",
    "reduce_scatter_tensor_out": "reduce_scatter",
    "reduce_scatter_tensor_coalesced": "reduce_scatter",
    "all_to_all_single": "all_to_all",
    "broadcast": "broadcast",
    "shard_dim_alltoall": "all_to_all",
}
_OWN_FIRST = ("_allgather_base_", "allgather_", "_reduce_scatter_base_", "reduce_scatter_", "alltoall_base_",
              "alltoall_", "allgather_into_tensor_coalesced_", "reduce_scatter_tensor_coalesced_", "allgather_coalesced_")  # fmt: skip
"""Of ``c10d``: the result stands before what is given."""
_SPACES = ("c10d", "_c10d_functional", "_c10d_functional_autograd", "_dtensor")


def is_wait(func: Any) -> bool:
    """Whether an operation waits for a collective."""
    return func.namespace.startswith("_c10d_functional") and "wait_tensor" in str(func)


def is_functional(func: Any) -> bool:
    """Whether what it sends is waited for by an operation of its own."""
    return bool(func.namespace != "c10d")


def sent_by(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Sent | None:
    """What an operation sends; None where it sends nothing."""
    if func.namespace not in _SPACES:
        return None
    name = func._schema.name.partition("::")[2]
    kind = _NAMES.get(name)
    if kind is None:
        return None
    group = _group((*args, *kwargs.values()))
    ranks = dist.get_process_group_ranks(group) if group is not None else [0]
    first = _bytes(args[0]) if args else 0
    if name in _OWN_FIRST:
        given, made = _bytes(args[1]), first
    elif func.namespace == "c10d":
        given = made = first
    else:
        given, made = first, _bytes(result)
    stride = ranks[1] - ranks[0] if len(ranks) > 1 else 1
    return Sent(kind, given, made, len(ranks), _title(group), stride)


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in lists of arguments."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors_of(item)


def _bytes(value: Any) -> int:
    return sum(int(tensor.numel()) * tensor.element_size() for tensor in tensors_of(value))


def _group(values: Sequence[Any]) -> Any:
    """The process group among arguments: an object, or its name."""
    for value in values:
        if isinstance(value, torch.ScriptObject):
            try:
                return dist.ProcessGroup.unbox(value)
            except (RuntimeError, TypeError):
                continue
    for value in reversed(values):
        if isinstance(value, str):
            try:
                return torch.distributed.distributed_c10d._resolve_process_group(value)
            except (RuntimeError, ValueError, KeyError):
                continue
    return None


def _title(group: Any) -> str:
    """``tp`` of what torch calls ``mesh_tp``."""
    title = str(getattr(group, "group_desc", "") or getattr(group, "group_name", "") or "")
    return title.removeprefix("mesh_")
