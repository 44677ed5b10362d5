"""What is compiled to draw eager's random numbers draws them."""

import pytest
import torch
from torch.nn import functional

from compiler.engine.torch_internals.patch.settings import eager_random, forget_compiled_code

pytestmark = pytest.mark.engine


@pytest.mark.thorough
def test_draws_are_those_of_eager_in_their_order() -> None:
    def drawing(x: torch.Tensor) -> torch.Tensor:
        y = x + torch.randn_like(x) * torch.rand(16)
        y = y + torch.bernoulli(torch.sigmoid(y)) + torch.normal(y, 0.1)
        return functional.rrelu(y, training=True)

    x, made = torch.randn(8, 16), []
    forget_compiled_code()
    with eager_random():
        for function in (drawing, torch.compile(drawing)):
            torch.manual_seed(0)
            made.append(function(x))
    assert torch.allclose(*made, atol=1e-5)
