"""Arguments of operators that trying does not find: sizes that must fit one another in ways of their own."""

from collections.abc import Callable
from typing import Any

import torch

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def _ones(*shape: int) -> torch.Tensor:
    return torch.ones(shape)


def _norm_dtype() -> Arguments:
    return (_ones(4, 4), 2), {"dtype": torch.float32}


_KNOWN: dict[str, Callable[[], Arguments]] = {
    "clamp": lambda: ((_ones(4, 4), 0.0), {}),
    "clamp_": lambda: ((_ones(4, 4), 0.0), {}),
    "clip": lambda: ((_ones(4, 4), 0.0), {}),
    "clip_": lambda: ((_ones(4, 4), 0.0), {}),
    "cross": lambda: ((_ones(4, 3), _ones(4, 3)), {}),
    "linalg_cross": lambda: ((_ones(4, 3), _ones(4, 3)), {}),
    "binary_cross_entropy_with_logits": lambda: ((_ones(4, 4), _ones(4, 4)), {}),
    "kl_div": lambda: ((_ones(4, 4), _ones(4, 4)), {}),
    "affine_grid_generator": lambda: ((_ones(2, 2, 3), [2, 3, 4, 4], False), {}),
    "affine_grid_generator_backward": lambda: ((_ones(2, 4, 4, 2), [2, 3, 4, 4], False), {}),
    "grid_sampler": lambda: ((_ones(2, 3, 4, 4), _ones(2, 4, 4, 2), 0, 0, False), {}),
    "grid_sampler_2d": lambda: ((_ones(2, 3, 4, 4), _ones(2, 4, 4, 2), 0, 0, False), {}),
    "col2im": lambda: ((_ones(1, 8, 9), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1]), {}),
    "native_group_norm_backward": lambda: (
        (_ones(2, 4, 4), _ones(2, 4, 4), _ones(2, 2), _ones(2, 2), _ones(4), 2, 4, 4, 2, [True] * 3),
        {},
    ),
    "nll_loss2d_backward": lambda: (
        (_ones(), _ones(2, 4, 4, 4), torch.ones(2, 4, 4, dtype=torch.int64), None, 1, -100, _ones()),
        {},
    ),
    "lstm.input": lambda: (
        (
            _ones(3, 2, 4),
            [_ones(1, 2, 4), _ones(1, 2, 4)],
            [_ones(16, 4), _ones(16, 4), _ones(16), _ones(16)],
            *(True, 1, 0.0, False, False, False),
        ),
        {},
    ),
    "gru.input": lambda: (
        (
            _ones(3, 2, 4),
            _ones(1, 2, 4),
            [_ones(12, 4), _ones(12, 4), _ones(12), _ones(12)],
            *(True, 1, 0.0, False, False, False),
        ),
        {},
    ),
    "lstm_cell": lambda: (
        (_ones(2, 4), [_ones(2, 4), _ones(2, 4)], _ones(16, 4), _ones(16, 4), _ones(16), _ones(16)),
        {},
    ),
    "gru_cell": lambda: ((_ones(2, 4), _ones(2, 4), _ones(12, 4), _ones(12, 4), _ones(12), _ones(12)), {}),
    "thnn_conv2d": lambda: ((_ones(2, 4, 4, 4), _ones(4, 4, 2, 2), [2, 2], None, [1, 1], [0, 0]), {}),
    "bucketize.Scalar": lambda: ((0.5, _ones(4)), {}),
    "norm.ScalarOpt_dtype": _norm_dtype,
    "norm.ScalarOpt_dim_dtype": lambda: ((_ones(4, 4), 2, [0], False), {"dtype": torch.float32}),
    "linalg_norm.ord_str": lambda: ((_ones(4, 4), "fro"), {}),
    "meshgrid": lambda: (([_ones(4), _ones(4)],), {}),
    "narrow.Tensor": lambda: ((_ones(4, 4), 0, torch.ones((), dtype=torch.int64), 2), {}),
    "one_hot": lambda: ((torch.ones(4, dtype=torch.int64), 4), {}),
    "scatter_.reduce": lambda: (
        (_ones(4, 4), 0, torch.ones(4, 4, dtype=torch.int64), _ones(4, 4)),
        {"reduce": "add"},
    ),
    "scatter_.value_reduce": lambda: (
        (_ones(4, 4), 0, torch.ones(4, 4, dtype=torch.int64), 1.0),
        {"reduce": "add"},
    ),
}


def known_arguments(schema: Any) -> Arguments | None:
    """Arguments for the operator of a schema, what it writes into included; None for one that needs none of these."""
    short = schema.name.partition("::")[2]
    overload = f"{short}.{schema.overload_name}" if schema.overload_name else short
    make = _KNOWN.get(overload) or _KNOWN.get(short)
    if make is None:
        return None
    args, kwargs = make()
    outs = {item.name: torch.empty(0) for item in schema.arguments if item.kwarg_only and item.is_out}
    return args, {**kwargs, **outs}
