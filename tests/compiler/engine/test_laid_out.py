"""A tensor's numbers in memory as another lies: torch refuses to write into an expanded one."""

import pytest
import torch

from compiler.engine.laid_out import laid_out

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("strides", [(0, 1), (1, 0), (0, 0), (8, 1), (1, 4)])
def test_values_are_the_same_with_the_strides_that_are_asked_for(strides: tuple[int, int]) -> None:
    value = torch.arange(32.0).reshape(4, 8)
    for dim, step in enumerate(strides):
        value = value if step else value.narrow(dim, 0, 1).expand(4, 8)
    found = laid_out(value.double(), strides, torch.float32)
    assert found.stride() == strides
    assert found.dtype == torch.float32
    assert torch.equal(found, value)


def test_nothing_can_be_laid_out() -> None:
    assert laid_out(torch.ones(0, 3), (0, 1)).shape == (0, 3)
