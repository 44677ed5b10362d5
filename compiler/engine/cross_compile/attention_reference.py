"""The attention operators that exist on a GPU only, written out, so that graphs and wrappers with them run on the CPU.

Results have the operators' places and shapes; their strides are those of plain arithmetic.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor


def written_out(name: str) -> Callable[..., Any] | None:
    """What stands for an ``aten`` operator of this name (``_scaled_dot_product_flash_attention``), or None."""
    return _OPERATORS.get(name)


def _scores(q: Tensor, k: Tensor, bias: Tensor | None, causal: bool, scale: float | None) -> Tensor:
    factor = scale if scale is not None else 1.0 / math.sqrt(q.shape[-1])
    scores = (_wide(q) @ _wide(k).transpose(-1, -2)) * factor
    if bias is not None:
        scores = scores + bias
    if causal:
        allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    return scores


def _wide(value: Tensor) -> Tensor:
    return value if value.dtype == torch.float64 else value.float()


def _no_dropout(probability: float) -> None:
    if probability:
        raise NotImplementedError("attention with dropout draws random numbers in its library")


def _attend(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, causal: bool, scale: float | None
) -> tuple[Tensor, Tensor]:
    scores = _scores(q, k, bias, causal, scale)
    return (scores.softmax(-1) @ _wide(v)).to(q.dtype), scores.logsumexp(-1)


def _gradients(
    grad: Tensor, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, causal: bool, scale: float | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of query, key, value and bias."""
    factor = scale if scale is not None else 1.0 / math.sqrt(q.shape[-1])
    weights = _scores(q, k, bias, causal, scale).softmax(-1)
    wide = _wide(grad)
    of_weights = wide @ _wide(v).transpose(-1, -2)
    of_scores = weights * (of_weights - (of_weights * weights).sum(-1, keepdim=True))
    of_query, of_key = factor * of_scores @ _wide(k), factor * of_scores.transpose(-1, -2) @ _wide(q)
    of_value = weights.transpose(-1, -2) @ wide
    return of_query.to(q.dtype), of_key.to(k.dtype), of_value.to(v.dtype), of_scores


def _seed() -> Tensor:
    return torch.zeros((), dtype=torch.int64)


def _flash(
    q: Tensor, k: Tensor, v: Tensor, dropout: float = 0.0, causal: bool = False, debug: bool = False, *,
    scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    out, sums = _attend(q, k, v, None, causal, scale)
    state = torch.zeros(2, dtype=torch.uint64)
    return out, sums, None, None, q.shape[-2], k.shape[-2], state, state[:0], out[:0]


def _cudnn(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, sums_wanted: bool, dropout: float = 0.0, causal: bool = False,
    debug: bool = False, *, scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    out, sums = _attend(q, k, v, bias, causal, scale)
    return out, sums.unsqueeze(-1), None, None, q.shape[-2], k.shape[-2], _seed(), _seed(), None


def _efficient(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, sums_wanted: bool, dropout: float = 0.0, causal: bool = False, *,
    scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    out, sums = _attend(q, k, v, bias, causal, scale)
    rows = -sums.shape[-1] % 32
    padded = torch.nn.functional.pad(sums, (0, rows)) if sums_wanted else sums[..., :0]
    return out, padded, _seed(), _seed()


def _flash_backward(
    grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, sums: Tensor, cq: Any, ck: Any, mq: Any, mk: Any,
    dropout: float, causal: bool, seed: Any, offset: Any, *, scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    return _gradients(grad, q, k, v, None, causal, scale)[:3]


def _efficient_backward(
    grad: Tensor, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, out: Tensor, sums: Tensor, seed: Any, offset: Any,
    dropout: float, wanted: Any, causal: bool = False, *, scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    return _gradients(grad, q, k, v, bias, causal, scale)


def _cudnn_backward(
    grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, sums: Tensor, seed: Any, offset: Any, bias: Tensor | None,
    cq: Any, ck: Any, mq: Any, mk: Any, dropout: float, causal: bool, *, scale: float | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    _no_dropout(dropout)
    return _gradients(grad, q, k, v, bias, causal, scale)[:3]


_OPERATORS: dict[str, Callable[..., Any]] = {
    "_scaled_dot_product_flash_attention": _flash,
    "_scaled_dot_product_cudnn_attention": _cudnn,
    "_scaled_dot_product_efficient_attention": _efficient,
    "_scaled_dot_product_flash_attention_backward": _flash_backward,
    "_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "_scaled_dot_product_cudnn_attention_backward": _cudnn_backward,
}
