"""A tensor as it is now, put back later into the very tensor: dense, sparse, nested, or one that holds others (quantized)."""

from collections.abc import Callable

import torch

from compiler.engine.torch_internals.patch.wrapped_tensors import parts_of, stands_in

Restore = Callable[[], object]


def tensor_as_it_is(tensor: torch.Tensor) -> Restore:
    """Note numbers, gradient and ``requires_grad``; what is given puts them back, called without gradients."""
    if stands_in(tensor) or tensor.device.type == "meta" or torch.nn.parameter.is_lazy(tensor):
        return lambda: None
    numbers = _numbers_of(tensor)
    asked, gradient = tensor.requires_grad, tensor.grad if tensor.is_leaf else None

    def restore() -> None:
        numbers()
        if tensor.is_leaf:
            if tensor.grad is not gradient:
                tensor.grad = gradient
            if tensor.requires_grad is not asked:
                tensor.requires_grad_(asked)

    return restore


def _numbers_of(tensor: torch.Tensor) -> Restore:
    if parts := parts_of(tensor):
        inside = [tensor_as_it_is(part) for part in parts]
        return lambda: [restore() for restore in inside]
    copy = tensor.detach().clone()
    put = _nested if tensor.is_nested else _dense if tensor.layout is torch.strided else _sparse
    return lambda: put(tensor, copy)


def _dense(tensor: torch.Tensor, copy: torch.Tensor) -> None:
    plain = tensor.detach()
    if plain.shape != copy.shape or plain.dtype != copy.dtype:
        tensor.data = copy.clone()
    elif not torch.equal(plain, copy):
        with torch.inference_mode(tensor.is_inference()):
            plain.copy_(copy)


def _sparse(tensor: torch.Tensor, copy: torch.Tensor) -> None:
    """Into the tensor itself: copied into a detached one, indices and values would be that one's alone."""
    with torch.inference_mode(tensor.is_inference()):
        if tensor.layout is not torch.sparse_coo and tensor.values().shape != copy.values().shape:
            tensor.resize_as_sparse_(copy)
        tensor.copy_(copy)


def _nested(tensor: torch.Tensor, copy: torch.Tensor) -> None:
    with torch.inference_mode(tensor.is_inference()):
        for part, before in zip(tensor.detach().unbind(), copy.unbind(), strict=True):
            part.copy_(before)
