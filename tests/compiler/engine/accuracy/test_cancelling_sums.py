"""Results that are a rounding error and nothing else: the bias before a batch norm has the gradient zero, summed from large terms."""

import math

import torch

from compiler.engine.accuracy import eager_reference
from compiler.engine.accuracy.eager_reference import Reference, reference_of
from compiler.engine.rng.random_tape import Run, Within
from compiler.engine.user_program.stepper import Results


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
    assert reference.exact is not None
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


def test_a_distance_from_zero_is_told_as_such() -> None:
    """The gradient of a bias that a normalization takes out is 0 in float64."""
    assert eager_reference._distance(4.8e-6, float("inf")) == "4.8e-06 where float64 has 0"
    assert eager_reference._distance(4.8e-6, 0.25) == "2.5e-01 from float64"
