"""A half that Inductor compiled before is taken as it is, where torch's own key and all that is shown say that it is the same."""

import dataclasses
import gc
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import torch

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.live.graph_keys import graph_key, same_but_for_origins_of_inputs
from compiler.engine.torch_internals.live.live_graphs import CompiledBefore
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceTarget
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.compiler.engine.capture.test_partial_results import swap, texts
from tests.compiler.engine.conftest import spec
from tests.helpers.sample_capture import graph_with

JOINT, BACKWARD = "0/0:joint", "0/0:backward:post_grad"


@pytest.fixture(scope="module")
def live() -> LiveCapture:
    return make_capture(spec("conv_bn_relu.py:Net"), "capture-1", lambda text: None)


@pytest.fixture
def program(live: LiveCapture) -> Iterator[EditedProgram]:
    made = EditedProgram(live)
    yield made
    made.recompile((), "capture-1", lambda text: None)


def recompiled(program: EditedProgram, *edits: Edit) -> tuple[Capture, list[str], list[torch.Tensor]]:
    """(the pipeline, parts that were taken, results and gradients)."""
    live = program.base
    live.live.taken.clear()
    made = program.recompile(edits, "capture-2", lambda text: None)
    return made, list(live.live.taken), values(live)


def values(live: LiveCapture) -> list[torch.Tensor]:
    results = live.stepper.step(live.compiled)
    leaves = torch.utils._pytree.tree_leaves(vars(results))
    return [leaf.clone() for leaf in leaves if isinstance(leaf, torch.Tensor)]


def all_equal(first: list[torch.Tensor], second: list[torch.Tensor]) -> bool:
    return len(first) == len(second) > 0 and all(map(torch.equal, first, second))


def shown(capture: Capture) -> tuple[Any, ...]:
    """All but what depends on the time."""
    passes = [(run.id, run.made, run.changed, run.removed, run.order, run.replaced) for run in capture.passes]
    return texts(capture), sorted(map(repr, capture.links)), passes, capture.pass_starts, capture.problems


def alone(live: LiveCapture, *edits: Edit) -> tuple[Capture, list[str], list[torch.Tensor]]:
    """The same with nothing compiled but what was captured, which runs again then."""
    program = EditedProgram(live)
    found = recompiled(program, *edits)
    program.recompile((), "capture-1", lambda text: None)
    return found


def without(live: LiveCapture, *edits: Edit) -> tuple[Capture, list[torch.Tensor]]:
    """The same with nothing taken."""
    live.live.keeps_keys = False
    try:
        capture, taken, results = alone(live, *edits)
    finally:
        live.live.keeps_keys = True
    assert taken == []
    return capture, results


def with_and_without(live: LiveCapture, *edits: Edit) -> list[str]:
    """The parts that were taken, once it is clear that nothing else comes of it."""
    first, taken, results = alone(live, *edits)
    second, others = without(live, *edits)
    assert shown(first) == shown(second)
    assert all_equal(results, others)
    return taken


def first_swapped(program: EditedProgram, target: str) -> Edit:
    """The first relu of the joint graph calls something else: the backward gets its result, and it came from a relu."""
    node = next(node for node in program.base_graph(JOINT, ()).nodes if "relu" in node.target)
    return ReplaceTarget(
        JOINT, node.id, "call_function", target, SequenceArgument("tuple", node.args.items[:1])
    )


@pytest.mark.thorough
def test_a_half_that_an_edit_left_as_it_was_is_taken(program: EditedProgram) -> None:
    assert with_and_without(program.base, swap(program, JOINT, "aten.sin.default")) == ["backward"]
    assert with_and_without(program.base, first_swapped(program, "aten.sin.default")) == ["backward"]


@pytest.mark.thorough
def test_rewrites_of_a_half_that_is_taken_are_known() -> None:
    live = make_capture(
        spec("transformer_layer.py:EncoderLayer"), "capture-1", lambda text: None, alone=False
    )
    stage = f"{live.live.dynamo_graphs[0].record.compile_id}:dynamo"
    graph = EditedProgram(live).base_graph(stage, ())
    target = next(node.target for node in graph.nodes if "gelu" in node.target)
    same = swap(EditedProgram(live), stage, target, "gelu")
    assert live.live.dynamo_graphs[0].record.rewrites
    assert with_and_without(live, same) == ["forward", "backward"]


