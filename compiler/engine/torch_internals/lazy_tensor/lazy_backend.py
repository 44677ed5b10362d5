"""Reader: LazyTensor's TorchScript backend: its IR, its counters, its cache. For a process of its own: it cannot be ended."""

import os
from collections.abc import Sequence

import torch

GIVES = "LazyTensor's graphs, sync points and cache"
NEEDS = (
    "torch._lazy:mark_step",
    "torch._lazy.ts_backend:init",
    "torch._lazy.debug:dump_ir",
    "torch._lazy.metrics:counter_names",
    "torch._lazy.computation:get_graph_hash",
)

DEVICE = "lazy"
_ON_GPU = "LTC_TS_CUDA"
"""What torch asks the environment when the backend begins."""
_started = False


def start(on_gpu: bool) -> None:
    """Once a process; torch raises at a second time. `on_gpu`: what it compiles runs on the GPU."""
    global _started
    if not _started:
        from torch._lazy import ts_backend

        if on_gpu:
            os.environ[_ON_GPU] = "1"
        ts_backend.init()
        _started = True


def mark_step() -> None:
    """Compile and run all that is pending, and wait for it."""
    import torch._lazy as lazy

    lazy.mark_step(wait=True)


def counters() -> dict[str, int]:
    """Every counter of torch's that is not zero, since the process began."""
    from torch._lazy import metrics

    return {name: metrics.counter_value(name) or 0 for name in metrics.counter_names()}


def report() -> str:
    """Torch's own report of all metrics."""
    from torch._lazy import metrics

    return str(metrics.metrics_report())


def is_lazy(value: object) -> bool:
    """Whether it is a tensor of the lazy device. Torch's readers end the interpreter when given any other."""
    return isinstance(value, torch.Tensor) and value.device.type == DEVICE


def ir_of(tensors: Sequence[torch.Tensor]) -> str:
    """The pending IR of lazy tensors as text; ``ROOT=k`` marks the node of tensor k."""
    from torch._lazy import debug

    given = [tensor for tensor in tensors if is_lazy(tensor)]
    return str(debug.dump_ir(given, "text")) if given else ""


def hash_of(tensors: Sequence[torch.Tensor]) -> str:
    """The hash that the cache knows the graph of these tensors by, in hexadecimal; empty without lazy tensors."""
    from torch._lazy import computation

    given = [tensor for tensor in tensors if is_lazy(tensor)]
    found = computation.get_graph_hash(given) if given else b""
    return bytes(found).hex()
