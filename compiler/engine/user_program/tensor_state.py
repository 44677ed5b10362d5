"""A tensor as it is now, put back later into the very tensor: dense, sparse, nested, or one that holds others (quantized)."""

import contextlib

import torch

from compiler.engine.torch_internals.patch.wrapped_tensors import parts_of, stands_in

_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")
"""As torch keeps what ``register_hook`` and ``register_post_accumulate_grad_hook`` are given."""


class HooksAsTheyAre:
    """The hooks of a tensor, noted: a step that registers one on its input would go through one more each time."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self._tensor = tensor
        self._kept = [dict(getattr(tensor, name, None) or ()) for name in _HOOKS]

    def restore(self) -> None:
        """Put them back."""
        for name, kept in zip(_HOOKS, self._kept, strict=True):
            hooks = getattr(self._tensor, name, None)
            if hooks is not None and hooks != kept:
                hooks.clear()
                hooks.update(kept)


class TensorAsItIs:
    """Numbers, gradient, ``requires_grad`` and hooks of a tensor, noted."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor
        self._copy: torch.Tensor | None = None
        self._same = False
        self._inside: list[TensorAsItIs] = []
        self._numberless = _is_numberless(tensor)
        if self._numberless:
            return
        self._inside = [TensorAsItIs(part) for part in parts_of(tensor) or ()]
        if not self._inside:
            self._copy = tensor.detach().clone()
        self._leaf, self._asked = tensor.is_leaf, tensor.requires_grad
        self._gradient = tensor.grad if tensor.is_leaf else None
        self._hooks = HooksAsTheyAre(tensor)

    @property
    def compared(self) -> bool:
        """Whether it can be said to have changed: a dense tensor of numbers of its own."""
        return self._copy is not None and is_dense(self.tensor)

    def changed(self) -> bool:
        """Whether other numbers stand there, of a tensor that can be compared. What is not a number is never the same."""
        if self._copy is None or not self.compared:
            return False
        plain = self.tensor.detach()
        alike = plain.shape == self._copy.shape and plain.dtype == self._copy.dtype
        self._same = alike and torch.equal(plain, self._copy)
        return not self._same

    def gradient_if_new(self) -> torch.Tensor | None:
        """Its gradient, where it had none or another."""
        if self._numberless or not self.tensor.is_leaf or self.tensor.grad is self._gradient:
            return None
        return self.tensor.grad

    def restore(self) -> None:
        """Put everything back; called without gradients. What was just asked whether it changed is not compared again."""
        if self._numberless:
            return
        for part in self._inside:
            part.restore()
        if self._copy is not None and not self._same:
            _put_back(self.tensor, self._copy)
        self._same = False
        if self._leaf and not self.tensor.is_leaf:
            with contextlib.suppress(RuntimeError):  # of a view
                self.tensor.detach_()  # a step wrote what it computed, and the next one would lead back through it
        self._hooks.restore()
        if self.tensor.is_leaf:
            if self.tensor.grad is not self._gradient:
                self.tensor.grad = self._gradient
            if self.tensor.requires_grad is not self._asked:
                self.tensor.requires_grad_(self._asked)


def is_comparable(tensor: torch.Tensor) -> bool:
    """Whether it has numbers of its own that can be compared one by one."""
    return not _is_numberless(tensor) and not parts_of(tensor) and is_dense(tensor)


def _is_numberless(tensor: torch.Tensor) -> bool:
    return stands_in(tensor) or tensor.device.type == "meta" or torch.nn.parameter.is_lazy(tensor)


def is_dense(tensor: torch.Tensor) -> bool:
    """Whether its numbers can be compared one by one."""
    return not tensor.is_nested and tensor.layout is torch.strided


def _put_back(tensor: torch.Tensor, copy: torch.Tensor) -> None:
    put = _nested if tensor.is_nested else _dense if tensor.layout is torch.strided else _sparse
    put(tensor, copy)


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
