"""What torch decides on a GPU by measuring or in CUDA's C++ is assumed here, and noted. For good.

GIVES: the backend of attention (``sdp_utils.cpp``), whether matrix products are padded (``pad_mm``), the winner of
max-autotune.
NEEDS: ``fx_passes.pad_mm.get_do_bench``, the Python kernels of ``scaled_dot_product_attention``,
``AlgorithmSelectorCache.make_benchmark_fn``.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from compiler.model.gpu_targets import GpuTarget

assumed: list[str] = []
"""What was assumed so far, in words; the same may come several times."""

_HALF = (torch.float16, torch.bfloat16)
_CUDNN_SINCE = ((9, 0), (10, 0))
"""Capabilities where current wheels prefer cuDNN's attention (cuDNN 9.15.1 and later)."""


def install(target: GpuTarget, attention: str = "") -> None:
    """Assume. `attention`: ``cudnn``, ``flash``, ``efficient`` or ``math``; empty for what torch prefers there."""
    prefers_cudnn = (target.major, target.minor) in _CUDNN_SINCE and not target.is_amd
    _install_attention(attention or ("cudnn" if prefers_cudnn else "flash"))
    _install_padding()
    _install_winner()


def _install_padding() -> None:
    import torch._inductor.fx_passes.pad_mm as padding

    def bench() -> Callable[..., float]:
        assumed.append(
            "A matrix product whose sizes are not aligned is not padded (torch measures that on the GPU)."
        )
        return lambda *_args, **_kwargs: 1.0

    padding.get_do_bench = bench


def _install_winner() -> None:
    import torch._inductor.config as config
    import torch._inductor.select_algorithm as selecting

    cache: Any = selecting.AlgorithmSelectorCache

    def rank(choices: Sequence[Any]) -> dict[Any, float]:
        templates = [choice for choice in choices if isinstance(choice, selecting.TritonTemplateCaller)]
        best = templates[0] if templates else choices[0]
        assumed.append(
            f"max-autotune takes {best.name} of {len(choices)} candidates (torch times them on the GPU)."
        )
        return {choice: 1.0 if choice is best else 2.0 for choice in choices}

    cache.make_benchmark_fn = classmethod(lambda _cls, *_args, **_kwargs: rank)
    cache.make_precompile_fn = lambda _self, *_args, **_kwargs: dict
    config.benchmark_epilogue_fusion = False


def _install_attention(preferred: str) -> None:
    aten, keys = torch.ops.aten, torch._C.DispatchKey
    operator = aten.scaled_dot_product_attention.default

    def attend(
        query: Any,
        key: Any,
        value: Any,
        attn_mask: Any = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        choice = _attention_for(preferred, query, attn_mask)
        assumed.append(
            f"scaled_dot_product_attention runs on the {choice} backend (torch decides that in CUDA's C++)."
        )
        if choice == "flash":
            return aten._scaled_dot_product_flash_attention.default(
                query, key, value, dropout_p, is_causal, scale=scale
            )[0]
        if choice == "math":
            return aten._scaled_dot_product_attention_math.default(
                query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
            )[0]
        trains = torch.is_grad_enabled() and any(part.requires_grad for part in (query, key, value))
        if choice == "cudnn":
            return aten._scaled_dot_product_cudnn_attention.default(
                query, key, value, attn_mask, trains, dropout_p, is_causal, False, scale=scale
            )[0]
        return aten._scaled_dot_product_efficient_attention.default(
            query, key, value, _bias(query, key, attn_mask), trains, dropout_p, is_causal, scale=scale
        )[0]

    for dispatched in (keys.CompositeImplicitAutograd, keys.Autograd, keys.AutogradCUDA):
        operator.py_kernels.pop(dispatched, None)
    operator.py_impl(keys.CompositeImplicitAutograd)(attend)
    operator.py_impl(keys.AutogradCUDA)(attend)


def _attention_for(preferred: str, query: Any, mask: Any) -> str:
    """What torch would fall back to where the preferred backend cannot take these inputs."""
    if query.device.type != "cuda" or query.dim() != 4 or preferred == "math":
        return "math"
    if preferred == "flash" and (mask is not None or query.dtype not in _HALF):
        return "efficient"
    if preferred == "cudnn" and query.dtype not in _HALF:
        return "efficient"
    return preferred


def _bias(query: Any, key: Any, mask: Any) -> Any:
    """The efficient backend takes a bias of full size, no booleans."""
    if mask is None:
        return None
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill(~mask, float("-inf"))
    return mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
