"""Random generators of a GPU that is not here: nothing is drawn, so they hold no more than a seed.

GIVES: ``torch.Generator("cuda")``, the generator that stands for the GPU's in graphs, the GPU's random state.
NEEDS: ``torch.cuda.random``; for the first, where a processor's generator has its device (looked at before it is used), the order of
virtual functions in ``AcceleratorHooksInterface`` (`device_guard`), and x86, whose results in memory ctypes can give.
"""

import ctypes
import platform
from typing import Any

import torch
import torch.cuda.random

from compiler.engine.torch_internals.fake_gpu.bound_early import Replaced, as_torchs, put
from compiler.engine.torch_internals.fake_gpu.device_guard import answer_instead

_NEW_GENERATOR = 15
"""The place of ``getNewGenerator`` among the virtual functions."""
_HELD = 16
"""Bytes in a Python object before the generator that it holds."""
_USERS = 8
"""Bytes in a generator before the number of those who hold it,"""
_DEVICE = 56
"""and before its device: behind a mutex."""
_OF_PROCESSOR, _OF_GPU = b"\x00\xff", b"\x01\x00"

_kept: list[Any] = []
"""Generators that C++ was given, and what it calls."""


class GeneratorOfGpu(torch.Generator):
    """What stands for the GPU's random numbers in a graph: those that are drawn again in a backward are drawn from a copy."""

    device = torch.device("cuda", 0)

    def clone_state(self) -> "GeneratorOfGpu":
        """Another one: nothing is drawn, so it has no state."""
        return GeneratorOfGpu()

    def graphsafe_get_state(self) -> "GeneratorOfGpu":
        """The same."""
        return GeneratorOfGpu()

    def graphsafe_set_state(self, state: torch.Generator) -> "GeneratorOfGpu":
        """Nothing is drawn."""
        return self


def install() -> list[Replaced]:
    """Put all of it where torch has its own."""
    for function in (_address, _new, _says_gpu):  # called while a program runs
        as_torchs(function, torch.cuda.random)
    if platform.machine() == "x86_64" and _says_gpu(torch.Generator()):
        made = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int8)(_new)
        _kept.append(made)
        answer_instead(_NEW_GENERATOR, made)
    return [
        put(torch.cuda, "default_generators", (GeneratorOfGpu(),)),
        put(torch.cuda, "get_rng_state", as_torchs(_get_rng_state, torch.cuda.random)),
        put(torch.cuda, "set_rng_state", as_torchs(_set_rng_state, torch.cuda.random)),
    ]


def _says_gpu(generator: torch.Generator) -> bool:
    """Have it say that it is the GPU's; whether it does. Its class stays torch's own, by which Dynamo goes."""
    _kept.append(generator)
    device = (ctypes.c_char * 2).from_address(_address(generator) + _DEVICE)
    if device.raw != _OF_PROCESSOR:
        return False
    device.raw = _OF_GPU
    return generator.device == GeneratorOfGpu.device


def _address(generator: torch.Generator) -> int:
    return ctypes.c_void_p.from_address(id(generator) + _HELD).value or 0


def _new(place: int, _this: int, _device: int) -> int:
    """What C++ asks for, into its place."""
    generator = torch.Generator()
    _says_gpu(generator)
    held = _address(generator)
    ctypes.c_uint32.from_address(held + _USERS).value += 1
    ctypes.c_void_p.from_address(place).value = held
    return place


def _get_rng_state(device: Any = "cuda") -> torch.Tensor:
    return torch.zeros(16, dtype=torch.uint8)


def _set_rng_state(new_state: torch.Tensor, device: Any = "cuda") -> None:
    """It is kept nowhere."""
