"""Operators that CUDA gives to cuDNN, or that only CUDA has, without a shape function: torch finds their results' shapes by running
them, where a GPU is.

GIVES: recurrent nets outside of graphs as one operator; results' shapes of connectionist losses, grids, recurrent nets' backward and synchronized batch norms, and which of its losses and
grids torch gives to cuDNN (``LossCTC.cpp``, ``GridSampler.cpp``).
NEEDS: ``torch.library`` and the operators' schemas; ``register_op_impl`` of the fake tensors.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch

from compiler.engine.torch_internals.fake_gpu.own_kernels import contiguous_like, implement
from compiler.model.ir.gpu_target import GpuTarget

GIVES = "operators of CUDA's libraries on a GPU that is not here"
NEEDS = ("torch._subclasses.fake_impls:register_op_impl",)
_BILINEAR, _ZEROS = 0, 0
_OF_GRIDS = (torch.float64, torch.float32, torch.float16)
_MOST_CHANNELS = 1024
_HALVES = (torch.float16, torch.bfloat16)
_LONGEST = 256
_LSTM = "lstm"
_MODES = {"rnn_relu": 0, "rnn_tanh": 1, _LSTM: 2, "gru": 3}
"""What cuDNN calls recurrent nets."""
_GATES = {"rnn_relu": 1, "rnn_tanh": 1, _LSTM: 4, "gru": 3}


def install(target: GpuTarget) -> None:
    """For good, after the GPU is pretended."""
    cudnn = not target.is_amd
    implement(_SHAPES, "Meta")
    composite = "CompositeImplicitAutograd"
    if cudnn != torch._C._has_cudnn:  # a build without it never chooses it
        implement({"grid_sampler": functools.partial(_grid_sampler, cudnn)}, composite)
    nets = {
        f"{name}.input": functools.partial(_recurrent, cudnn, name, mode) for name, mode in _MODES.items()
    }
    implement(nets, composite)
    from torch._subclasses import fake_impls

    fakes: Any = fake_impls
    aten: Any = torch.ops.aten
    fakes.register_op_impl(aten._use_cudnn_ctc_loss.default)(functools.partial(_ctc_listed, cudnn))
    fakes.register_op_impl(aten._use_cudnn_ctc_loss.Tensor)(functools.partial(_ctc_of_tensors, cudnn))
    if hasattr(aten, "_use_miopen_ctc_loss"):  # asked of every build
        for asked in (aten._use_miopen_ctc_loss.default, aten._use_miopen_ctc_loss.Tensor):
            fakes.register_op_impl(asked)(_never)


def _grid_sampler(
    cudnn: bool,
    given: torch.Tensor,
    grid: torch.Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> torch.Tensor:
    plain = interpolation_mode == _BILINEAR and padding_mode == _ZEROS and align_corners
    if cudnn and plain and _gives_grid_to_cudnn(given, grid):
        return torch.ops.aten.cudnn_grid_sampler.default(given, grid)
    aten = torch.ops.aten
    sampler = aten.grid_sampler_2d if given.dim() == 4 else aten.grid_sampler_3d
    return sampler.default(given, grid, interpolation_mode, padding_mode, align_corners)


def _gives_grid_to_cudnn(given: torch.Tensor, grid: torch.Tensor) -> bool:
    """Whether torch's C++ has cuDNN sample a picture bilinearly, with zeros around it and aligned corners."""
    return (
        torch.backends.cudnn.enabled
        and given.device.type == grid.device.type == "cuda"
        and given.dtype in _OF_GRIDS
        and grid.dtype in _OF_GRIDS
        and given.dim() == 4
        and given.shape[1] <= _MOST_CHANNELS
        and given.numel() != 0
        and grid.numel() != 0
    )


def _ctc_fits(log_probs: torch.Tensor, targets: torch.Tensor, blank: int) -> bool:
    return bool(
        torch.backends.cudnn.enabled
        and blank == 0
        and targets.dim() == 1
        and targets.dtype == torch.int32
        and log_probs.dtype == torch.float32
        and log_probs.dim() == 3
        and log_probs.device.type == "cuda"
        and targets.is_contiguous()
    )


def _ctc_listed(
    cudnn: bool,
    _mode: Any,
    _func: Any,
    log_probs: torch.Tensor,
    targets: torch.Tensor,
    input_lengths: Sequence[int],
    target_lengths: Sequence[int],
    blank: int,
) -> bool:
    return (
        cudnn
        and _ctc_fits(log_probs, targets, blank)
        and targets.device.type == "cpu"
        and all(length == log_probs.shape[0] for length in input_lengths)
        and all(
            of_target < _LONGEST and of_target <= length
            for of_target, length in zip(target_lengths, input_lengths, strict=True)
        )
    )


def _ctc_of_tensors(
    cudnn: bool,
    _mode: Any,
    _func: Any,
    log_probs: torch.Tensor,
    targets: torch.Tensor,
    input_lengths: torch.Tensor,
    target_lengths: torch.Tensor,
    blank: int,
) -> bool:
    """While it traces, torch asks with lengths of zero, which fit."""
    return (
        cudnn
        and _ctc_fits(log_probs, targets, blank)
        and input_lengths.dtype == torch.int32
        and target_lengths.dtype == torch.int32
    )


