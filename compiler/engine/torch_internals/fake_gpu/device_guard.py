"""Lets a torch without CUDA take fake tensors that say they are on a GPU, in forward and autograd. For good: only a
process that does nothing else comes here.

GIVES: c10's device guard for CUDA, as torch itself installs it in CUDA builds without a GPU; autograd's answer to
"which accelerator is there".
NEEDS: two exported symbols and the order of virtual functions in ``AcceleratorHooksInterface`` (the same from 2.11 to
2.15), the Itanium C++ ABI (Linux, macOS).
"""

import ctypes
from pathlib import Path
from typing import Any

import torch

_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"
_HOOKS = "_ZN2at6detail12getCUDAHooksEv"
_CUDA = 1
"""``c10::DeviceType::CUDA``."""
_POINTER = 8
_VIRTUALS = 96
_BEFORE = 2
"""Words of a virtual table before its first function."""
_IS_BUILT, _HAS_CONTEXT, _INIT = 2, 4, 5

_kept: list[Any] = []
"""What C++ points to must outlive us."""


class GuardError(RuntimeError):
    """Torch keeps these things elsewhere."""


def install() -> None:
    """Do both. Raises GuardError."""
    try:
        _install_guard()
        _install_hooks()
    except (OSError, ValueError, AttributeError) as error:
        raise GuardError(str(error)) from error


def torch_library(name: str) -> ctypes.CDLL:
    """A library of the installed torch. Raises OSError."""
    return ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / name))


def answer_instead(number: int, function: Any) -> None:
    """Have another function of C's stand at this place of the table of hooks, which is ours by now."""
    table = _kept[-1]
    table[_BEFORE + number] = ctypes.cast(function, ctypes.c_void_p).value


def _install_guard() -> None:
    """Put an object whose every function gives 0 (so: no devices) into the empty slot, and let torch replace it by its
    own guard that does nothing.
    """
    registry = ctypes.c_void_p.in_dll(torch_library("libc10.so"), _REGISTRY)
    cell = ctypes.c_void_p.from_address(ctypes.addressof(registry) + _POINTER * _CUDA)
    if cell.value:
        torch._C._ensureCUDADeviceGuardSet()
        return
    zero = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(lambda _this: 0)
    table = (ctypes.c_void_p * 64)(*[ctypes.cast(zero, ctypes.c_void_p).value] * 64)
    placed = (ctypes.c_void_p * 1)(ctypes.addressof(table))
    _kept.extend((zero, table, placed))
    cell.value = ctypes.addressof(placed)
    torch._C._ensureCUDADeviceGuardSet()
    if cell.value == ctypes.addressof(placed):
        cell.value = None
        raise GuardError("torch did not replace the device guard")


def _install_hooks() -> None:
    """Say that CUDA is built in, that no context was made, and let it be initialized (tensors are converted by their old types)."""
    find = torch_library("libtorch_cpu.so")[_HOOKS]
    find.restype, find.argtypes = ctypes.c_void_p, []
    table_of_hooks = ctypes.c_void_p.from_address(find())
    first = table_of_hooks.value
    if first is None:
        raise GuardError("torch has no hooks for CUDA")
    answer = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    yes, no = answer(lambda _this, _device: 1), answer(lambda _this, _device: 0)
    size = _VIRTUALS + _BEFORE
    copied = ctypes.string_at(first - _BEFORE * _POINTER, _POINTER * size)
    table = (ctypes.c_void_p * size).from_buffer_copy(copied)
    table[_BEFORE + _IS_BUILT] = ctypes.cast(yes, ctypes.c_void_p).value
    table[_BEFORE + _HAS_CONTEXT] = ctypes.cast(no, ctypes.c_void_p).value
    table[_BEFORE + _INIT] = ctypes.cast(no, ctypes.c_void_p).value  # what it gives nobody reads
    _kept.extend((yes, no, table))
    table_of_hooks.value = ctypes.addressof(table) + _BEFORE * _POINTER
    if str(torch.accelerator.current_accelerator()) != "cuda":
        table_of_hooks.value = first
        raise GuardError("torch's hooks for CUDA stand in another order")
