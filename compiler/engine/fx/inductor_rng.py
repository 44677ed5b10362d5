"""The random numbers that Inductor's generated code draws, drawn in eager mode from the same seeds.

Inductor's primitives ``inductor_random`` and ``inductor_randint`` have an eager form that draws from torch's generator, which
gives other numbers than the kernels do: those take them from Philox 4x32-10, counted by the element's place. With this, a graph
with dropout run op by op can be compared with its compiled form.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import torch
import torch.fx

_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_KEY_STEPS = 0x9E3779B9, 0xBB67AE85
_MASK = 0xFFFFFFFF
_ROUNDS = 10
_SQUARED_FITS = 2**31
_UNIT = 4.6566127342e-10

ONE, FOUR = "tl.rand", "rand4x"
"""How Triton's kernels count: a counter for each element, or for four in a row (kernels of one dimension, since torch 2.13)."""
_CALLS = re.compile(r"\b(tl\.randn?|triton_helpers\.(?:rand\w+))\(")
_COUNTED = {"tl.rand": ONE, "tl.randn": ONE, "triton_helpers.rand4x": FOUR, "triton_helpers.randn4x": FOUR}
COUNTS = "loupe_counts"
"""Where a graph says, in its ``meta``, how the kernels that were made of it count."""


def counts_in(wrapper: str) -> str:
    """How the Triton kernels of generated code count; empty where they do not all do it alike, or otherwise."""
    ways = {_COUNTED.get(call, "") for call in _CALLS.findall(wrapper)}
    return ways.pop() if len(ways) == 1 else "" if ways else ONE


def philox(low: int, high: int, count: int, device: torch.device | str = "cpu") -> list[torch.Tensor]:
    """Four 32-bit numbers for each of the counters 0 to `count` - 1, as int64; the key is two 32-bit halves."""
    key = [low, high]
    counter = [
        torch.arange(count, dtype=torch.int64, device=device),
        *(torch.zeros(count, dtype=torch.int64, device=device) for _ in range(3)),
    ]
    for _ in range(_ROUNDS):
        high0, low0 = _product(_MULTIPLIERS[0], counter[0])
        high1, low1 = _product(_MULTIPLIERS[1], counter[2])
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(part + step) & _MASK for part, step in zip(key, _KEY_STEPS, strict=True)]
    return counter


def _product(factor: int, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """High and low 32 bits of 32-bit products, without leaving 63 bits."""
    low, high = values & 0xFFFF, values >> 16
    first, second = low * factor, high * factor
    total = (second & 0xFFFF_FFFF_FFFF) + (first >> 16)
    return (total >> 16) & _MASK, ((total & 0xFFFF) << 16) | (first & 0xFFFF)


def _uniform(bits: torch.Tensor) -> torch.Tensor:
    return (bits & 0x7FFFFFFF).to(torch.float32) * torch.tensor(
        _UNIT, dtype=torch.float32, device=bits.device
    )


def drawn(size: Any, seed: torch.Tensor, mode: str) -> torch.Tensor:
    """What ``inductor_random(size, seed, mode)`` gives in a kernel; `mode` is ``rand`` or ``randn``."""
    shape = [int(step) for step in size]
    first, second, *_ = philox(int(seed) & _MASK, 0, math.prod(shape))
    if mode == "rand":
        return _uniform(first).reshape(shape)
    radius = torch.sqrt(-2.0 * torch.log(1.0 - _uniform(first)))
    return (radius * torch.cos(2.0 * math.pi * (1.0 - _uniform(second)))).reshape(shape)


def drawn_integers(low: int, high: int, size: Any, seed: int) -> torch.Tensor:
    """What ``inductor_randint(low, high, size, seed)`` gives in a kernel whose key is `seed`: 64 bits, and of those the remainder."""
    shape = [int(step) for step in size]
    first, second, *_ = philox(seed & _MASK, (seed >> 32) & _MASK, math.prod(shape))
    count = int(high) - int(low)
    if count <= _SQUARED_FITS:
        left = (second % count * (2**32 % count) + first % count) % count
    else:
        both = zip(first.tolist(), second.tolist(), strict=True)
        numbers = [(one | two << 32) % count for one, two in both]
        left = torch.tensor(numbers, dtype=torch.int64, device="cpu")
    return (left + int(low)).reshape(shape)


def drawn_by_triton(size: Any, seed: torch.Tensor, mode: str, counts: str) -> torch.Tensor:
    """The same in a Triton kernel: another key, another way from bits to numbers."""
    shape = [int(step) for step in size]
    count, key = math.prod(shape), int(seed)
    device = seed.device
    if counts == FOUR and count > 2:  # fewer make a block of fewer than four
        bits = philox(key & _MASK, (key >> 32) & _MASK, -(-count // 4), device)
        first, second, third, fourth = map(_signed_uniform, bits)
        if mode == "rand":
            lanes = [first, second, third, fourth]
        else:
            lanes = [*_normals(first, second), *_normals(third, fourth)]
        return torch.stack(lanes, 1).reshape(-1)[:count].reshape(shape)
    first, second, *_ = map(_signed_uniform, philox(key & _MASK, (key >> 32) & _MASK, count, device))
    return (first if mode == "rand" else _normals(first, second)[0]).reshape(shape)


def _signed_uniform(bits: torch.Tensor) -> torch.Tensor:
    signed = torch.where(bits > 0x7FFFFFFF, _MASK - bits, bits)  # -x - 1 of a negative x
    return signed.to(torch.float32) * torch.tensor(_UNIT, dtype=torch.float32, device=bits.device)


def _normals(first: torch.Tensor, second: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    radius = torch.sqrt(-2.0 * torch.log(first.clamp(min=1.0e-7)))
    angle = 6.283185307179586 * second
    return radius * torch.cos(angle), radius * torch.sin(angle)


def seeds(count: int, device: torch.device | str = "cpu") -> torch.Tensor:
    """What ``inductor_seeds(count)`` gives in a kernel: drawn from torch's generator, from all of int64."""
    limits = torch.iinfo(torch.int64)
    return torch.randint(limits.min, limits.max, [count], device=device)


def as_kernels_do(node: torch.fx.Node) -> Callable[..., torch.Tensor] | None:
    """The function that gives what a kernel gives for a random primitive of Inductor's, or None for another node."""
    value = node.meta.get("val")
    kind = value.device.type if isinstance(value, torch.Tensor) else "cpu"
    held = node.graph.owning_module
    counts = held.meta.get(COUNTS, "") if kind == "cuda" and held is not None else ""
    if kind != "cpu" and not counts:
        return None
    match str(node.target):
        case "prims.inductor_random.default" if counts:
            return lambda size, seed, mode, **_: drawn_by_triton(size, seed, mode, counts)
        case "prims.inductor_random.default":
            return lambda size, seed, mode, **_: drawn(size, seed, mode)
        case "prims.inductor_randint.default" if not counts:
            return lambda low, high, size, seed, **_: drawn_integers(low, high, size, int(seed) & _MASK)
        case "prims.inductor_seeds.default":
            return lambda count, device: seeds(count, device)
    return None
