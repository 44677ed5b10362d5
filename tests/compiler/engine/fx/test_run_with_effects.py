"""What a graph writes is written to what it was given and holds, in float64 too; NaN in memory that is shared is no write."""

import pytest
import torch
from torch import nn

from compiler.engine.fx.interpreter import run_seen, run_with_effects


class Writes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("var", torch.ones(3))
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        self.weight.mul_(0.1)
        normal = nn.functional.batch_norm(x, self.mean, self.var, training=True)
        x.add_(1)
        return normal + y


def test_inputs_and_what_the_graph_holds() -> None:
    x, y = torch.randn(8, 3), torch.full((1,), float("nan")).expand(3)
    narrow, wide = Writes(), Writes()
    given = x.clone(), x.clone()
    with torch.no_grad():
        graph = torch.fx.symbolic_trace(narrow)
        run_with_effects(graph, (given[0], y), False)
        run_with_effects(torch.fx.symbolic_trace(wide), (given[1], y), True)
    assert torch.equal(given[0], x + 1)
    assert torch.equal(given[1], x + 1)
    assert narrow.weight.tolist() == wide.weight.tolist() == torch.full((3,), 0.1).tolist()
    for name in ("mean", "var"):
        assert not torch.equal(getattr(wide, name), getattr(Writes(), name))
        torch.testing.assert_close(getattr(wide, name), getattr(narrow, name))
    assert wide.weight.dtype == wide.mean.dtype == torch.float32


@pytest.mark.parametrize("wide", [False, True])
def test_a_view_of_what_lies_otherwise_than_in_the_graph(wide: bool) -> None:
    """A convolution of the backward gives channels last where its fake gave them first."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.ops.aten.view.default, (x, [8, 3])))
    module = torch.fx.GraphModule({}, graph)
    given = torch.randn(2, 3, 2, 2).permute(0, 2, 3, 1).transpose(1, 3)
    with pytest.raises(RuntimeError, match="view size"):
        module(given)
    found = run_with_effects(module, [given], wide)
    assert torch.equal(found.float(), given.reshape(8, 3))
    with pytest.raises(RuntimeError, match="shape"):
        run_with_effects(module, [torch.randn(5)], wide)


def attention_backward(
    gradient: torch.Tensor, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> torch.Tensor:
    out, sums = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v)
    given = (gradient, q, k, v, out, sums, 0.0, False)
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward(*given)[0]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seen", [False, True])
def test_inputs_lie_as_they_did_when_the_graph_was_traced(wide: bool, seen: bool) -> None:
    """What a compiled forward saves may lie otherwise; torch's own operator takes the last dimension for dense."""
    torch.manual_seed(0)
    inputs = [torch.randn(2, 8, 2, 4).transpose(1, 2) for _ in range(4)]
    expected = attention_backward(*inputs)
    graph = torch.fx.symbolic_trace(attention_backward)
    for node, value in zip(graph.graph.find_nodes(op="placeholder"), inputs, strict=True):
        node.meta["val"] = value
    lying = [value.transpose(2, 3).contiguous().transpose(2, 3) for value in inputs]
    found: dict[str, torch.Tensor] = {}
    if seen:
        run_seen(graph, list(lying), wide, lambda node, value: found.update({node.name: value}))
        result = list(found.values())[-1]
    else:
        result = run_with_effects(graph, lying, wide)
    torch.testing.assert_close(result.float(), expected)


def test_what_is_written_to_an_input_that_lay_otherwise_is_written_to_it() -> None:
    graph = torch.fx.symbolic_trace(Writes())
    given = torch.randn(3, 8).t()
    before = given.clone()
    next(iter(graph.graph.nodes)).meta["val"] = torch.randn(8, 3)
    with torch.no_grad():
        run_with_effects(graph, (given, torch.zeros(3)), False)
    assert torch.equal(given, before + 1)
    assert given.stride() == (1, 8)
