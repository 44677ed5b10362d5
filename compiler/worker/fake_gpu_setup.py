"""Making this process one that seems to have a GPU, for good. A worker of its own does it first of all."""

from types import ModuleType

import torch

from compiler.engine.torch_internals.fake_gpu import (
    bound_early,
    convolution_format,
    device_guard,
    device_memory,
    pretended_cuda,
)
from compiler.engine.torch_internals.patch import patching
from compiler.engine.torch_internals.triton import inert_triton_driver
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import GpuTarget

_kept_alive: list[ModuleType] = []
"""What C++ points to lives in these modules; they must stay when our names are hidden from the program."""


def can_follow_torch(target: GpuTarget) -> bool:
    """Whether a process that loaded Dynamo and Inductor for this machine can still pretend to have that GPU. What they read of
    its vendor they read while they are loaded: settings, limits and templates of AMD's are others.
    """
    return not target.is_amd and torch.version.hip is None and all(map(patching.is_there, bound_early.NEEDS))


def pretend(target: GpuTarget) -> Problem | None:
    """Once, and before anything is compiled. Gives what this machine lacks, or None."""
    _kept_alive.extend((convolution_format, device_guard, device_memory, inert_triton_driver, pretended_cuda))
    try:
        device_guard.install()
    except device_guard.GuardError as error:
        return Problem(
            f"This torch cannot pretend to have a GPU: {error}.",
            "That works with torch 2.11 to 2.15 on Linux; capture on the CPU, or on a machine with the GPU.",
        )
    pretended_cuda.install(target)
    device_memory.install()
    convolution_format.install(target)
    try:
        inert_triton_driver.install(target)
    except ImportError as error:
        return Problem(
            f"Triton is not installed ({error}).",
            "Install it beside torch: pip install triton. There are wheels for Linux only.",
        )
    return None
