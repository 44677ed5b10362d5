"""Results that are a rounding error and nothing else: the bias before a batch norm has the gradient zero, summed from large terms."""

import math

import pytest
import torch
from torch import nn

from compiler.engine.accuracy import eager_reference
from compiler.engine.accuracy.eager_reference import Reference, reference_of
from compiler.engine.rng.random_tape import Run, Within
from compiler.engine.user_program.stepper import Results
from tests.helpers.thoroughness import some


def _run(dtype: torch.dtype) -> Run[Results]:
    values = torch.linspace(1, 2, 1024, dtype=dtype)

    def run(within: Within) -> Results:
        with within():
            scaled = values * math.pi
            nothing = (scaled - scaled.mean()).sum().reshape(1)
            return Results({"cancels": nothing, "plain": scaled.sin()})

    return run


def _reference() -> Reference:
    """Eager has luck: it gives the very zero."""
    reference = reference_of(_run(torch.float32), _run(torch.float64))
    reference.eager.tensors["cancels"] = reference.exact.tensors["cancels"].float()
    return reference


def _found(cancels: float, plain: float = 0.0) -> Results:
    eager = _reference().eager
    return Results({"cancels": torch.tensor([cancels]), "plain": eager.tensors["plain"] + plain})


def test_a_rounding_error_is_not_called_wrong() -> None:
    row = _reference().judge("edited", _found(1e-5), "float64")
    assert row.agrees is True
    assert "Rounding alone takes float64 as far in cancels" in row.note


def test_more_than_rounding_is_wrong() -> None:
    assert _reference().judge("edited", _found(0.1), "float64").agrees is False
    assert _reference().judge("edited", _found(math.nan), "float64").agrees is False


def test_a_fault_beside_it_is_wrong() -> None:
    row = _reference().judge("edited", _found(1e-5, plain=1e-3), "float64")
    assert row.agrees is False
    assert row.note == ""


def test_a_distance_from_zero_is_reported_as_such() -> None:
    """The gradient of a bias that a normalization takes out is 0 in float64."""
    assert eager_reference._distance(4.8e-6, float("inf")) == "4.8e-06 where float64 has 0"
    assert eager_reference._distance(4.8e-6, 0.25) == "2.5e-01 from float64"


def _convolutions(dtype: torch.dtype, rows: int, side: int) -> Run[Results]:
    """Two convolutions with a bias before a batch norm, trained; the gradients of both biases are 0."""
    torch.manual_seed(0)
    parts = [
        part for channels in (3, 8) for part in (nn.Conv2d(channels, 8, 3), nn.BatchNorm2d(8), nn.ReLU())
    ]
    net = nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4)).to(dtype)
    x = torch.randn(rows, 3, side, side).to(dtype)

    def run(within: Within) -> Results:
        net.zero_grad()
        with within():
            net(x).sum().backward()
        return Results(
            {name: value.grad.clone() for name, value in net.named_parameters() if value.grad is not None}
        )

    return run


@pytest.mark.parametrize(("rows", "side"), some([(8, 32), (32, 64), (64, 96)]))
def test_a_bias_before_a_batch_norm_does_not_hinder_judging(rows: int, side: int) -> None:
    reference = reference_of(
        _convolutions(torch.float32, rows, side), _convolutions(torch.float64, rows, side)
    )
    assert reference.why_not == ""
    exact = reference.exact
    assert float(exact.tensors["0.bias"].abs().max()) < 1e-12  # nothing is left of it
    wrong = {name: value.clone() for name, value in reference.eager.tensors.items()}
    assert reference.judge("compiled", Results(wrong), "float64").agrees is True
    wrong["0.bias"] = wrong["0.bias"] + 0.1
    assert reference.judge("compiled", Results(wrong), "float64").agrees is False
    wrong["0.bias"] = reference.eager.tensors["0.bias"]
    wrong["8.weight"] = wrong["8.weight"] * 1.0001
    assert reference.judge("compiled", Results(wrong), "float64").agrees is False
