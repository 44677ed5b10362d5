"""A graph run op by op draws what compiled code drew that called in another order."""

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
