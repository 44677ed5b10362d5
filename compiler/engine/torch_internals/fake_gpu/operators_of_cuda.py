"""Operators of which torch asks whether, or what, CUDA implements: those that are traced whole where it does, fused recurrent cells,
and whatever has no shape function.

GIVES: the backward of SiLU and Mish and the fused RMSNorm as one operator, which a build without CUDA takes apart; shapes of the fused
cells' results; results on the GPU where torch finds out shapes by running the CPU's kernel; what cuDNN reserves for a batch norm.
NEEDS: ``torch.library`` and the cells' schemas; ``run_fallback_kernel`` of the fake tensors.
"""

from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.torch_internals.fake_gpu.own_kernels import contiguous_like, implement

GIVES = "operators of CUDA on a GPU that is not here"
NEEDS = ("torch._subclasses.fake_tensor:run_fallback_kernel",)
_OF_GRU = 5
"""Values a fused GRU cell keeps for each unit (``GRU_WORKSPACE_MULTIPLIER``)."""
WHOLE = ("silu_backward", "mish_backward", "_fused_rms_norm")
"""Operators that have a kernel for CUDA beside one that takes them apart whatever the device (``CompositeImplicitAutograd``)."""
_RESERVED = "_get_cudnn_batch_norm_reserve_space_size"
_Tensors = tuple[torch.Tensor, ...]


def install() -> None:
    """For good."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    implement(_CELLS, "Meta")
    implement({name: _on_no_gpu for name in WHOLE if not has(f"aten::{name}", "CUDA")}, "CUDA")
    if hasattr(torch._C, _RESERVED):
        setattr(torch._C, _RESERVED, _reserved_for_batch_norm)
    from torch._subclasses import fake_tensor

    fakes: Any = fake_tensor
    run = fakes.run_fallback_kernel

    def fallback(fake_mode: Any, func: Any, flat_args: Any, *rest: Any) -> Any:
        made = run(fake_mode, func, flat_args, *rest)
        devices = {value.device for value in flat_args if isinstance(value, fake_tensor.FakeTensor)}
        gpu = next((device for device in devices if device.type == "cuda"), None)
        if gpu is None:
            return made

        def placed(value: Any) -> Any:
            if not isinstance(value, fake_tensor.FakeTensor) or value.device.type != "cpu":
                return value
            if any(value is given for given in flat_args):
                return value
            with fake_tensor.in_kernel_invocation_manager(fake_mode):
                return fake_tensor.FakeTensor(fake_mode, value.to("meta"), gpu)

        return pytree.tree_map(placed, made)

    fakes.run_fallback_kernel = fallback


def _on_no_gpu(*_args: Any, **_kwargs: Any) -> Any:
    """That it is there counts; fakes ask the shape function."""
    raise NotImplementedError("There is no GPU to run on.")


def _reserved_for_batch_norm(_input: torch.Tensor, _training: bool) -> int:
    """Bytes: an H200's cuDNN reserves none, asked for three dtypes, 3 to 5 dimensions, both formats, trained or not."""
    return 0


def _lstm(
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    cx: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> _Tensors:
    """Hidden state, cell, and what the backward needs."""
    return contiguous_like(cx), contiguous_like(cx), contiguous_like(input_gates)


def _lstm_backward(
    grad_hy: torch.Tensor | None,
    grad_cy: torch.Tensor | None,
    cx: torch.Tensor,
    cy: torch.Tensor,
    workspace: torch.Tensor,
    has_bias: bool,
) -> _Tensors:
    return contiguous_like(workspace), contiguous_like(cx), workspace.new_empty(workspace.shape[1])


def _gru(
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    hx: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> _Tensors:
    """Hidden state, and what the backward needs."""
    return contiguous_like(hx), hx.new_empty((hx.shape[0], hx.shape[1] * _OF_GRU))


def _gru_backward(grad_hy: torch.Tensor, workspace: torch.Tensor, has_bias: bool) -> _Tensors:
    gates = workspace.shape[0], workspace.shape[1] // _OF_GRU * 3
    biases = [workspace.new_empty(gates[1]) for _ in range(2)]
    return workspace.new_empty(gates), workspace.new_empty(gates), contiguous_like(grad_hy), *biases


_CELLS = {
    "_thnn_fused_lstm_cell": _lstm,
    "_thnn_fused_lstm_cell_backward_impl": _lstm_backward,
    "_thnn_fused_gru_cell": _gru,
    "_thnn_fused_gru_cell_backward": _gru_backward,
}
