"""A graph that fails inside a ``vmap`` leaves it: else every later operation of the process would be one inside it."""

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.engine.graph_editing.shape_propagation import propagate_with_values
from compiler.engine.torch_internals.patch.wrapped_tensors import levels_left
from compiler.model.edits.edits import InsertNode
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Node

pytestmark = pytest.mark.engine


def _depth() -> int:
    return torch._C._functorch.get_dynamic_layer_stack_depth()


def _begun() -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(torch._C._functorch._vmap_increment_nesting, (2, "error"))
    graph.output(graph.call_function(torch.mm, (x, x)))
    return torch.fx.GraphModule(nn.Module(), graph)


def test_a_graph_that_fails_after_it_began_one() -> None:
    values, failure = propagate_with_values(_begun(), [torch.ones(2, 3)], None, gradients=False)
    assert failure is not None
    assert "x" in values
    assert _depth() == 0
    torch.randn(2)


def test_one_that_was_there_before_stays() -> None:
    def inside(row: torch.Tensor) -> torch.Tensor:
        before = _depth()
        with levels_left():
            torch._C._functorch._vmap_increment_nesting(2, "error")
        assert _depth() == before == 1
        return row * 2

    assert torch.equal(torch.vmap(inside)(torch.ones(3)), torch.full((3,), 2.0))


@pytest.mark.thorough
def test_an_edit_of_a_vmapped_program_behind_the_pre_grad_passes_is_judged_and_so_is_the_next() -> None:
    def squares(x: torch.Tensor) -> torch.Tensor:
        return torch.vmap(lambda row: (row * row).sum())(x)

    captured = torch_loupe.capture(squares, torch.randn(4, 8))
    stage = captured["pre_grad"].id
    graph = captured.data.stage(stage).graph
    assert graph is not None
    negated = Node(
        "negated",
        "call_function",
        "aten.neg.default",
        SequenceArgument("tuple", (NodeArgument("_add_batch_dim"),)),
    )
    uses = tuple(
        (node.id, path) for node in graph.nodes for used, path in node.uses() if used == "_add_batch_dim"
    )
    edit = InsertNode(stage, negated, graph.index("_add_batch_dim") + 1, uses)
    for _ in range(2):
        _, verdict = captured.edit(edit).recompile()
        assert verdict is not None
        assert verdict.right is True
        assert _depth() == 0
