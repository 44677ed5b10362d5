"""A graph that fails inside a ``vmap`` leaves it: else every later operation of the process would be one inside it."""

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.engine.graph_editing.shape_propagation import propagate_values, propagate_with_values
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


def _state() -> tuple[object, ...]:
    device = "cpu"
    return (
        _depth(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch._C._is_fwd_grad_enabled(),
        torch._C._functorch.get_inplace_requires_grad_allowed(),
        torch._C._autograd._saved_tensors_hooks_get_disabled_error_message(),
        torch.is_autocast_enabled(device),
        torch.get_autocast_dtype(device),
        torch.is_autocast_cache_enabled(),
        (torch.autocast_increment_nesting(), torch.autocast_decrement_nesting()),
    )


_BEGINNINGS: tuple[tuple[object, tuple[object, ...]], ...] = (
    (torch._C._enter_dual_level, ()),
    (torch._C._functorch._jvp_increment_nesting, ()),
    (torch._C._functorch._grad_increment_nesting, ()),
    (torch._C._set_grad_enabled, (False,)),
    (torch._C._set_fwd_grad_enabled, (False,)),
    (torch._C._functorch.set_inplace_requires_grad_allowed, (True,)),
    (torch.autograd.grad_mode._enter_inference_mode, (True,)),
    (torch._C._autograd._saved_tensors_hooks_disable, ("not in here",)),
    (torch.amp.autocast_mode._enter_autocast, ("cpu", torch.float16, True, False)),
)


@pytest.mark.parametrize(("begin", "args"), _BEGINNINGS)
def test_nor_does_it_leave_behind_what_else_it_began(begin: object, args: tuple[object, ...]) -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(begin, args)  # type: ignore[arg-type]  the functions of several kinds of module
    graph.output(graph.call_function(torch.mm, (x, x)))
    before = _state()
    module = torch.fx.GraphModule(nn.Module(), graph)
    for run in (torch.fx.Interpreter(module).run, module.forward):
        with pytest.raises(RuntimeError, match="mat1 and mat2") as kept, levels_left():
            run(torch.ones(2, 3))
        assert _state() == before
        del kept
    torch.func.jvp(torch.sin, (torch.ones(2),), (torch.ones(2),))


def test_what_a_graph_sets_and_ends_with_stays() -> None:
    with torch.enable_grad():
        with levels_left():
            torch._C._set_grad_enabled(False)
        assert not torch.is_grad_enabled()


def test_a_jvp_of_a_grad_is_run_to_its_end_as_the_program_runs_it() -> None:
    graphs: list[torch.fx.GraphModule] = []

    def keep(module: torch.fx.GraphModule, _: list[torch.Tensor]) -> torch.fx.GraphModule:
        graphs.append(module)
        return module

    def second(x: torch.Tensor) -> torch.Tensor:
        return torch.func.jvp(torch.func.grad(lambda y: y.sin().sum()), (x,), (torch.ones(2),))[1]

    torch.compile(second, backend=keep)(torch.ones(2))
    values = propagate_values(graphs[0], [torch.ones(2)], None, gradients=True)
    assert values.keys() == {node.name for node in graphs[0].graph.nodes}


@pytest.mark.thorough
def test_an_edit_of_a_program_that_differentiates_twice_is_judged() -> None:
    """Dynamo's graph begins a ``jvp`` of a ``grad``, which it can be run through only where autograd records."""
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))

    def residual(x: torch.Tensor) -> torch.Tensor:
        def u(point: torch.Tensor) -> torch.Tensor:
            return net(point).squeeze(-1)

        def second(point: torch.Tensor) -> torch.Tensor:
            return torch.func.jvp(torch.func.grad(u), (point,), (torch.tensor([1.0, 0.0]),))[1]

        return torch.vmap(second)(x).square().mean()

    captured = torch_loupe.capture(residual, torch.randn(4, 2))
    stage = captured["dynamo"]
    tanh = next(node for node in stage.nodes if "tanh" in node.target)
    for _ in range(2):
        _, verdict = captured.edit(stage.replace(tanh.id, "torch.sigmoid")).recompile()
        assert verdict.right is True
        assert _depth() == 0


@pytest.mark.thorough
def test_an_edit_of_a_vmapped_program_behind_the_pre_grad_passes_is_judged_and_so_is_the_next() -> None:
    def squares(x: torch.Tensor) -> torch.Tensor:
        return torch.vmap(lambda row: (row * row).sum())(x)

    captured = torch_loupe.capture(squares, torch.randn(4, 8))
    stage = captured["pre_grad"].id
    graph = captured.data.stage(stage).graph
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
        assert verdict.right is True
        assert _depth() == 0


def test_a_program_is_not_blamed_for_a_level_that_compiling_left() -> None:
    """Torch cannot compile the Hessian of what holds a weight; behind that, all forward-mode differentiation failed, eager's too."""
    weight = torch.full((3, 3), 0.1, requires_grad=True)

    def hessian(x: torch.Tensor) -> torch.Tensor:
        made = torch.func.hessian(lambda row: torch.tanh(row @ weight).exp().sum())(x[1])
        assert isinstance(made, torch.Tensor)
        return made

    captured = torch_loupe.capture(hessian, torch.ones(2, 3), train=False)
    assert not any("by itself" in problem.what for problem in captured.data.problems)
    assert hessian(torch.ones(2, 3)).shape == (3, 3)


def test_an_error_whose_chain_leads_back_to_it_is_reported() -> None:
    """Torch may raise one from another that was raised over it: the worker went round in a circle for good."""
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__context__ = second, first
    with pytest.raises(ValueError, match="first"), levels_left():
        raise first
