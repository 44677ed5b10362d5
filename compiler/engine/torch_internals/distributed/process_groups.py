"""Reads which ranks are in a process group that a graph names, as long as the group exists. Nothing is sent."""

import torch
import torch.distributed as dist

GIVES = "size and title of the process groups that collectives in a graph name"
NEEDS = ("torch.distributed.distributed_c10d:_resolve_process_group",)


def group_facts(name: str) -> tuple[str, int] | None:
    """(what torch or the program calls the group, how many ranks); None where this process knows no such group."""
    if not dist.is_available() or not dist.is_initialized():
        return None
    resolve = getattr(torch.distributed.distributed_c10d, "_resolve_process_group", None)
    if resolve is None:
        return None
    try:
        group = resolve(name)
        return str(getattr(group, "group_desc", "") or ""), int(group.size())
    except (RuntimeError, ValueError, KeyError, TypeError):
        return None  # destroyed by now, or never one of this process
