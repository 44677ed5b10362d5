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


def ordered_like(value: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """The value with its dimensions in memory in the order of another tensor's, which may be fake; itself where they are, or where that
    one is expanded. Of strides that are symbols only the dimension that is innermost is known.
    """
    if not _is_plain(value) or value.layout is not torch.strided or like.layout is not torch.strided:
        return value
    wanted, own = like.stride(), value.stride()
    if len(wanted) != len(own) or not value.numel():
        return value
    dims = [dim for dim, size in enumerate(value.shape) if size > 1]
    if any((type(wanted[dim]) is int and wanted[dim] == 0) or not own[dim] for dim in dims):
        return value
    order = sorted(dims, key=lambda dim: own[dim])
    if all(type(wanted[dim]) is int for dim in dims):
        order.sort(key=lambda dim: wanted[dim])
    else:
        order.sort(key=lambda dim: not (type(wanted[dim]) is int and wanted[dim] == 1))
    if [own[dim] for dim in order] == sorted(own[dim] for dim in dims):
        return value
    strides, step = list(own), 1
    for dim in order:
        strides[dim] = step
        step *= value.shape[dim]
    return laid_out(value, strides)


def _is_plain(value: torch.Tensor) -> bool:
    return type(value) in (torch.Tensor, torch.nn.Parameter)


def once(value: torch.Tensor, strides: Sequence[int] | None = None) -> torch.Tensor:
    """The part of an expanded tensor that it repeats; `strides`: where it is to be expanded."""
    steps = zip(strides or value.stride(), value.shape, strict=True)
    for dim, (step, size) in enumerate(steps):
        if step == 0 and size > 1:
            value = value.narrow(dim, 0, 1)
    return value
