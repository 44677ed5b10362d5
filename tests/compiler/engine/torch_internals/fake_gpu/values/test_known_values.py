"""What a program makes of numbers alone while it is loaded under fakes has the values that it has with all others."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

from compiler.engine.cross_compile.fake_loading import building
from compiler.engine.torch_internals.fake_gpu.fake_backend import fake_mode

pytestmark = pytest.mark.engine


def views_written_to() -> Any:
    whole = torch.zeros(4)
    part = whole[1:3]
    part.fill_(2)
    whole.add_(1)
    return whole.tolist(), part.tolist()


def constants_written_to() -> Any:
    number = torch.tensor(3.0)
    number.add_(1)
    seen = number.view(1)
    seen.mul_(2)
    return number.item(), seen.item()


def parameter_written_to() -> Any:
    numbers = torch.zeros(3)
    parameter = torch.nn.Parameter(numbers)
    with torch.no_grad():
        parameter.add_(1)
    return numbers.tolist()


@pytest.mark.parametrize(
    "asked",
    [
        lambda: [rate.item() for rate in torch.linspace(0, 0.1, 4)],
        lambda: torch.arange(5).tolist(),
        lambda: torch.arange(5).numpy().tolist(),
        lambda: torch.tensor([1, 2, 3]).cumsum(0).tolist(),
        lambda: torch.arange(6)[torch.arange(6) % 2 == 0].tolist(),
        lambda: torch.eye(3).nonzero().tolist(),
        lambda: torch.tensor([1, 1, 2]).unique().tolist(),
        lambda: bool((torch.arange(3) > 1).any()),
        lambda: f"layer_{torch.arange(3)[2]}",
        lambda: torch.stack(torch.meshgrid(torch.arange(2), torch.arange(2), indexing="ij")).tolist(),
        views_written_to,
        constants_written_to,
        parameter_written_to,
    ],
)
def test_it_is_as_with_values(asked: Callable[[], Any]) -> None:
    with building(fake_mode(dynamic=False)):
        found = asked()
    assert found == asked()


def drawn_into_a_parameter() -> Any:
    numbers = torch.zeros(3)
    torch.nn.Parameter(numbers).data.normal_()
    return numbers.tolist()


def drawn_by_init() -> Any:
    numbers = torch.zeros(3)
    torch.nn.init.normal_(numbers)
    return numbers.tolist()


def other_memory() -> Any:
    numbers = torch.zeros(3)
    numbers.data = torch.rand(3)
    return numbers.tolist()


@pytest.mark.parametrize(
    "asked",
    [
        lambda: torch.rand(3).sum().item(),
        lambda: torch.randperm(3).tolist(),
        lambda: (torch.rand(4) > 0.5).nonzero(),
        lambda: torch.empty(3).tolist(),
        lambda: torch.zeros(50_000).sum().item(),
        lambda: torch.arange(2).repeat_interleave(torch.tensor([1, 10**12])),
        lambda: torch.eye(2).to_sparse().add_(torch.rand(2, 2).to_sparse()).to_dense().tolist(),
        drawn_into_a_parameter,
        drawn_by_init,
        other_memory,
    ],
)
def test_what_was_drawn_or_is_large_is_not_known(asked: Callable[[], Any]) -> None:
    with (
        building(fake_mode(dynamic=False)),
        pytest.raises((DataDependentOutputException, DynamicOutputShapeException)),
    ):
        asked()


def test_random_numbers_that_follow_are_the_same() -> None:
    torch.manual_seed(0)
    wanted = torch.rand(3)
    torch.manual_seed(0)
    with building(fake_mode(dynamic=False)):
        torch.rand(8).add(torch.arange(8))
    assert torch.equal(torch.rand(3), wanted)
