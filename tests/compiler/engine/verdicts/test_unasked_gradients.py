"""Where nothing is found that could be asked for a gradient no step runs a backward, and nothing is said of that."""

import re
import types
from collections.abc import Callable

import pytest
import torch

import torch_loupe
from compiler.model.edits.edits import ReplaceKernel

pytestmark = pytest.mark.engine

_WEIGHT = torch.full((8, 8), 0.1, requires_grad=True)
_HIDDEN = types.MappingProxyType({"weight": torch.full((8, 8), 0.1, requires_grad=True)})
"""Nothing of Python's that a program's state is looked for in."""


def _program(x: torch.Tensor) -> torch.Tensor:
    """With a size that its numbers give, so that its backward is compiled at once."""
    rows = (x[:, 0] > 0).nonzero().squeeze(1)
    return torch.sigmoid((x @ _WEIGHT)[rows]).exp().sum()


def _hiding(x: torch.Tensor) -> torch.Tensor:
    rows = (x[:, 0] > 0).nonzero().squeeze(1)
    return torch.sigmoid((x @ _HIDDEN["weight"])[rows]).exp().sum()


@pytest.mark.parametrize(
    ("program", "part", "right"),
    [(_hiding, "backward", None), (_hiding, "forward", False), (_program, "backward", False)],
)
def test_a_wrong_kernel_of_a_backward_that_no_step_runs_is_not_reported_right(
    program: Callable[[torch.Tensor], torch.Tensor], part: str, right: bool | None
) -> None:
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        captured = torch_loupe.capture(program, torch.ones(4, 8), train=True)
        stage, kernel = next(
            (stage.id, kernel)
            for stage in captured.data.stages
            if f":{part}:" in stage.id
            for kernel in stage.kernels
            if "exp()" in kernel.source
        )
        wrong = re.sub(r"(tmp\d+)\.exp\(\)", r"(\1 + \1).exp()", kernel.source)
        _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, wrong)).recompile()
    assert verdict.right is right
    reported = any("no gradient is taken" in note for note in (verdict.summary, *verdict.data.notes))
    assert reported == (program is _hiding)


def _clamped(x: torch.Tensor) -> torch.Tensor:
    return torch.clamp_min(x, 3)


def test_gradients_are_taken_for_inputs_that_are_results_too() -> None:
    """Their copies in float64 are none, and had gradients that eager had not."""
    captured = torch_loupe.capture(_clamped, torch.randn(16, requires_grad=True) * 10, train=True)
    stage, kernel = next(
        (stage.id, kernel)
        for stage in captured.data.stages
        if ":backward:" in stage.id
        for kernel in stage.kernels
        if kernel.source
    )
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, f"{kernel.source}// looked at")).recompile()
    assert verdict.right is True
    assert any(
        "grad of input 0" in (row.tensor) for item in verdict.data.comparisons for row in item.differences
    )