def _never(*_args: Any, **_named: Any) -> bool:
    """MIOpen's loss is not known here, so its builds are shown torch's own."""
    return False


def _recurrent(
    cudnn: bool,
    name: str,
    mode: int,
    given: torch.Tensor,
    hx: Any,
    params: list[torch.Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Any:
    """A recurrent net as the step runs it outside of graphs, on its GPU one operator of cuDNN; elsewhere as torch has it."""
    aten: Any = torch.ops.aten
    if not cudnn or given.device.type != "cuda" or not torch.backends.cudnn.enabled:
        kernels = getattr(aten, name).input.py_kernels[torch._C.DispatchKey.CompositeImplicitAutograd]
        output, *states = kernels(
            given, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
        )
        before = hx if name == _LSTM else (hx,)
        shaped = zip(
            states, before, strict=True
        )  # torch's decomposition has a dimension more with projections
        return (output, *(state.reshape(first.shape) for state, first in shaped))
    state, cell = hx if name == _LSTM else (hx, None)
    directions = 2 if bidirectional else 1
    of_cell = len(params) // (num_layers * directions)
    hidden = int(params[1].shape[0]) // _GATES[name]
    projected = int(params[1].shape[1])
    drawn = given.new_empty(0, dtype=torch.uint8) if dropout > 0 and train else None
    output, hy, cy, _, _ = aten._cudnn_rnn.default(
        given, params, of_cell, given.new_empty(sum(one.numel() for one in params)), state, cell, mode, hidden,
        projected if projected != hidden else 0, num_layers, batch_first, dropout, train, bidirectional, [], drawn,
    )  # fmt: skip
    return (output, hy, cy) if name == _LSTM else (output, hy)


def _ctc(log_probs: torch.Tensor, *_rest: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """The losses, and the gradient."""
    return log_probs.new_empty(log_probs.shape[1]), contiguous_like(log_probs)


def _sampled(given: torch.Tensor, grid: torch.Tensor) -> torch.Tensor:
    return given.new_empty((*given.shape[:2], *grid.shape[1:3]))


def _sampled_backward(given: torch.Tensor, grid: torch.Tensor, _gradient: torch.Tensor) -> Any:
    return contiguous_like(given), contiguous_like(grid)


def _recurrent_backward(
    given: torch.Tensor, weight: Sequence[torch.Tensor], _stride: int, _buffer: torch.Tensor, *rest: Any
) -> Any:
    hx, cx = rest[0], rest[1]
    *_, output_mask = rest
    found = contiguous_like(given) if output_mask[0] else None
    state = contiguous_like(hx) if output_mask[1] else None
    cell = contiguous_like(cx) if output_mask[2] and cx is not None else None
    return found, state, cell, [contiguous_like(one) for one in weight] if output_mask[3] else []


def _accumulated(given: torch.Tensor) -> torch.dtype:
    return torch.float32 if given.dtype in _HALVES else given.dtype


def _statistics(given: torch.Tensor, *_rest: Any) -> Any:
    of_channels = given.new_empty(given.shape[1], dtype=_accumulated(given))
    return of_channels, torch.empty_like(of_channels)


def _gathered(_given: torch.Tensor, mean: torch.Tensor, *_rest: Any) -> Any:
    """Of all ranks' means, a row for each."""
    return _statistics(mean)


def _normalized(given: torch.Tensor, *_rest: Any) -> torch.Tensor:
    return torch.empty_like(given)


def _reduced(
    _gradient: torch.Tensor,
    given: torch.Tensor,
    mean: torch.Tensor,
    _invstd: torch.Tensor,
    weight: torch.Tensor | None,
    input_g: bool,
    weight_g: bool,
    bias_g: bool,
) -> Any:
    sums = [torch.empty_like(mean) if input_g else None for _ in range(2)]
    channels = given.shape[1]
    of_weight = given.new_empty(channels, dtype=weight.dtype if weight is not None else _accumulated(given))
    return *sums, of_weight if weight_g else None, torch.empty_like(of_weight) if bias_g else None


def _normalized_backward(_gradient: torch.Tensor, given: torch.Tensor, *_rest: Any) -> torch.Tensor:
    return torch.empty_like(given)


_SHAPES: dict[str, Callable[..., Any]] = {
    "_cudnn_ctc_loss": _ctc,
    "_cudnn_ctc_loss.Tensor": _ctc,
    "cudnn_grid_sampler": _sampled,
    "cudnn_grid_sampler_backward": _sampled_backward,
    "_cudnn_rnn_backward": _recurrent_backward,
    "batch_norm_stats": _statistics,
    "batch_norm_gather_stats": _gathered,
    "batch_norm_gather_stats_with_counts": _gathered,
    "batch_norm_elemt": _normalized,
    "batch_norm_backward_reduce": _reduced,
    "batch_norm_backward_elemt": _normalized_backward,
}
