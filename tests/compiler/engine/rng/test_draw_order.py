"""A graph run op by op draws what compiled code drew that called in another order."""

from collections.abc import Callable

import pytest
import torch

from compiler.engine.rng.draw_order import NotedDraw, NotingDraws, alike, in_the_order_of, is_another_order


def _drawn(*sizes: int) -> dict[int, torch.Tensor]:
    return {size: torch.empty(size).uniform_() for size in sizes}


def test_each_call_draws_what_the_same_call_drew_and_the_generator_ends_where_it_did() -> None:
    noted: list[NotedDraw] = []
    torch.manual_seed(0)
    with NotingDraws(noted):
        compiled = _drawn(3, 5, 20, 7)
    after = torch.rand(2)
    torch.manual_seed(0)
    again: list[NotedDraw] = []
    with NotingDraws(again), in_the_order_of(noted):
        by_itself = _drawn(7, 20, 3, 5)
    assert all(torch.equal(compiled[size], by_itself[size]) for size in compiled)
    assert torch.equal(after, torch.rand(2))
    orders = [[row.draw for row in calls] for calls in (again, noted)]
    assert is_another_order(*orders)
    assert not is_another_order(orders[0], orders[0])
    assert not is_another_order(orders[0], orders[1][1:])


def test_calls_alike_of_one_run_are_known() -> None:
    one, other = (NotedDraw((name, (), ()), [], []) for name in ("uniform", "randint"))
    assert not alike([[one, other], [one]])
    assert alike([[other], [one, other, one]])


@pytest.mark.parametrize("laid_out", [lambda x: x, lambda x: x.transpose(0, 2)])
@pytest.mark.parametrize(
    ("name", "overload", "args"),
    [
        ("bernoulli", ("p", "float"), (0.3,)),
        ("bernoulli", ("Tensor", "Tensor"), (torch.full((64, 3, 5), 0.3),)),
        ("uniform", ("default", "default"), (0.0, 2.0)),
        ("exponential", ("default", "default"), ()),
        ("cauchy", ("default", "default"), ()),
        ("geometric", ("default", "default"), (0.4,)),
        ("log_normal", ("default", "default"), ()),
        ("random", ("to", "to"), (9,)),
    ],
)
def test_a_call_and_the_same_in_place_draw_alike_where_they_are_asked_to(
    name: str,
    overload: tuple[str, str],
    args: tuple[object, ...],
    laid_out: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    """``bernoulli`` gives a permuted tensor in the usual order, and so other numbers than ``bernoulli_``: the layout tells them apart."""
    value = laid_out(torch.zeros(64, 3, 5))
    args = tuple(arg.reshape(value.shape) if isinstance(arg, torch.Tensor) else arg for arg in args)
    found, drawn = [], []
    for called, own in ((name, overload[0]), (f"{name}_", overload[1])):
        noted: list[NotedDraw] = []
        torch.manual_seed(0)
        with NotingDraws(noted):
            found.append(getattr(getattr(torch.ops.aten, called), own)(value.clone(), *args))
        drawn.append([row.draw for row in noted])
    assert (drawn[0] == drawn[1]) is torch.equal(*found)
    assert drawn[0] == drawn[1] != [] or not value.is_contiguous()
