"""Inductor writes no loops for complex numbers: it calls their views as they stand."""

import pytest
import torch

from compiler.api import capture
from compiler.model.ir.ids import place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import KernelStage

pytestmark = pytest.mark.engine


def _spectrum(x: torch.Tensor) -> torch.Tensor:
    return torch.fft.rfft(x)[:, 1:3].transpose(0, 1).real.contiguous() * 2


def test_a_view_that_is_called_is_linked_for_certain():
    """It was held for one that loops read through, of which nothing is left: a guess."""
    cap = capture(_spectrum, torch.rand(4, 8), train=False).data
    (stage,) = (stage for stage in cap.stages if isinstance(stage.content, KernelStage))
    called = [kernel.name for kernel in stage.kernels if kernel.name.startswith("torch.ops")]
    assert {"torch.ops.aten.slice.Tensor", "torch.ops.aten.permute.default"} <= set(called)
    certain = Provenance([row for row in cap.links if row.proof != GUESS])
    for name in called:
        assert any(where.startswith("0/0:dynamo") for where in certain.ancestors(place(stage.id, name))), name