@pytest.mark.thorough
def test_what_is_edited_behind_it_is_not_taken_and_changes_nothing_else(program: EditedProgram) -> None:
    before = values(program.base)
    joint = first_swapped(program, "aten.cos.default")
    _, taken, other = recompiled(program, joint)
    assert taken == ["backward"]
    graph = program.base_graph(BACKWARD, (joint,))
    target = next(node.target for node in graph.nodes if node.target.startswith("aten.mul"))
    behind = swap(program, BACKWARD, "aten.neg.default", target)
    capture, _, edited = recompiled(program, joint, behind)
    assert not all_equal(edited, other)
    assert all_equal(recompiled(program, joint)[2], other)
    assert all_equal(recompiled(program)[2], before)
    wanted, values_wanted = without(program.base, joint, behind)
    assert all_equal(edited, values_wanted)
    assert shown(capture) == shown(wanted)
    assert with_and_without(program.base, joint, behind) == []


@pytest.mark.thorough
def test_a_forward_that_is_taken_says_with_which_strides_it_returns(program: EditedProgram) -> None:
    same = swap(program, "0/0:dynamo", "torch.relu")
    assert with_and_without(program.base, same) == ["forward", "backward"]


@pytest.mark.thorough
def test_a_half_that_an_edit_changed_is_compiled(program: EditedProgram) -> None:
    assert recompiled(program, swap(program, "0/0:dynamo", "torch.tanh"))[1] == []


@pytest.mark.thorough
def test_other_settings_of_inductor_compile_it_again(program: EditedProgram) -> None:
    with torch._inductor.config.patch(max_pointwise_cat_inputs=3):
        assert recompiled(program, swap(program, JOINT, "aten.tan.default"))[1] == []


@pytest.mark.thorough
def test_other_buffers_that_may_be_overwritten_compile_it_again(program: EditedProgram) -> None:
    graph = next(iter(program.base.live.dynamo_graphs))
    graph.keeps_graph = True
    try:
        assert recompiled(program, swap(program, JOINT, "aten.sinh.default"))[1] == []
    finally:
        graph.keeps_graph = False


@pytest.mark.thorough
def test_one_that_is_shown_otherwise_is_another(program: EditedProgram) -> None:
    (held,) = program.base.live.dynamo_graphs
    graph = next(row for row in held.inductor_graphs if row.part == "backward")
    record = next(row for row in held.record.inductor_graphs if row.part == "backward")
    before = CompiledBefore(graph, print, None, (), graph.sources["post_grad"], record)
    assert before.is_for(dataclasses.replace(graph))
    elsewhere = [
        msgspec.structs.replace(row, module_path=f"{row.module_path}.other") for row in graph.received.nodes
    ]
    assert not before.is_for(dataclasses.replace(graph, received=Graph(tuple(elsewhere))))
    assert not before.is_for(dataclasses.replace(graph, part="forward"))
    assert not before.is_for(dataclasses.replace(graph, key=None))


def test_graphs_that_need_more_than_torchs_cache_keeps_have_no_key() -> None:
    module = torch.fx.symbolic_trace(lambda x: (x + 1,))
    fixed = torch._subclasses.FakeTensorMode().from_tensor(torch.rand(3))
    assert graph_key(module, [fixed], {"cudagraphs": True}) is None
    assert graph_key(module, [3], {}) is None
    module.register_buffer("weight", torch.rand(3))
    with module.graph.inserting_before(next(iter(module.graph.find_nodes(op="output")))):
        module.graph.get_attr("weight")
    assert graph_key(module, [fixed], {}) is None


def node(name: str, op: str, **fields: Any) -> Node:
    return Node(id=name, op=op, target=name, args=SequenceArgument("tuple", ()), **fields)


def test_only_of_inputs_it_does_not_matter_what_made_them() -> None:
    def graph(of_input: tuple[str, ...], of_call: tuple[str, ...], module: str = "") -> Graph:
        return graph_with(
            node("x", "placeholder", notes=of_input, module_path=module),
            node("y", "call_function", notes=of_call),
        )

    first = graph(("from relu",), ("from gelu",))
    assert same_but_for_origins_of_inputs(first, graph((), ("from gelu",)))
    assert not same_but_for_origins_of_inputs(first, graph(("from relu",), ()))
    assert not same_but_for_origins_of_inputs(first, graph(("from relu",), ("from gelu",), "layer"))
    assert not same_but_for_origins_of_inputs(first, Graph(first.nodes[:1]))


@pytest.mark.parametrize("stage", ["0/0:forward:aot", "0/0:forward:post_grad"])
def test_what_runs_is_not_taken_apart_by_what_compiled_it(program: EditedProgram, stage: str) -> None:
    """Torch's CompiledFxGraph takes the partitions of its wrapper with it when it goes, which CUDA graphs run."""
    recompiled(program, swap(program, stage, "aten.sin.default"))
    gc.collect()
    modules = [graph.module for graph in program.base.live.dynamo_graphs[0].inductor_graphs]
    assert all(hasattr(module.runner, "partitions") for module in modules)
