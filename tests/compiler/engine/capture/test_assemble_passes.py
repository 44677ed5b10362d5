"""Every pass of Inductor is recorded: the first graph and all differences give the stage, exactly."""

import operator

import pytest
import torch
from torch._inductor.scheduler import BaseSchedulerNode, Scheduler

from compiler.engine.capture.capture import make_capture
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.edits.edits import SetArgument
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.graph import Graph
from compiler.model.ir.passes import OTHER_CHANGES, YOUR_EDIT, after_run
from compiler.model.ir.stage import LoopStage, StageKind
from compiler.model.passes.pass_replay import replay_of, start_of
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.conftest import EXAMPLES, capture
from tests.helpers.thoroughness import some

pytestmark = pytest.mark.engine

PHASED = (StageKind.PRE_GRAD_GRAPH, StageKind.JOINT_GRAPH, StageKind.POST_GRAD_GRAPH)


def check(found: Capture) -> None:
    """Replay everything."""
    assert found.problems == ()
    for stage in found.stages:
        if stage.kind in PHASED:
            graph = start_of(found, stage.id)
            assert graph is not None, stage.id
            for run in found.passes:
                if run.stage == stage.id:
                    graph = after_run(graph, run)
            assert graph == stage.graph, stage.id
        if stage.kind is StageKind.FUSED_LOOP_IR and body_of(stage.id):
            assert replay_of(found, stage.id) is None  # steps of a body's own scheduler are not recorded
        elif stage.kind is StageKind.FUSED_LOOP_IR:
            assert isinstance(stage.content, LoopStage)
            replay = replay_of(found, stage.id)
            fusions = sum(bool(step.made) for step in replay.steps)
            content = replay.stage_at(len(replay.steps) - 1).content
            assert isinstance(content, LoopStage)
            if not replay.steps[-1].made:
                groups = {(node.id, frozenset(node.children)) for node in content.program.nodes}
                assert groups == {(node.id, frozenset(node.children)) for node in stage.content.program.nodes}
                first = replay.stage_at(0).content
                assert isinstance(first, LoopStage)
                assert len(first.program.nodes) - fusions == len(content.program.nodes)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "training"),
    some(
        [
            ("breaky.py:Breaky", False),
            ("conv_bn_relu.py:Net", True),
            ("layer_loop.py:Stack", True),
            ("mlp.py:MLP", False),
            ("lost_branch.py:Branch", True),
            ("print_in_the_middle.py:forward", False),
            ("recompiling.py:Changing", True),
            ("training_step.py:Step", True),
            ("mlp_dropout.py:MLP", True),
            ("transformer_layer.py:EncoderLayer", False),
        ]
    ),
)
def test_differences_lead_to_the_stage(name: str, training: bool) -> None:
    check(capture(name, training).capture)


@pytest.mark.thorough
def test_differences_lead_to_the_stage_in_training(breaky: Capture, transformer: Capture) -> None:
    check(breaky)
    check(transformer)


@pytest.mark.thorough
def test_after_each_pass_the_graph_is_what_a_full_reading_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = 0
    original = PassTimeline.end

    def end(timeline: PassTimeline) -> None:
        nonlocal checked
        original(timeline)
        if timeline.depth == 0:
            read = read_graph(timeline.module.graph)
            ours = {
                node.id: (node.target, node.args, node.kwargs, node.value, node.notes)
                for node in timeline.now.nodes
            }
            theirs = {
                node.id: (node.target, node.args, node.kwargs, node.value, node.notes) for node in read.nodes
            }
            assert ours == theirs
            assert [node.id for node in timeline.now.nodes] == [node.id for node in read.nodes]
            checked += 1

    monkeypatch.setattr(PassTimeline, "end", end)
    found = capture("transformer_layer.py:EncoderLayer").capture
    assert found.problems == ()
    assert checked == sum(run.name not in (OTHER_CHANGES,) for run in found.passes)


@pytest.mark.thorough
def test_a_pass_says_what_it_did(breaky: Capture) -> None:
    runs = [run for run in breaky.passes if run.stage == "0/0:joint"]
    noop = next(run for run in runs if run.name == "remove_noop_ops")
    assert "clone" in noop.removed
    assert dict(noop.replaced)["alias"] == "relu"
    random = next(run for run in runs if "replace_random" in run.note)
    assert ("inductor_random_default", ("rand",)) in random.origins
    assert dict(random.replaced) == {"rand": "inductor_random_default"}
    assert random.seconds > 0
    assert any(not run.changed_anything for run in runs)
    view = next(run for run in breaky.passes if run.stage == "0/0:backward:post_grad")
    assert view.name == "view_to_reshape"
    assert [node.target for node in view.changed] == ["aten.reshape.default"]


