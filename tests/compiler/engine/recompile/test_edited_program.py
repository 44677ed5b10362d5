"""Edits reach the running program, compile only what follows, are undone, and are judged."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.engine.graph_editing.op_candidates import choices_for
from compiler.engine.graph_editing.shape_propagation import propagate_values
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.graph_questions import op_choices
from compiler.engine.torch_internals.live.live_graphs import fake_mode_of
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import (
    BypassNode,
    Edit,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    SetArgument,
    apply_edit,
)
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import KernelStage
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.session_file.checks import consistent
from tests.compiler.model.graphs import edits_for, graphs
from tests.helpers.thoroughness import examples

pytestmark = pytest.mark.engine

Maker = Callable[[str], EditedProgram]


def _quiet(text: str) -> None:
    return None


def _calls(graph: Graph, part: str) -> list[Node]:
    return [
        node for node in graph.nodes if part in node.target and node.op in ("call_function", "call_method")
    ]


def _swap(program: EditedProgram, stage: str, what: str, target: str) -> ReplaceTarget:
    node = _calls(program.base_graph(stage, ()), what)[0]
    first = node.args.items[0]
    return ReplaceTarget(stage, node.id, "call_function", target, SequenceArgument("tuple", (first,)))


def _run(program: EditedProgram) -> dict[str, torch.Tensor]:
    return program.base.stepper.compared_step(program.base.compiled).tensors


@pytest.mark.thorough
def test_relu_to_gelu_in_the_users_real_model_breaks_and_all(
    program: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = program("breaky.py:Breaky")
    stage = "1/0:dynamo"
    edit = _swap(edited, stage, "relu", "torch.nn.functional.gelu")
    found = edited.recompile((edit,), "capture-2", _quiet)
    assert not consistent(found)[1]
    assert found.parent == "capture-1"
    base = {item.id: item for item in edited.base.capture.stages}
    changed = {item.id for item in found.stages if item != base.get(item.id)}
    assert all(name.startswith("1/0:") for name in changed), "only the edited graph is compiled again"
    assert "edited" in found.stage(stage).made_by
    assert all(item.seconds is None or item.seconds >= 0 for item in found.stages)
    kernels = found.stage("1/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    assert any("gelu" in kernel.name or "erf" in kernel.source for kernel in kernels.kernels.kernels)
    capsys.readouterr()
    _run(edited)
    assert "hidden layer done" in capsys.readouterr().out, "the user's print still runs between the graphs"


@pytest.mark.thorough
def test_results_follow_the_edit_and_undo(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    before = _run(edited)
    edit = _swap(edited, "0/0:dynamo", "relu", "torch.tanh")
    edited.recompile((edit,), "capture-2", _quiet)
    module = edited.base.program.module
    (x,) = edited.base.program.args
    expected = module.fc2(torch.tanh(module.fc1(x)))
    torch.testing.assert_close(_run(edited)["output 0"], expected.detach())
    edited.recompile((), "capture-3", _quiet)
    after = _run(edited)
    assert all(torch.equal(after[name], before[name]) for name in before)


@pytest.mark.thorough
def test_a_joint_graph_keeps_the_nodes_that_its_passes_left_unused(tmp_path: Path) -> None:
    """Torch takes unused nodes out before the joint passes, so only the first time those that the passes left so stay."""
    (tmp_path / "folded.py").write_text(
        "import torch\n\n\nclass Folded(torch.nn.Linear):\n"
        "    def __init__(self):\n        super().__init__(4, 4)\n\n"
        "    def forward(self, x):\n"
        "        factor = torch.tensor([3.0]).expand(x.shape[0])\n"
        "        return super().forward(x) * factor[:, None].sin()\n\n\n"
        "def example_inputs():\n    return (torch.ones(2, 4),)\n"
    )
    spec = CaptureSpec(TargetSpec("folded.py:Folded", str(tmp_path)), run=RunOptions(gradients=True))
    edited = EditedProgram(make_capture(spec, "capture-1", _quiet))
    stage = "0/0:joint"
    graph = edited.base_graph(stage, ())
    used = {name for node in graph.nodes for name in node.inputs()}
    unused = [node for node in graph.nodes if node.op == "call_function" and node.id not in used]
    assert unused, "the passes fold the factor to one number"
    before = [row.wrapper_text for row in edited.base.live.dynamo_graphs[0].record.inductor_graphs]
    node = unused[0]
    same = ReplaceTarget(stage, node.id, node.op, node.target, node.args, node.kwargs)
    edited.recompile((same,), "capture-2", _quiet)
    assert [row.wrapper_text for row in edited.base.live.dynamo_graphs[0].record.inductor_graphs] == before


@pytest.mark.thorough
def test_a_post_grad_edit_compiles_one_part_only(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    stage = "0/0:forward:post_grad"
    edit = _swap(edited, stage, "aten.relu", "aten.sigmoid.default")
    found = edited.recompile((edit,), "capture-2", _quiet)
    base = {item.id: item for item in edited.base.capture.stages}
    changed = {item.id for item in found.stages if item != base[item.id]}
    assert changed == {stage, *(f"0/0:forward:{what}" for what in ("loops", "fused", "kernels", "wrapper"))}
    module = edited.base.program.module
    (x,) = edited.base.program.args
    torch.testing.assert_close(_run(edited)["output 0"], module.fc2(torch.sigmoid(module.fc1(x))).detach())


@pytest.mark.thorough
def test_a_post_grad_edit_on_top_of_a_dynamo_edit(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    first = _swap(edited, "0/0:dynamo", "relu", "torch.sigmoid")
    edited.recompile((first,), "capture-2", _quiet)
    stage = "0/0:forward:post_grad"
    node = _calls(edited.base_graph(stage, (first,)), "aten.sigmoid")[0]
    second = ReplaceTarget(stage, node.id, "call_function", "aten.tanh.default", node.args)
    found = edited.recompile((first, second), "capture-3", _quiet)
    assert not consistent(found)[1]
    module = edited.base.program.module
    (x,) = edited.base.program.args
    torch.testing.assert_close(_run(edited)["output 0"], module.fc2(torch.tanh(module.fc1(x))).detach())


@pytest.mark.thorough
def test_removing_every_dropout_makes_training_repeatable_against_eager(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    stage = "0/0:dynamo"
    graph = edited.base_graph(stage, ())
    removed: list[Edit] = []
    for node in _calls(graph, "dropout"):
        current = apply_edit(graph, EditGroup("so far", tuple(removed)))[0]
        first = current.node(node.id).args.items[0]
        assert isinstance(first, NodeArgument)
        removed.append(BypassNode(stage, node.id, first.node))
    edits = (EditGroup("Remove dropout", tuple(removed)),)
    edited.recompile(edits, "capture-2", _quiet)
    module = edited.base.program.module
    module.dropout.p = 0.0
    eager = edited.base.stepper.compared_step(edited.base.program.callable).tensors
    for name, tensor in _run(edited).items():
        torch.testing.assert_close(tensor, eager[name])


@pytest.mark.thorough
def test_inserting_and_changing_an_argument(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    stage = "0/0:dynamo"
    graph = edited.base_graph(stage, ())
    relu = _calls(graph, "relu")[0]
    (user,) = graph.users()[relu.id]
    path = next(path for used, path in graph.node(user).uses() if used == relu.id)
    fresh = Node(
        "scaled",
        "call_function",
        "_operator.mul",
        SequenceArgument("tuple", (NodeArgument(relu.id), ConstantArgument("float", "2.0"))),
    )
    insert = InsertNode(stage, fresh, graph.index(user), ((user, path),))
    change = SetArgument(stage, "scaled", ("args", "1"), ConstantArgument("float", "3.0"))
    graphs_, problems = edited.preview((insert, change))
    assert problems == ()
    value = dict(graphs_)[stage].node("scaled").value
    assert msgspec.to_builtins(value)["shape"] == ("32", "128")
    edited.recompile((insert, change), "capture-2", _quiet)
    module = edited.base.program.module
    (x,) = edited.base.program.args
    torch.testing.assert_close(_run(edited)["output 0"], module.fc2(3 * torch.relu(module.fc1(x))).detach())


@pytest.mark.thorough
def test_an_edit_that_does_not_fit_is_reported_on_its_node_and_changes_nothing(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    stage = "0/0:dynamo"
    graph = edited.base_graph(stage, ())
    linear = _calls(graph, "linear")[1]
    weights = [node.id for node in graph.nodes if "weight" in node.id]
    wrong = SetArgument(stage, linear.id, ("args", "1"), NodeArgument(weights[0]))
    _, problems = edited.preview((wrong,))
    assert problems[0].place is not None
    assert problems[0].place.nodes == (linear.id,)
    assert problems[0].path.endswith("mlp.py")
    before = _run(edited)
    with pytest.raises(EngineError, match="does not compile"):
        edited.recompile((wrong,), "capture-2", _quiet)
    assert edited.edits == ()
    assert torch.equal(_run(edited)["output 0"], before["output 0"])


@pytest.mark.thorough
def test_an_unknown_operation_is_refused_by_name(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    for target in ("torch.no_such_thing", "os.system", "torch.__builtins__.eval"):
        wrong = _swap(edited, "0/0:dynamo", "relu", target)
        with pytest.raises(EngineError) as refused:
            edited.preview((wrong,))
        assert target in refused.value.problem.what


@pytest.mark.thorough
def test_the_verdict_of_a_right_edit(program: Maker) -> None:
    edited = program("breaky.py:Breaky")
    edits = (_swap(edited, "0/0:dynamo", "relu", "torch.nn.functional.gelu"),)
    found = edited.recompile(edits, "capture-2", _quiet)
    verdict = judge_edits(edited, edits, found.seconds, _quiet)
    by_name = {(row.what, row.reference): row for row in verdict.comparisons}
    assert by_name["unedited", "float64"].agrees is True
    assert by_name["edited", "edited graph, float64"].agrees is True
    worst = by_name["edited", "eager"].worst
    assert worst.max_relative > 1e-3, "gelu is not relu, and the verdict says by how much"
    assert any(row.tensor.startswith("grad of fc1") for row in by_name["edited", "eager"].differences)
    assert verdict.after is not None
    assert verdict.before.count > 5
    assert "fallback_random" in " ".join(verdict.notes)
    assert edited.edits == edits


@pytest.mark.thorough
def test_the_verdict_finds_code_that_is_wrong(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    edits = (_swap(edited, "0/0:dynamo", "relu", "torch.tanh"),)
    edited.recompile(edits, "capture-2", _quiet)
    dynamo_graph = edited.base.live.dynamo_graphs[0]
    inductor_graph = next(
        inductor_graph for inductor_graph in dynamo_graph.inductor_graphs if inductor_graph.part == "forward"
    )
    right = inductor_graph.output.current_callable

    def wrong(args: list[torch.Tensor]) -> object:
        first, *rest = right(args)
        return (first * 1.001, *rest)

    inductor_graph.swap(wrong)
    shared_stages = edited._dynamo_graphs["0/0"].version.shared_stages
    shared_stages.compiled["forward", ()].callable = wrong
    verdict = judge_edits(edited, edits, 0.0, _quiet)
    judged = [row for row in verdict.comparisons if row.reference == "edited graph, float64"]
    assert judged[0].agrees is False
    assert "not as near" in verdict.summary


@given(st.data())
@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_live_graph_follows_any_edits_exactly(data: st.DataObject) -> None:
    plain = data.draw(graphs())
    module = _live(plain)
    before = read_graph(module.graph)
    after = before
    for _ in range(data.draw(st.integers(1, 3))):
        after, _ = apply_edit(after, data.draw(edits_for(after)))
    sync(module, before, after, "0/0:dynamo")
    live = read_graph(module.graph)
    strip = lambda graph: [(node.id, node.op, node.target, node.args, node.kwargs) for node in graph.nodes]  # noqa: E731
    assert strip(live) == strip(after)


def _live(plain: Graph) -> torch.fx.GraphModule:
    from compiler.engine.fx.resolve_target import find_argument, find_target

    graph = torch.fx.Graph()
    nodes: dict[str, torch.fx.Node] = {}
    for node in plain.nodes:
        args = tuple(find_argument(item, nodes) for item in node.args.items)
        kwargs = find_argument(MappingArgument(node.kwargs.items), nodes)
        nodes[node.id] = graph.create_node(
            node.op, find_target(node.op, node.target), args, kwargs, name=node.id
        )
    return torch.fx.GraphModule(torch.nn.Module(), graph)


@pytest.mark.thorough
def test_choices_are_operations_that_work(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    module, _ = edited.edited_module("0/0:dynamo", ())
    relu = next(node for node in module.graph.nodes if "relu" in str(node.target))
    dynamo_graph = edited.dynamo_graph("0/0:dynamo")
    inputs = list(dynamo_graph.placeholders)
    mode = fake_mode_of(inputs)
    values = propagate_values(module, inputs, mode, gradients=True)
    found = choices_for(relu, lambda node: values[node.name], mode).choices
    assert found[0].label == "gelu"
    assert found[0].common
    assert len(found) > 100
    for choice in found[:20]:
        edit = ReplaceTarget("0/0:dynamo", relu.name, choice.op, choice.target, choice.args, choice.kwargs)
        _, problems = edited.preview((edit,))
        assert all("does not work" not in problem.what for problem in problems), choice.target


@pytest.mark.thorough
@pytest.mark.parametrize("stage", ["0/0:dynamo", "0/0:joint", "0/0:forward:post_grad"])
def test_something_can_be_put_behind_every_tensor_of_a_graph(program: Maker, stage: str) -> None:
    """Whatever makes the tensor and however many arguments that takes: an input, a linear, a getitem."""
    edited = program("mlp.py:MLP")
    _, graph = edited.edited_module(stage, ())
    asked = [
        node for node in graph.nodes if isinstance(node.value, TensorValue) and node.value.dtype == "float32"
    ]
    assert {"placeholder", "call_function"} <= {node.op for node in asked}
    for node in asked:
        found = op_choices(edited, stage, node.id, (), behind=True).choices
        labels = [choice.label for choice in found]
        assert {"relu", "gelu"} <= set(labels[:4]), node.id
        assert all(choice.args == SequenceArgument("tuple", (NodeArgument(node.id),)) for choice in found)
        assert all(choice.target.startswith("torch." if "dynamo" in stage else "aten.") for choice in found)


@pytest.mark.thorough
def test_behind_autograd_only_what_inductor_takes_is_offered(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    inductor_graph = edited.base.live.dynamo_graphs[0].inductor_graphs[0]
    module = inductor_graph.sources["post_grad"]
    relu = next(node for node in module.graph.nodes if "relu" in node.name)
    mode = fake_mode_of(inductor_graph.inputs)
    found = choices_for(relu, lambda node: node.meta["val"], mode).choices
    targets = {choice.target for choice in found}
    assert {"aten.tanh.default", "aten.sigmoid.default"} <= targets
    assert found[0].target == "aten.gelu.default"  # decomposed behind the edit
    assert "aten.rrelu_with_noise_functional.default" not in targets  # random numbers are Inductor's own here
    assert not any("bernoulli.default" in target for target in targets)


_REFUSED = """import torch
import torch._inductor.config


