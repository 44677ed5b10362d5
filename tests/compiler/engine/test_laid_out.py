"""A tensor brought into the order in memory of another, real or fake."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

from compiler.engine.laid_out import ordered_like


def symbolic(like: torch.Tensor) -> torch.Tensor:
    mode = FakeTensorMode(shape_env=ShapeEnv())
    context = StatelessSymbolicContext([DimDynamic.DYNAMIC] * like.dim(), None)  # type: ignore[arg-type]
    return mode.from_tensor(like, symbolic_context=context)


def test_dimensions_come_into_order_and_numbers_stay() -> None:
    value = torch.randn(2, 4, 3, 5).permute(0, 3, 1, 2)
    like = torch.empty(2, 5, 4, 3)
    found = ordered_like(value, like)
    assert found.stride() == like.stride()
    assert torch.equal(found, value)


def test_of_symbols_the_innermost_dimension_is_known() -> None:
    value = torch.randn(2, 4, 3, 5).transpose(2, 3)
    found = ordered_like(value, symbolic(torch.empty(2, 4, 5, 3)))
    assert found.stride()[-1] == 1
    assert torch.equal(found, value)
    assert ordered_like(found, symbolic(torch.empty(2, 4, 5, 3))) is found


@pytest.mark.parametrize(
    ("value", "like"),
    [
        (torch.randn(3, 4), torch.randn(3, 4)),
        (torch.randn(3, 1).t(), torch.randn(1, 3)),  # a dimension of one has no order
        (torch.randn(4, 3)[:, :2], torch.randn(4, 2)),  # with gaps, in order
        (torch.randn(3, 1).expand(3, 4), torch.randn(4, 3).t()),
        (torch.randn(4, 3).t(), torch.randn(3, 1).expand(3, 4)),
        (torch.randn(3, 4), torch.randn(2, 3, 4)),
        (torch.eye(3).to_sparse(), torch.eye(3).t()),
        (torch.empty(0, 4), torch.empty(4, 0).t()),
    ],
)
def test_what_is_in_order_or_has_none_is_left(value: torch.Tensor, like: torch.Tensor) -> None:
    assert ordered_like(value, like) is value
