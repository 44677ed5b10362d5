"""The random numbers that Inductor's Triton kernels draw, drawn in eager mode from the same seeds.

Triton's Philox takes all 64 bits of the seed for its key and is counted by the element's place; one-dimensional kernels of
newer torch take four numbers from each count (``triton_helpers.rand4x``).
"""

import math
from typing import Any

import torch

from compiler.engine.fx.inductor_rng import philox

_MASK = 0xFFFFFFFF
_UNIT = 4.6566127342e-10
_LEAST = 1.0e-7


def drawn(size: Any, seed: int, mode: str, four: bool) -> torch.Tensor:
    """What ``inductor_random(size, seed, mode)`` gives in a kernel; `mode` is ``rand`` or ``randn``, `four` whether it
    takes four numbers from each count.
    """
    shape = [int(step) for step in size]
    total = math.prod(shape)
    numbers = philox(seed & _MASK, (seed >> 32) & _MASK, (total + 3) // 4 if four else total)
    uniform = [_uniform(part) for part in numbers]
    if mode == "randn":
        uniform = [*_normal(uniform[0], uniform[1]), *_normal(uniform[2], uniform[3])]
    chosen = torch.stack(uniform, -1).reshape(-1)[:total] if four else uniform[0]
    return chosen.reshape(shape)


def _uniform(bits: torch.Tensor) -> torch.Tensor:
    signed = torch.where(bits > 0x7FFFFFFF, _MASK - bits, bits)
    return signed.to(torch.float32) * torch.tensor(_UNIT, dtype=torch.float32, device=signed.device)


def _normal(first: torch.Tensor, second: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    radius = torch.sqrt(-2.0 * torch.log(first.clamp_min(_LEAST)))
    angle = 2.0 * math.pi * second
    return radius * torch.cos(angle), radius * torch.sin(angle)
