"""What Inductor finds out once in a process, before its first kernel: found out before a fork, every copy knows it.

GIVES: the processor's vector instructions and the patterns of Inductor's passes, known before the first compile.
NEEDS: ``torch._inductor.cpu_vec_isa.pick_vec_isa``, ``joint_graph.lazy_init``, ``post_grad.lazy_init``, the tables of patterns that
these fill, the caches that say they did, and the digests of torch and Triton that what was compiled is looked up by (``codecache.torch_key``).
"""

import functools
from typing import Any

import torch
from torch._inductor import codecache, cpu_vec_isa
from torch._inductor.fx_passes import fuse_attention, joint_graph, misc_patterns, pad_mm, post_grad
from torch._inductor.runtime import triton_compat

from compiler.engine.torch_internals.fake_gpu import bound_early

_Rows = list[tuple[dict[Any, list[Any]], Any, list[Any]]]
"""Of tables: the table, a key, and what was put there."""
_of_processor: _Rows = []
_of_any_device: _Rows = []


def ask() -> None:
    """Asked as Inductor asks, or it would be done again."""
    cpu_vec_isa.pick_vec_isa()
    codecache.torch_key()  # reads all of torch's sources
    if triton_compat.HAS_TRITON:
        triton_compat.triton_key()  # reads its libraries
    learn_patterns()


def learn_patterns() -> None:
    """Those of graphs on the processor, then those that are the same for each device."""
    before = _lengths()
    joint_graph.lazy_init(torch.device("cpu"))
    _of_processor.extend(_added_since(before))
    before = _lengths()
    post_grad.lazy_init()
    _of_any_device.extend(_added_since(before))
    bound_early.learned.append(_forget_patterns)


def _forget_patterns() -> None:
    """Leave Inductor to trace those of the device that it compiles for, as in a process that knows none. The others come after
    them again, in their order.
    """
    for table, key, more in (*_of_processor, *_of_any_device):
        table[key][:] = [held for held in table[key] if not any(held is one for one in more)]
        if not table[key]:
            del table[key]
    _of_processor.clear()
    initializers: Any = (
        joint_graph.lazy_init,
        fuse_attention._sfdp_init,
        misc_patterns._misc_patterns_init,
        pad_mm._pad_mm_init,
    )
    for initialize in initializers:
        initialize.cache_clear()
    post_grad.lazy_init = _again


@functools.cache
def _again() -> None:
    for table, key, more in _of_any_device:
        table[key].extend(more)


def _lengths() -> list[dict[Any, int]]:
    return [{key: len(held) for key, held in table.items()} for table in _tables()]


def _added_since(before: list[dict[Any, int]]) -> _Rows:
    """Patterns are only ever put at the end."""
    return [
        (table, key, held[lengths.get(key, 0) :])
        for table, lengths in zip(_tables(), before, strict=True)
        for key, held in table.items()
        if len(held) > lengths.get(key, 0)
    ]


def _tables() -> list[dict[Any, list[Any]]]:
    passes: Any = [joint_graph.early_patterns, *joint_graph.pass_patterns, *post_grad.pass_patterns]
    return [table for each in passes for table in (each.patterns, each.seen_patterns)]
