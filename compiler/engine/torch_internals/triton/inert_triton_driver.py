"""A Triton driver that knows which GPU is compiled for, and nothing else. For good.

GIVES: Triton's target where no driver is there; the bandwidth and the clock by which Inductor says whether a product is bound by
compute (``pad_mm.is_mm_compute_bound`` takes whatever fails for "yes"); launches outside of graphs that do nothing.
NEEDS: ``triton.runtime.driver.set_active``, ``DriverBase``, ``GPUTarget``, ``triton.testing.nvsmi``, ``JITFunction.run``,
``Autotuner.run``; to keep Dynamo out.
"""

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

import torch

from compiler.model.ir.gpu_target import GpuTarget

_PINS = 1024
"""Any will do."""


def install(target: GpuTarget) -> None:
    """Make it the active driver. Raises ImportError where triton is not installed."""
    import triton.testing
    from triton.backends.compiler import GPUTarget as Compiled
    from triton.backends.driver import DriverBase
    from triton.runtime import driver

    if target.is_amd:
        compiled = Compiled("hip", target.architecture.partition(":")[0], target.warp_size)
    else:
        compiled = Compiled("cuda", target.major * 10 + target.minor, target.warp_size)
    asked = {
        "max_shared_mem": target.shared_bytes,
        "multiprocessor_count": target.multi_processors,
        "warpSize": target.warp_size,
        "max_num_regs": target.registers_per_multi_processor,
        # triton.testing.get_dram_gbps multiplies these two: kHz of memory that moves 2 bits a pin and cycle
        "mem_bus_width": _PINS,
        "mem_clock_rate": target.bandwidth * 8 / 2 / _PINS / 1e3,
    }

    def reported(asked: Sequence[str]) -> list[int]:
        known = {"clocks.max.sm": target.clock}
        return [known[name] for name in asked]

    triton.testing.nvsmi = reported

    class Inert(DriverBase):  # type: ignore[misc]
        utils = types.SimpleNamespace(get_device_properties=lambda *_args: asked)

        @classmethod
        def is_active(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, ty: str) -> str:
            return ty

        def get_current_target(self) -> Any:
            return compiled

        def get_active_torch_device(self) -> torch.device:
            return torch.device("cuda", 0)

        def get_device_interface(self) -> Any:
            return torch.cuda

        def get_current_device(self) -> int:
            return 0

        def get_current_stream(self, idx: int = 0) -> int:
            return 0

        def get_benchmarker(self) -> Any:
            raise RuntimeError("There is no GPU to measure on.")

    driver.set_active(Inert())
    _launch_nothing()


def _launch_nothing() -> None:
    """A kernel that the program launches outside of graphs writes into tensors without numbers: nothing is to be done, and
    which of its configurations is the fastest is asked for nothing.
    """
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    for kind in (JITFunction, Autotuner):
        kind.run = torch._disable_dynamo(_unless_launched(kind.run))


def _unless_launched(run: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(run)
    def replacement(kernel: Any, *args: Any, **kwargs: Any) -> Any:
        return run(kernel, *args, **kwargs) if kwargs.get("warmup") else None

    return replacement
