"""Which memory format a convolution's result has on a GPU that is not here: the rules of ``Convolution.cpp`` and ``ConvUtils.h``. What
reads the result is generated for its strides, so most kernels of a convolutional net depend on them.

GIVES: channels last or contiguous, as cuDNN (or MIOpen) gives it. torch's own answer needs a build with cuDNN, and for bfloat16
a driver: on a machine without, it says that a slow kernel runs, which gives contiguous results.
NEEDS: ``torch._C._select_conv_backend`` and ``torch._C._conv_determine_backend_memory_format``, called by the fake implementation of
convolutions. Held against torch's C++ where the build has cuDNN, and against recordings of real GPUs.
"""

import os
from collections.abc import Sequence
from typing import Any

import torch
from torch._prims_common import suggest_memory_format

from compiler.engine.torch_internals.fake_gpu.bound_early import put, replace
from compiler.model.ir.gpu_target import GpuTarget

GIVES = "memory formats of convolutions on a GPU that is not here"
NEEDS = ("torch._C:_select_conv_backend", "torch._C:_conv_determine_backend_memory_format")
_BFLOAT16_FROM = 8
"""The compute capability from which cuDNN convolves bfloat16."""
_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}
_Backend: Any = torch._C._ConvBackend
_OF_MIOPEN = (_Backend.Miopen, _Backend.MiopenTranspose, _Backend.MiopenDepthwise)
_OF_CUDNN = (_Backend.Cudnn, _Backend.CudnnTranspose)


def install(target: GpuTarget) -> None:
    """Answer for convolutions on a GPU as this one does; those on the CPU are asked as before."""
    bindings: Any = torch._C
    on_cpu = bindings._select_conv_backend
    format_on_cpu = bindings._conv_determine_backend_memory_format

    def select(
        input: torch.Tensor,  # noqa: A002  torch names it in the call
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int],
        transposed: bool,
        output_padding: Sequence[int],
        groups: int,
        bias_sizes: Sequence[int] | None = None,
    ) -> Any:
        if input.device.type != "cuda":
            more = {} if bias_sizes is None else {"bias_sizes": bias_sizes}
            return on_cpu(
                input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, **more
            )
        return backend(target, input, weight, stride, dilation, transposed, output_padding, groups)

    def memory_format(given: torch.Tensor, weight: torch.Tensor, chosen: Any) -> torch.memory_format:
        if given.device.type != "cuda":
            return format_on_cpu(given, weight, chosen)
        return format_of(target, given, weight, chosen)

    replace(
        [
            put(bindings, "_select_conv_backend", select),
            put(bindings, "_conv_determine_backend_memory_format", memory_format),
        ]
    )


def backend(
    target: GpuTarget,
    given: torch.Tensor,
    weight: torch.Tensor,
    stride: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Any:
    """What ``select_conv_backend`` gives there; `given` of shape (batch, channels, length…), `weight` (out, in a group, length…)."""
    if given.numel() == 0:
        return _Backend.Empty
    length = weight.dim() - 2
    steps, padded = _each(stride, length), _each(output_padding, length)
    large_padding = any(more >= step for more, step in zip(padded, steps, strict=True))
    taken = torch.backends.cudnn.enabled and not large_padding
    if not target.is_amd and torch.bfloat16 in (given.dtype, weight.dtype):
        taken = taken and target.major >= _BFLOAT16_FROM
    channels, dimensions = given.shape[1], max(given.dim(), 4)
    if not transposed and groups > 1 and channels == groups and weight.shape[0] % channels == 0:
        if target.is_amd:
            return _Backend.MiopenDepthwise if taken else _depthwise(dimensions)
        last = _suggested(target, given, weight) != torch.contiguous_format
        return _Backend.Cudnn if taken and last else _depthwise(dimensions)
    if taken and target.is_amd:
        return _Backend.MiopenTranspose if transposed else _Backend.Miopen
    if taken:
        return _Backend.CudnnTranspose if transposed else _Backend.Cudnn
    if dimensions == 5:
        return _Backend.SlowTranspose3d if transposed else _Backend.SlowDilated3d
    if transposed:
        return _Backend.SlowTranspose2d
    return _Backend.SlowDilated2d if any(step != 1 for step in dilation) else _Backend.Slow2d


def format_of(
    target: GpuTarget, given: torch.Tensor, weight: torch.Tensor, chosen: Any
) -> torch.memory_format:
    """In which format this backend writes its result."""
    if chosen not in (*_OF_CUDNN, *_OF_MIOPEN):
        return torch.contiguous_format
    return _suggested(target, given, weight)


def _suggested(target: GpuTarget, given: torch.Tensor, weight: torch.Tensor) -> torch.memory_format:
    """``cudnn_conv_suggest_memory_format``: channels last where either of both is, but for float64."""
    last = _FORMATS.get(weight.dim())
    if last is None or torch.float64 in (given.dtype, weight.dtype):
        return torch.contiguous_format
    if target.is_amd and os.environ.get("PYTORCH_MIOPEN_SUGGEST_NHWC") != "1":
        return torch.contiguous_format
    found = last in (suggest_memory_format(given), suggest_memory_format(weight))
    return last if found else torch.contiguous_format


def _depthwise(dimensions: int) -> Any:
    return _Backend.CudaDepthwise3d if dimensions == 5 else _Backend.CudaDepthwise2d


def _each(given: Sequence[int], length: int) -> Sequence[int]:
    """One number stands for all dimensions."""
    return tuple(given) * length if len(given) == 1 else given