@pytest.mark.thorough
def test_nothing_of_the_shipped_examples_goes_unnamed(breaky: Capture, transformer: Capture) -> None:
    names = {run.name for made in (breaky, transformer) for run in made.passes}
    assert OTHER_CHANGES not in names


def test_fusions_in_order_with_score_and_relation(breaky: Capture) -> None:
    steps = [step for step in breaky.fusions if step.stage == "0/0:forward:fused" and step.parts]
    assert [step.result for step in steps][-1] == "op2_op3_op4_op5"
    assert steps[0].saved_bytes
    assert steps[0].relation in ("producer and consumer", "side by side")
    assert [step.round for step in steps] == sorted(step.round for step in steps)


def branches(x: torch.Tensor) -> torch.Tensor:
    """A program with graphs inside its graph."""

    def yes(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + 0).permute(1, 0).permute(1, 0)

    def no(x: torch.Tensor) -> torch.Tensor:
        return x.sin() * 1

    return torch.cond(x.sum() > 0, yes, no, (x * 1,)) + 1  # type: ignore[no-any-return]


def example_inputs() -> tuple[torch.Tensor]:
    """For `branches`."""
    return (torch.ones(8, 8),)


@pytest.mark.thorough
def test_graphs_inside_a_graph_do_not_confuse() -> None:
    target = TargetSpec(f"{__file__}:branches", str(EXAMPLES))
    run = RunOptions(training=False, gradients=False)
    found = make_capture(CaptureSpec(target, run=run), "capture-1", lambda text: None).capture
    check(found)
    outer = next(stage.graph for stage in found.stages if stage.kind is StageKind.POST_GRAD_GRAPH)
    assert outer is not None
    changing = [run for run in found.passes if run.changed_anything]
    assert all("sin" not in node.target for run in changing for node in run.made)


@pytest.mark.thorough
def test_passes_of_an_edited_recompile() -> None:
    program = EditedProgram(capture("mlp_dropout.py:MLP"))
    base = program.base.capture
    stage = "0/0:dynamo"
    dropout = next(node for node in base.stage(stage).graph.nodes if "dropout" in node.target)  # type: ignore[union-attr]
    edit = SetArgument(stage, dropout.id, ("args", "1"), ConstantArgument("float", "0.25"))
    edited = program.recompile((edit,), "capture-2", lambda text: None)
    check(edited)
    start = start_of(edited, "0/0:pre_grad")
    assert start.node(dropout.id).args.items[1] == ConstantArgument("float", "0.25")

    later = "0/0:forward:post_grad"
    graph = edited.stage(later).graph
    scaled, number = next(
        (node, index)
        for node in graph.nodes
        for index, item in enumerate(node.args.items)
        if isinstance(item, ConstantArgument) and item.kind == "float"
    )
    second = SetArgument(later, scaled.id, ("args", str(number)), ConstantArgument("float", "3.0"))
    again = program.recompile((edit, second), "capture-3", lambda text: None)
    check(again)
    runs = [run for run in again.passes if run.stage == later]
    assert runs[-1].name == YOUR_EDIT
    assert [node.id for node in runs[-1].changed] == [scaled.id]
    assert [run.name for run in runs[:-1]] == [run.name for run in edited.passes if run.stage == later]


def test_unchanged_nodes_are_not_read_again() -> None:
    """What makes following the passes cheap."""
    graph = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    timeline = PassTimeline(read_graph(graph.graph))
    timeline.enter("post_grad", graph)
    timeline.begin("first")
    before = timeline.now
    timeline.end()
    timeline.begin("second")
    node = next(node for node in graph.graph.nodes if node.target is operator.add)
    node.args = (node.args[0], 2)
    timeline.end()
    assert [run.name for run in timeline.runs] == ["first", "second"]
    assert [row.id for row in timeline.runs[1].difference.changed] == ["add"]
    same = [a is b for a, b in zip(before.nodes, timeline.now.nodes, strict=True)]
    assert same == [node.id != "add" for node in before.nodes]
    assert isinstance(timeline.now, Graph)


@pytest.mark.thorough
def test_where_inductor_fails_while_it_fuses_no_fusions_are_left_without_their_stage(
    monkeypatch: pytest.MonkeyPatch,
):
    fuse = Scheduler.fuse_nodes

    def failing(scheduler: Scheduler, nodes: list[BaseSchedulerNode]) -> list[BaseSchedulerNode]:
        fuse(scheduler, nodes)
        raise ValueError("((0)) + 1 is not comparable")

    monkeypatch.setattr(Scheduler, "fuse_nodes", failing)
    found = capture("mlp.py:MLP").capture
    assert "is not comparable" in found.problems[0].what
    assert found.of_kind(StageKind.LOOP_IR)
    assert not found.of_kind(StageKind.FUSED_LOOP_IR)
    assert not consistent(found)[1]
