"""Whether a call draws random numbers is read off its arguments."""

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional

from compiler.engine.rng.random_ops import is_random

pytestmark = pytest.mark.engine
aten = torch.ops.aten
_Q = torch.ones(1, 1, 2, 2)


def _draws(function: Callable[..., object]) -> bool:
    graph = torch.fx.symbolic_trace(function).graph
    return any(is_random(node) for node in graph.nodes)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: functional.dropout(x, 0.5),
        lambda x: functional.dropout(x, p=0.5, training=True),
        lambda x: torch.rand_like(x),
        lambda x: x.bernoulli_(0.3),
        lambda x: torch.normal(x, x),
        lambda x: functional.scaled_dot_product_attention(x, x, x, None, 0.1),
        lambda x: functional.scaled_dot_product_attention(x, x, x, dropout_p=0.1),
        lambda x: aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x, 0.1),
        lambda x: aten.native_dropout.default(x, 0.5, True),
        lambda x: functional.rrelu(x, training=True),
        lambda x: torch.nn.functional.alpha_dropout(x, 0.2, True),
    ],
)
def test_these_draw(function: Callable[..., object]) -> None:
    assert _draws(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: functional.dropout(x, 0.5, False),
        lambda x: functional.dropout(x, p=0.0),
        lambda x: functional.normalize(x),
        lambda x: functional.scaled_dot_product_attention(x, x, x),
        lambda x: functional.scaled_dot_product_attention(x, x, x, dropout_p=0.0),
        lambda x: aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x),
        lambda x: aten.native_dropout.default(x, 0.5, False),
        lambda x: aten.native_dropout.default(x, 0.0, True),
        lambda x: functional.rrelu(x),
        lambda x: torch.relu(x).sum(),
    ],
)
def test_these_do_not(function: Callable[..., object]) -> None:
    assert not _draws(function)


def test_bodies_of_higher_order_operators_and_modules_count() -> None:
    from torch.utils.checkpoint import checkpoint

    found = []

    def keep(module: torch.fx.GraphModule, inputs: object) -> object:
        found.append(any(is_random(node) for node in module.graph.nodes))
        return module

    for share in (0.5, 0.0):
        torch._dynamo.reset()
        torch.compile(
            lambda x: checkpoint(lambda y: functional.dropout(y.sin(), share), x, use_reentrant=False),
            backend=keep,
        )(torch.ones(3, requires_grad=True))
    assert found == [True, False]
    for training in (True, False):
        net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Dropout(0.5)).train(training)
        assert any(is_random(node) for node in torch.fx.symbolic_trace(net).graph.nodes) is training


def test_an_lstm_draws_between_its_layers_only() -> None:
    for share, draws in ((0.5, True), (0.0, False)):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        node = graph.call_function(aten.lstm.input, (x, [x, x], [x], True, 2, share, True, False, False))
        assert is_random(node) is draws
