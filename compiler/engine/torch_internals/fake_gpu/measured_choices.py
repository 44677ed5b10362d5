"""What torch decides on a GPU by measuring or in CUDA's C++ is assumed here, and noted. For good.

GIVES: the backend of attention (``sdp_utils.cpp``), whether matrix products are padded (``pad_mm``), the winner of
max-autotune.
NEEDS: ``fx_passes.pad_mm.get_do_bench``, the Python kernels of ``scaled_dot_product_attention``,
``AlgorithmSelectorCache.make_benchmark_fn``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from compiler.model.capture.gpu_assumptions import ATTENTION, PADDING, WINNER, Assumed
from compiler.model.ir.gpu_target import GpuTarget

assumed: list[Assumed] = []
"""What was assumed so far; the same may come several times."""

_HALF = (torch.float16, torch.bfloat16)
_CUDNN_SINCE = ((9, 0), (10, 0))
"""Capabilities where current wheels prefer cuDNN's attention (cuDNN 9.15.1 and later)."""
_LONGER, _SHORTER = 2.0, 1.0
"""Times that stand for a measurement."""


def install(target: GpuTarget, chosen: Mapping[str, str]) -> None:
    """Assume what was chosen (`compiler.model.capture.gpu_assumptions`), and what torch would most likely find for the rest."""
    prefers_cudnn = (target.major, target.minor) in _CUDNN_SINCE and not target.is_amd
    _install_attention(chosen.get(ATTENTION) or ("cudnn" if prefers_cudnn else "flash"))
    _install_padding(chosen.get(PADDING) == "yes")
    _install_winner(chosen.get(WINNER, ""))


def _install_padding(padded: bool) -> None:
    import torch._inductor.fx_passes.pad_mm as padding

    def bench() -> Callable[..., float]:
        how = "padded" if padded else "not padded"
        assumed.append(
            Assumed(
                PADDING,
                f"A matrix product whose sizes are not aligned is {how} (torch measures that on the GPU).",
            )
        )

        def time(timed: Callable[..., Any], *_args: Any, **_kwargs: Any) -> float:
            return _SHORTER if ("pad" in getattr(timed, "__name__", "")) is padded else _LONGER

        return time

    padding.get_do_bench = bench


def _install_winner(wanted: str) -> None:
    import torch._inductor.config as config
    import torch._inductor.select_algorithm as selecting

    cache: Any = selecting.AlgorithmSelectorCache

    def rank(choices: Sequence[Any]) -> dict[Any, float]:
        templates = [choice for choice in choices if isinstance(choice, selecting.TritonTemplateCaller)]
        libraries = [choice for choice in choices if choice not in templates]
        named = [choice for choice in choices if choice.name == wanted]
        usual = (libraries if wanted == "library" else []) or templates or list(choices)
        best = (named or usual)[0]
        assumed.append(
            Assumed(
                WINNER,
                f"max-autotune takes {best.name} of {len(choices)} candidates (torch times them on the GPU).",
                tuple((str(choice.name), str(getattr(choice, "description", ""))) for choice in choices),
            )
        )
        return {choice: _SHORTER if choice is best else _LONGER for choice in choices}

    cache.make_benchmark_fn = classmethod(lambda _cls, *_args, **_kwargs: rank)
    cache.make_precompile_fn = lambda _self, *_args, **_kwargs: dict
    # renamed in 2.15, where the old name warns
    known = "benchmark_template_fusion" in config._config
    setattr(config, "benchmark_template_fusion" if known else "benchmark_epilogue_fusion", False)


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
        instead = "" if choice == preferred else f", since {preferred} does not take such inputs"
        assumed.append(
            Assumed(
                ATTENTION,
                f"scaled_dot_product_attention runs on the {choice} backend{instead} (torch decides that in CUDA's C++).",
            )
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
