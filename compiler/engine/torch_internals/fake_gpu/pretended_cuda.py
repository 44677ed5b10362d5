"""Makes ``torch.cuda`` answer as if one GPU were there. For good: only a process that does nothing else comes here.

GIVES: what Inductor asks about a device (`DeviceProperties`, capability, number of multiprocessors).
NEEDS: public functions of ``torch.cuda``, four of ``torch._C``, ``FakeTensorMode.avoid_device_init``.
"""

import sys
import types
from collections.abc import Callable
from typing import Any

import torch
import torch.cuda.graphs

from compiler.engine.torch_internals.fake_gpu.bound_early import Replaced, as_torchs, forget, put, replace
from compiler.engine.torch_internals.fake_gpu.driver import generators, profiler_ranges, streams
from compiler.model.ir.gpu_target import GpuTarget

_CUDA_VERSION, _HIP_VERSION = "13.0", "6.4.0"


def install(target: GpuTarget) -> None:
    """Answer as this GPU."""
    torch.version.hip = _HIP_VERSION if target.is_amd else None
    torch.version.cuda = None if target.is_amd else _CUDA_VERSION
    properties = _CudaDeviceProperties(
        name=target.name,
        major=target.major,
        minor=target.minor,
        multi_processor_count=target.multi_processors,
        total_memory=target.memory_bytes,
        max_threads_per_multi_processor=target.threads_per_multi_processor,
        max_threads_per_block=1024,
        regs_per_multiprocessor=target.registers_per_multi_processor,
        shared_memory_per_block=48 * 1024,
        shared_memory_per_block_optin=target.shared_bytes,
        shared_memory_per_multiprocessor=target.shared_bytes_per_multi_processor,
        L2_cache_size=target.l2_bytes,
        warp_size=target.warp_size,
        clock_rate=target.clock * 1000,
        gcnArchName=target.architecture,
        is_integrated=0,
        is_multi_gpu_board=0,
    )
    architecture = target.architecture.partition(":")[0] or f"sm_{target.major}{target.minor}"
    answers: dict[str, Any] = {
        "is_available": True,
        "device_count": 1,
        "current_device": 0,
        "is_initialized": True,
        "get_device_properties": properties,
        "get_device_capability": (target.major, target.minor),
        "get_device_name": target.name,
        "is_bf16_supported": True,
        "is_tf32_supported": not target.is_amd and target.major >= 8,
        "set_device": None,
        "synchronize": None,
        "init": None,
        "_lazy_init": None,
        "_exchange_device": 0,
        "_maybe_exchange_device": 0,
        "get_arch_list": [architecture],
        # programs choose by them when they are imported (deepinv); nothing is allocated
        "mem_get_info": (target.memory_bytes, target.memory_bytes),
        "reset_peak_memory_stats": None,
        "reset_accumulated_memory_stats": None,
        "set_per_process_memory_fraction": None,
        "get_per_process_memory_fraction": 1.0,
        "can_device_access_peer": False,
    }
    # in torch 2.15 two of these are torch.cuda's too, by whose names Dynamo has them: those come behind
    replaced = [
        put(torch._C, name, _always(0))
        for name in (
            "_cuda_getCurrentRawStream",
            "_cuda_getDevice",
            "_cuda_exchangeDevice",
            "_cuda_maybeExchangeDevice",
        )
    ]
    # by which Inductor refuses CUDA graphs; a CPU build of torch 2.13 has no such function
    replaced.append(put(torch._C, "_cuda_cudaCachingAllocator_is_enabled", _always(True)))
    replaced += [each for name, answer in answers.items() for each in _answering(name, answer)]
    replaced.append(put(torch.cuda, "_CudaDeviceProperties", _CudaDeviceProperties))
    replaced += [*generators.install(), *streams.install(), *profiler_ranges.install()]
    torch.cuda.graphs._cuda_isCurrentStreamCapturing = _always(False)
    replace(replaced)
    forget()
    from torch._subclasses.fake_tensor import FakeTensorMode

    FakeTensorMode.avoid_device_init = property(lambda _self: True)  # type: ignore[assignment]


class _CudaDeviceProperties(types.SimpleNamespace):
    """Its class, by which Dynamo takes it for a constant."""


def _answering(name: str, answer: Any) -> list[Replaced]:
    """In ``torch.cuda`` and where the function is written, under its name there (torch 2.15 has two of ``torch._C``): by these Dynamo
    knows it, and graphs call it. One of its own each time: Dynamo refuses two names for one function.
    """
    old = getattr(torch.cuda, name, None)
    home, own = sys.modules.get(getattr(old, "__module__", ""), torch.cuda), getattr(old, "__name__", name)
    in_home = home is not torch.cuda and hasattr(home, own)
    function: Any = _always(answer)
    function.__name__ = function.__qualname__ = own if in_home else name
    function.__code__ = function.__code__.replace(co_name=function.__name__)
    as_torchs(function, home)
    return [put(torch.cuda, name, function), *([put(home, own, function)] if in_home else [])]


def _always(answer: Any) -> Callable[..., Any]:
    def function(*_arguments: Any, **_keywords: Any) -> Any:
        return answer

    return function
