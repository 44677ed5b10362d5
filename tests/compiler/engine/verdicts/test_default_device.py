"""A program may make another device the default (torchbench's llama); what judges it lies where it did."""

from collections.abc import Iterator

import pytest
import torch

import torch_loupe

pytestmark = pytest.mark.engine


@pytest.fixture
def elsewhere() -> Iterator[None]:
    torch.set_default_device("meta")
    yield
    torch.set_default_device(None)


def _scaled(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x @ x.T).cumsum(0)


@pytest.mark.usefixtures("elsewhere")
def test_an_edit_is_judged_where_the_program_makes_another_device_the_default() -> None:
    captured = torch_loupe.capture(_scaled, torch.randn(8, 8, device="cpu", requires_grad=True), train=True)
    graph = captured.data.stage("0/0:dynamo").graph
    lines = {row.text for node in graph.nodes for row in node.stack[-1:]}
    assert lines == {"return torch.relu(x @ x.T).cumsum(0)"}, "a mode of torch's passed the calls on"
    _, verdict = captured.edit(captured["dynamo"].replace("relu", torch.nn.functional.gelu)).recompile()
    assert verdict.right, verdict.summary
