"""Rounding explains small differences where little is left of large numbers, and nothing else."""

import pytest
import torch

from compiler.engine.rounding_apart import rounding_explains

pytestmark = pytest.mark.engine


def little_left(x: torch.Tensor) -> torch.Tensor:
    return (x + 1e4) - x.roll(1) - 1e4


def test_a_sum_in_another_order_is_rounding():
    x = torch.rand(64) + 1
    other = (x + 1e4) - (x.roll(1) + 1e4)
    assert "rounding" in rounding_explains(other, little_left(x), little_left(x.double()))


def test_another_branch_is_not():
    x = torch.rand(64) + 1
    assert not rounding_explains(little_left(x) * 2, little_left(x), little_left(x.double()))
    assert not rounding_explains(little_left(x)[:3], little_left(x), little_left(x.double()))
