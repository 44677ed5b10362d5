"""A graph in float64: what is run in its own dtypes is named, for that is where rounding stays."""

import pytest
import torch

from compiler.engine.fx.interpreter import interpreted, noting_own_dtypes

pytestmark = pytest.mark.engine


class _Casts(torch.nn.Module):
    """Asserts the dtype that it casts, as torch.export has it."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Twice x."""
        return x.to(torch.float32) * 2


def test_an_assertion_of_a_dtype_rounds_nothing() -> None:
    graph = torch.export.export(_Casts(), (torch.full((3,), 0.1),)).module()
    assert any("_assert_tensor_metadata" in str(node.target) for node in graph.graph.nodes), (
        "nothing is asserted"
    )
    with noting_own_dtypes() as names:
        result = interpreted(graph, True)(torch.full((3,), 0.1, dtype=torch.float64))
    assert result.dtype is torch.float64
    assert float(result[0]) == pytest.approx(0.2)
    assert not names
