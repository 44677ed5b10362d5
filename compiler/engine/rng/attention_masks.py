"""Which weights attention that is fused for a GPU dropped. In float64 there is no such kernel: attention is computed in steps, and what
draws is the dropout of its weights.
"""

from typing import Any, NamedTuple

import torch

EFFICIENT, FLASH = "_scaled_dot_product_efficient_attention", "_scaled_dot_product_flash_attention"
DROPOUT = "native_dropout"

_SHARE = {EFFICIENT: 5, FLASH: 3}
_WANTS_MASK = 5


class Dropped(NamedTuple):
    """Rows of queries, columns of keys; as `native_dropout` of the weights is called and gives it."""

    share: float
    kept: torch.Tensor


def with_mask(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The call that gives out what it dropped too, where that has to be asked for."""
    if name != FLASH or not _share(name, args, kwargs):
        return args, kwargs
    positional = (*args, *(0.0, False)[len(args) - 3 :])[:_WANTS_MASK]
    named = {
        key: value
        for key, value in kwargs.items()
        if key not in ("dropout_p", "is_causal", "return_debug_mask")
    }
    share, causal = _share(name, args, kwargs), kwargs.get("is_causal", positional[4])
    return (*positional[:3], share, causal, True), named


def dropped(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Dropped | None:
    """What the call of `with_mask` dropped; None where the operation does not say."""
    share = _share(name, args, kwargs)
    if not share:
        return None
    query, key = args[0], args[1]
    shape = (*query.shape[:-1], key.shape[-2])
    if name == EFFICIENT:
        numbers = _numbers(torch.empty(shape, device=query.device), share, int(result[2]), int(result[3]))
        return Dropped(share, numbers > share)
    signs = result[8][..., : shape[-2], : shape[-1]]  # it is as large as the kernel's tiles
    return Dropped(share, signs >= 0) if signs.shape == shape else None


def _numbers(empty: torch.Tensor, share: float, seed: int, offset: int) -> torch.Tensor:
    return torch.ops.aten._fill_mem_eff_dropout_mask_(empty, share, seed, offset)  # type: ignore[no-any-return]


def _share(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    index = _SHARE.get(name)
    if index is None:
        return 0.0
    return float(args[index] if index < len(args) else kwargs.get("dropout_p", 0.0))
