"""``copy.deepcopy`` of tensors without values, which torch copies as if they had memory: it fails, or later frees what it does not own.

GIVES: programs that copy a module with buffers (a teacher, a target network, an average of weights, quantization) without values.
NEEDS: ``torch._subclasses.fake_tensor.FakeTensor``.
"""

import contextlib
import copy
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import torch
from torch._subclasses.fake_tensor import FakeTensor

GIVES = "copies of modules without values"
NEEDS = ("torch._subclasses.fake_tensor:FakeTensor",)


def _copied(tensor: FakeTensor, memo: dict[int, Any]) -> Any:
    if not tensor.is_leaf:
        return torch.Tensor.__deepcopy__(tensor, memo)  # says why it cannot be
    if id(tensor) in memo:
        return memo[id(tensor)]
    with torch.no_grad():
        new = torch.empty_like(tensor, memory_format=torch.preserve_format)
    memo[id(tensor)] = new
    new.requires_grad_(tensor.requires_grad)
    if tensor.grad is not None:
        new.grad = copy.deepcopy(tensor.grad, memo)
    known = vars(new)  # the mode among it, which is shared
    known.update(
        copy.deepcopy({name: value for name, value in vars(tensor).items() if name not in known}, memo)
    )
    return new


@contextlib.contextmanager
def copies_of_fakes() -> Iterator[None]:
    """While this is entered, a copy of a fake is another of its mode, with the attributes that the program wrote on it."""
    if "__deepcopy__" in vars(FakeTensor):  # entered before
        yield
        return
    with patch.object(FakeTensor, "__deepcopy__", _copied):
        yield
