"""Operators that a mode of ours is shown, also in the bodies of higher-order ones, eagerly and while gradients are taken."""

from typing import Any

import pytest
import torch
from torch._higher_order_ops import scan

from compiler.engine.rng.draw_order import NotedDraw, NotingDraws
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.rng.rounding_noise import numbered, rounding_noise
from compiler.engine.torch_internals.dispatcher.dispatched_operations import dispatched
from compiler.engine.torch_internals.fake_gpu.values.found_values import found_by
from compiler.engine.torch_internals.patch.nothing_compiled import nothing_compiled


def _chosen(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, lambda x: (x.sin(),), lambda x: (x.cos(),), (x,))[0] * 2


def _dropped(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, lambda x: x + torch.rand_like(x), lambda x: x - torch.rand_like(x), (x,))


def _one_tensor(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,)) * 2


def _of_rows(x: torch.Tensor) -> torch.Tensor:
    return torch._higher_order_ops.map(lambda row: row.sin(), x.reshape(-1, 1)) * 2


@pytest.mark.parametrize("function", [_chosen, _one_tensor, _of_rows])
@pytest.mark.parametrize("training", [False, True])
def test_operators_of_the_branch_that_is_taken_are_noted(training: bool, function: Any) -> None:
    def step(function: Any) -> None:
        result = function(torch.ones(4, requires_grad=training))
        if training:
            result.sum().backward()

    with nothing_compiled():
        names = [row.name for row in dispatched(step, function)]
    assert "aten::sin" in names
    assert ("aten::cos" in names) is training  # the sine's gradient
    assert "aten::mul" in names


def test_what_a_branch_draws_is_given_to_a_run_in_float64() -> None:
    def run(within: Within, dtype: torch.dtype) -> torch.Tensor:
        with within():
            return _dropped(torch.ones(4, dtype=dtype))

    tape = RandomTape()
    torch.manual_seed(5)
    narrow = tape.record(lambda within: run(within, torch.float32))
    wide = tape.replay(lambda within: run(within, torch.float64))
    assert [name for name, *_ in tape.draws] == ["rand_like"]
    assert tape.unlike == ""
    assert torch.allclose(wide, narrow.double(), rtol=0, atol=1e-6)


def test_draws_of_a_branch_are_noted_and_its_operators_moved_by_noise() -> None:
    noted: list[NotedDraw] = []
    with nothing_compiled(), NotingDraws(noted):
        _dropped(-torch.ones(4))
    assert [row.draw[0] for row in noted] == ["rand_like"]
    with rounding_noise(1e-3, numbered(0)):
        moved = _chosen(torch.ones(4, dtype=torch.float64))
    far = (moved - _chosen(torch.ones(4, dtype=torch.float64))).abs().max()
    assert 0 < float(far) < 1e-2


def test_values_are_found_of_a_program_with_branches() -> None:
    """Those that a run on fakes asks for, of what stands behind a branch too."""

    def run() -> None:
        int(_chosen(torch.ones(4)).sum())
        torch.unique(_chosen(torch.ones(4)))

    found, error = found_by(run)
    assert error is None
    assert found.next(torch.ops.aten._local_scalar_dense.default) is not None
    assert found.next(torch.ops.aten._unique2.default) is not None
    torch._dynamo.reset()
    assert _chosen(torch.ones(4)).shape == (4,)  # nothing is left that hinders torch.cond outside


def test_noise_leaves_alone_what_is_traced() -> None:
    """The gradient of a ``scan`` is, on fake tensors."""
    x = torch.ones(3, 4, dtype=torch.float64, requires_grad=True)
    with rounding_noise(1e-3, numbered(0)):
        scan(lambda carry, row: (carry + row, carry * row), torch.ones(4, dtype=torch.float64), x)[
            1
        ].sum().backward()
    assert x.grad.isfinite().all()
