"""Loops and branches that stay outside of graphs, on fakes: their bodies run once, by torch's own rules."""

import pytest
import torch
from torch._higher_order_ops.while_loop import while_loop_op

from compiler.engine.torch_internals.fake_gpu.fake_backend import fake_mode

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_loop_gives_what_its_body_gives(dynamic: bool) -> None:
    with fake_mode(dynamic) as mode:
        before = mode.shape_env
        carried = (torch.zeros((), dtype=torch.int64), torch.randn(4, 3))
        _, result = while_loop_op(lambda i, y: i < 3, lambda i, y: (i + 1, y.sin()), carried, ())
        assert result.shape == (4, 3)
        assert mode.shape_env is before


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_branch_gives_what_both_give(dynamic: bool) -> None:
    with fake_mode(dynamic):
        operands = (torch.randn(4, 3),)
        branches = (lambda y: (y.sin(),), lambda y: (y.cos(),))
        (result,) = torch.ops.higher_order.cond(torch.tensor(True), *branches, operands)
        assert result.shape == (4, 3)
