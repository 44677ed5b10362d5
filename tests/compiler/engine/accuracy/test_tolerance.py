"""Judging results by float64, beside torch's own check."""

import torch

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.torch_internals.patch.torch_same import torch_agrees
from compiler.engine.user_program.stepper import Results


def _results(tensor: torch.Tensor) -> Results:
    return Results({"output 0": tensor})


def test_both_judgements_are_told_where_they_differ() -> None:
    """One element in a thousand that is off is a large difference, and a small mean square."""
    exact = torch.linspace(1, 2, 4096, dtype=torch.float64)
    eager = exact.float()
    off = eager.clone()
    off[7] += 3e-4
    row = judge("edited", _results(off), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, True)
    row = judge("edited", _results(eager), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (True, True)
    row = judge("edited", _results(eager + 1), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, False)
    row = judge("edited", _results(eager[:5]), _results(eager), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, False)


def test_what_torch_cannot_judge_is_left_open() -> None:
    exact = torch.ones(3, dtype=torch.float64)
    row = judge("edited", Results({}), _results(exact.float()), "float64", _results(exact))
    assert (row.agrees, row.torch_agrees) == (False, None)


def test_whole_numbers_and_flags_are_compared_too() -> None:
    for tensor in (torch.tensor([1, 2]), torch.tensor([True, False])):
        assert torch_agrees(tensor, tensor, tensor)
        assert not torch_agrees(~tensor, tensor, tensor)
