"""Calls that an Inductor node writes into the wrapper by itself: torch traces them nowhere, and has no kind of line for them."""

import pytest
import torch

import torch_loupe

pytestmark = pytest.mark.engine


def _drops(x: torch.Tensor) -> torch.Tensor:
    x = torch.nn.functional.dropout2d(x, 0.3)
    return torch.nn.functional.dropout2d(x.cos(), 0.3)


def test_a_draw_in_place_is_a_kernel() -> None:
    """Two were missing among the kernels and their times; a log of the same run counted them."""
    captured = torch_loupe.capture(_drops, torch.randn(2, 3, 4, 4))
    kernels = captured.data.stage("0/0:inference:kernels").kernels
    drawn = [row for row in kernels if row.name == "torch.ops.aten.bernoulli_.float"]
    assert [row.id for row in drawn] == [drawn[0].name, f"{drawn[0].name}#2"]
    lines = captured["0/0:inference:wrapper"].text.split("\n")
    assert [row.name in lines[row.call_line - 1] for row in drawn] == [True, True]
    assert all(row.origins for row in drawn)
    order = [row.call_line for row in kernels]
    assert order == sorted(order)
