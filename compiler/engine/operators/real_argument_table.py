"""Arguments with numbers in them, for operators that read numbers, want layouts, or fit their arguments in ways of their own."""

from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.operators.known_argument_table import Arguments

_CPU = torch.device("cpu")


def _ones(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(shape, dtype=dtype)


def _whole(*numbers: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.tensor(numbers, dtype=dtype)


def _call(*args: Any, **kwargs: Any) -> Arguments:
    return args, kwargs


def _complex() -> torch.Tensor:
    return torch.empty(0, dtype=torch.complex64)


def _double() -> torch.Tensor:
    return torch.empty(0, dtype=torch.float64)


def _sparse() -> torch.Tensor:
    return torch.eye(4).to_sparse()


def _compressed(blocks: bool) -> Arguments:
    """Two rows (or rows of blocks) with one entry each."""
    values = _ones(2, 2, 2) if blocks else _ones(2)
    return _call(_whole(0, 1, 2), _whole(0, 1), values)


def _validated(blocks: bool) -> Arguments:
    args, kwargs = _compressed(blocks)
    return (*args, [4, 4] if blocks else [2, 2]), kwargs


def _packed_sequence(cell: int, hidden: Any) -> Arguments:
    """Three steps of sequences that are all the same length, through one layer of width 4."""
    weights = [_ones(4 * cell, 4), _ones(4 * cell, 4), _ones(4 * cell), _ones(4 * cell)]
    return _call(_ones(6, 4), _whole(2, 2, 2), hidden, weights, True, 1, 0.0, False, False)


def _state() -> torch.Tensor:
    return _ones(1, 2, 4)


def _sobol_state() -> torch.Tensor:
    return _ones(3, 30, dtype=torch.int64)


def _ctc(lengths: Callable[..., Any]) -> Arguments:
    scores = torch.full((5, 2, 4), -1.0)
    return _call(scores, _ones(2, 2, dtype=torch.int64), lengths(5, 5), lengths(2, 2))


def _listed(*numbers: int) -> list[int]:
    return list(numbers)


def _lu(**out: torch.Tensor) -> Arguments:
    return _call(_ones(4, 2), torch.eye(4), _whole(1, 2, 3, 4, dtype=torch.int32), **out)


def _quantized_rows() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(weight as int8, the same packed, its sums)."""
    weight, sums, _, _ = torch.ops.aten.fbgemm_linear_quantize_weight(torch.eye(16))
    return weight, torch.ops.aten.fbgemm_pack_quantized_matrix(weight), sums


def _quantized_cell(gates: int, hidden: Callable[[], Any]) -> Arguments:
    weight, sums, scale, zero = torch.ops.aten.fbgemm_linear_quantize_weight(torch.ones(4 * gates, 4))
    packed = torch.ops.aten.fbgemm_pack_quantized_matrix(weight)
    bias = _ones(4 * gates)
    return _call(
        *(_ones(2, 4), hidden(), weight, weight, bias, bias, packed, packed),
        *(sums, sums, scale, scale, zero, zero),
    )


def _quantized_linear() -> Arguments:
    weight, packed, sums = _quantized_rows()
    return _call(_ones(2, 16), weight, packed, sums, 1.0, 0, _ones(16))


def _prepacked() -> Any:
    return torch.ops.aten._wrapped_linear_prepack(  # noqa: SLF001  an operator's name
        _ones(4, 4), torch.tensor(1.0), torch.tensor(0, dtype=torch.int32), _ones(4)
    )


def _half_linear(**out: torch.Tensor) -> Arguments:
    packed = torch.ops.aten.fbgemm_pack_gemm_matrix_fp16(_ones(4, 4))
    return _call(_ones(2, 4), packed, _ones(4), **out)


_KNOWN: dict[str, Callable[[], Arguments]] = {
    "_convolution_mode": lambda: _call(_ones(2, 4, 4, 4), _ones(4, 4, 3, 3), None, [1, 1], "same", [1, 1], 1),
    "_pack_padded_sequence_backward": lambda: _call(_ones(6, 4), [3, 2, 4], _whole(2, 2, 2), False),
    "_rowwise_prune": lambda: _call(_ones(4, 4), _ones(4, dtype=torch.bool), torch.int32),
    "_sobol_engine_initialize_state_": lambda: _call(_sobol_state(), 3),
    "_sobol_engine_scramble_": lambda: _call(_sobol_state(), _ones(3, 30, 30, dtype=torch.int64), 3),
    "_sparse_compressed_tensor_unsafe": lambda: (
        _validated(False)[0],
        {"layout": torch.sparse_csr, "dtype": torch.float32, "device": _CPU},
    ),
    "_sparse_coo_tensor_unsafe": lambda: _call(_ones(2, 3, dtype=torch.int64), _ones(3), [4, 4]),
    "_sparse_log_softmax.int": lambda: _call(_sparse(), 1),
    "_sparse_softmax.int": lambda: _call(_sparse(), 1),
    "_sparse_mm.reduce": lambda: _call(torch.eye(4).to_sparse_csr(), _ones(4, 4), "sum"),
    "_sparse_sum": lambda: _call(_sparse()),
    "_sparse_sum.dim_dtype": lambda: _call(_sparse(), [0], dtype=torch.float64),
    "_sparse_sum.dtype": lambda: _call(_sparse(), dtype=torch.float64),
    "_thnn_differentiable_gru_cell_backward": lambda: _call(
        _ones(2, 4), _ones(2, 12), _ones(2, 12), _ones(2, 4), _ones(12), _ones(12)
    ),
    "_validate_sparse_bsc_tensor_args": lambda: _validated(True),
    "_validate_sparse_bsr_tensor_args": lambda: _validated(True),
    "_validate_sparse_csc_tensor_args": lambda: _validated(False),
    "_validate_sparse_csr_tensor_args": lambda: _validated(False),
    "_validate_sparse_compressed_tensor_args": lambda: _call(*_validated(False)[0], torch.sparse_csr),
    "_validate_sparse_coo_tensor_args": lambda: _call(_whole(0, 1).repeat(2, 1), _ones(2), [4, 4]),
    "_wrapped_linear_prepack": lambda: _call(
        _ones(4, 4), torch.tensor(1.0), torch.tensor(0, dtype=torch.int32), _ones(4)
    ),
    "_wrapped_quantized_linear_prepacked": lambda: _call(
        *(_ones(2, 4), torch.tensor(1.0), torch.tensor(0), _prepacked()),
        *(torch.tensor(1.0), torch.tensor(0), 4),
    ),
    "addmm.dtype": lambda: _call(*[_ones(4, 4)] * 3, torch.float32),
    "baddbmm.dtype": lambda: _call(*[_ones(4, 4, 4)] * 3, torch.float32),
    "baddbmm.dtype_out": lambda: _call(*[_ones(4, 4, 4)] * 3, torch.float32, out=torch.empty(0)),
    "coalesce": lambda: _call(_sparse()),
    "complex.out": lambda: _call(_ones(4), _ones(4), out=_complex()),
    "polar.out": lambda: _call(_ones(4), _ones(4), out=_complex()),
    "ctc_loss.IntList": lambda: _ctc(_listed),
    "ctc_loss.Tensor": lambda: _ctc(_whole),
    "fbgemm_linear_fp16_weight": _half_linear,
    "fbgemm_linear_fp16_weight.out": lambda: _half_linear(output=_ones(2, 4)),
    "fbgemm_linear_fp16_weight_fp32_activation": _half_linear,
    "fbgemm_linear_fp16_weight_fp32_activation.out": lambda: _half_linear(output=_ones(2, 4)),
    "fbgemm_linear_int8_weight": _quantized_linear,
    "fbgemm_linear_int8_weight_fp32_activation": _quantized_linear,
    "fbgemm_pack_quantized_matrix": lambda: _call(_ones(16, 16, dtype=torch.int8)),
    "fbgemm_pack_quantized_matrix.KN": lambda: _call(_ones(16, 16, dtype=torch.int8), 16, 16),
    "float_power.Scalar_out": lambda: _call(2, _ones(4), out=_double()),
    "float_power.Tensor_Scalar_out": lambda: _call(_ones(4), 2, out=_double()),
    "float_power.Tensor_Tensor_out": lambda: _call(_ones(4), _ones(4), out=_double()),
    "gru.data": lambda: _packed_sequence(3, _state()),
    "lstm.data": lambda: _packed_sequence(4, [_state(), _state()]),
    "rnn_relu.data": lambda: _packed_sequence(1, _state()),
    "rnn_tanh.data": lambda: _packed_sequence(1, _state()),
    "linalg_cond.p_str": lambda: _call(torch.eye(4), "fro"),
    "linalg_cond.p_str_out": lambda: _call(torch.eye(4), "fro", out=torch.empty(0)),
    "linalg_norm.ord_str_out": lambda: _call(_ones(4, 4), "fro", out=torch.empty(0)),
    "linspace.Scalar_Tensor": lambda: _call(0, torch.tensor(1.0), 4, device=_CPU),
    "linspace.Tensor_Scalar": lambda: _call(torch.tensor(0.0), 1, 4, device=_CPU),
    "linspace.Tensor_Tensor": lambda: _call(torch.tensor(0.0), torch.tensor(1.0), 4, device=_CPU),
    "lu_solve": _lu,
    "lu_solve.out": lambda: _lu(out=torch.empty(0)),
    "norm.ScalarOpt_dtype_out": lambda: _call(_ones(4), 2, dtype=torch.float64, out=_double()),
    "norm.dtype_out": lambda: _call(_ones(4, 4), 2, [0], False, dtype=torch.float64, out=_double()),
    "quantized_gru_cell": lambda: _quantized_cell(3, lambda: _ones(2, 4)),
    "quantized_lstm_cell": lambda: _quantized_cell(4, lambda: [_ones(2, 4), _ones(2, 4)]),
    "quantized_rnn_relu_cell": lambda: _quantized_cell(1, lambda: _ones(2, 4)),
    "quantized_rnn_tanh_cell": lambda: _quantized_cell(1, lambda: _ones(2, 4)),
    "smm": lambda: _call(_sparse(), _ones(4, 4)),
    "sparse_bsc_tensor.ccol_row_value": lambda: _compressed(True),
    "sparse_bsr_tensor.crow_col_value": lambda: _compressed(True),
    "sparse_csc_tensor.ccol_row_value": lambda: _compressed(False),
    "sparse_csr_tensor.crow_col_value": lambda: _compressed(False),
    "sparse_coo_tensor.indices_size": lambda: _call(_whole(0, 1).repeat(2, 1), _ones(2), [4, 4]),
    "sspaddmm": lambda: _call(_sparse(), _sparse(), _ones(4, 4)),
    **{
        f"fft_{name}.out": lambda: _call(_ones(4, 4), out=_complex())
        for name in ("ihfft", "ihfft2", "ihfftn", "rfft", "rfft2", "rfftn")
    },
}


def real_arguments(schema: Any) -> Arguments | None:
    """Arguments with numbers for the operator of a schema; None for one that needs none of these.

    Raises what torch raises where this build cannot make them.
    """
    short = schema.name.partition("::")[2]
    make = _KNOWN.get(f"{short}.{schema.overload_name}" if schema.overload_name else short)
    return make() if make is not None else None
