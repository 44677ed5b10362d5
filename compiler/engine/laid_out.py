"""A tensor's numbers in memory as another lies."""

from collections.abc import Sequence

import torch


def laid_out(value: torch.Tensor, strides: Sequence[int], dtype: torch.dtype | None = None) -> torch.Tensor:
    """With these strides, in memory of its own; what an expanded tensor has many times over is written once: torch refuses to write
    it where each element is several.
    """
    place = torch.empty_strided(
        list(value.shape), list(strides), dtype=dtype or value.dtype, device=value.device
    )
    if place.numel():
        once(place).copy_(once(value, strides))
    return place


def once(value: torch.Tensor, strides: Sequence[int] | None = None) -> torch.Tensor:
    """The part of an expanded tensor that it repeats; `strides`: where it is to be expanded."""
    steps = zip(strides or value.stride(), value.shape, strict=True)
    for dim, (step, size) in enumerate(steps):
        if step == 0 and size > 1:
            value = value.narrow(dim, 0, 1)
    return value