def refuse(graph):
    raise RuntimeError("no such kernel here")


torch._inductor.config.post_grad_custom_post_pass = refuse


def f(x):
    return torch.relu(x) + 1


def example_inputs():
    return (torch.randn(4),)
"""


def test_of_a_graph_that_did_not_compile_that_is_said_with_why(tmp_path: Path) -> None:
    """It was said that the stage, which is shown, is not there."""
    (tmp_path / "refused.py").write_text(_REFUSED)
    try:
        live = make_capture(
            CaptureSpec(TargetSpec("refused.py:f", str(tmp_path))), "capture-1", lambda text: None
        )
    finally:
        torch._inductor.config.post_grad_custom_post_pass = None
    stage = "0/0:inference:aot"
    relu = next(node for node in live.capture.stage(stage).graph.nodes if node.op == "call_function")
    program = EditedProgram(live)
    edit = ReplaceTarget(stage, relu.id, relu.op, "aten.sigmoid.default", relu.args, relu.kwargs)
    for ask in (
        lambda: program.base_graph(stage, ()),
        lambda: program.recompile((edit,), "again", lambda text: None),
    ):
        with pytest.raises(EngineError) as raised:
            ask()
        assert "did not compile when it was captured: " in raised.value.problem.what
        assert "no such kernel here" in raised.value.problem.what
        assert "Edit 0/0:dynamo" in raised.value.problem.remedy
