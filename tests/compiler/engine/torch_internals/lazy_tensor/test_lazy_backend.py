"""Readers of LazyTensor's backend."""

import pytest
import torch

from compiler.engine.torch_internals.lazy_tensor.lazy_backend import hash_of, ir_of

pytestmark = pytest.mark.engine


def test_they_are_not_given_tensors_of_other_devices():
    """Torch's own end the interpreter then."""
    other = [torch.ones(2)]
    assert (hash_of(other), ir_of(other)) == ("", "")
