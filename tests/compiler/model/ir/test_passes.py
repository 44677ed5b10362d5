"""Differences between graphs: what turns one into another leads there, whatever the two are."""

import random
from itertools import pairwise

import msgspec
import pytest

from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.passes import FusionStep, PassRun, PassStart, after_run, difference
from compiler.model.ir.stage import FxStage, LoopStage
from compiler.model.passes.pass_replay import GraphReplay, replay_of
from compiler.model.session_file.checks import consistent
from tests.helpers import sample_capture as sample


def _random_graph(chance: random.Random) -> Graph:
    names = chance.sample([f"n{i}" for i in range(12)], chance.randrange(12))
    nodes: list[Node] = []
    for name in names:
        used = tuple(NodeArgument(chance.choice(nodes).id) for _ in range(chance.randrange(2)) if nodes)
        target = chance.choice(("aten.relu.default", "aten.neg.default"))
        nodes.append(Node(name, "call_function", target, SequenceArgument("tuple", used)))
    return Graph(tuple(nodes))


def _run(before: Graph, after: Graph) -> PassRun:
    found = difference(before, after)
    return PassRun("1", "p", "joint", "s", **{name: getattr(found, name) for name in found.__struct_fields__})


def test_a_node_at_a_pass_is_that_of_the_graph_there() -> None:
    chance = random.Random(1)
    stage = next(stage for stage in sample.with_passes().stages if isinstance(stage.content, FxStage))
    for _ in range(100):
        graphs = [_random_graph(chance) for _ in range(5)]
        last = msgspec.structs.replace(stage, content=FxStage(graphs[-1]))
        replay = GraphReplay(last, graphs[0], tuple(_run(*pair) for pair in pairwise(graphs)))
        for position, graph in enumerate(graphs):
            nodes = {name: replay.node_at(position, name) for name in (f"n{i}" for i in range(12))}
            assert {name: node for name, node in nodes.items() if node is not None} == graph.by_id()


def test_differences_lead_from_any_graph_to_any_other() -> None:
    chance = random.Random(0)
    for _ in range(500):
        before, after = _random_graph(chance), _random_graph(chance)
        run = _run(before, after)
        assert after_run(before, run) == after
        assert run.changed_anything == (before != after)


def test_a_run_that_does_not_fit_is_refused() -> None:
    chance = random.Random(1)
    run = _run(_random_graph(chance), sample.dynamo_graph())
    with pytest.raises(ValueError, match="does not fit"):
        after_run(sample.dynamo_graph(), run)


def test_the_sample_with_passes_is_sound_and_a_damaged_one_is_reported() -> None:
    capture = sample.with_passes()
    assert not consistent(capture)[1]
    damaged = msgspec.structs.replace(capture, passes=capture.passes[:-1])
    assert any("lead to another graph" in fault for fault in consistent(damaged)[1])
    lost = msgspec.structs.replace(capture, pass_starts=())
    assert any("no graph to begin with" in fault for fault in consistent(lost)[1])
    assert isinstance(capture.pass_starts[0], PassStart)


def test_a_replay_follows_nodes_both_ways() -> None:
    capture = sample.with_passes()
    replay = replay_of(capture, sample.POST_GRAD)
    assert [step.changed_anything for step in replay.steps] == [False, True, True]
    first, last = replay.stage_at(0).graph, replay.stage_at(3)
    assert replay.stage_at(1) is replay.stage_at(1)
    assert [node.id for node in first.nodes] == [
        "primals_1", "primals_2", "mm", "alias", "clamp_min", "mul", "output",
    ]  # fmt: skip
    assert last == capture.stage(sample.POST_GRAD)
    assert replay.went_to(("clamp_min",), 0, 3) == ("relu",)
    assert replay.went_to(("relu",), 3, 0) == ("clamp_min",)
    assert replay.went_to(("alias",), 0, 3) == ("mm",)
    assert replay.went_to(("mul",), 0, 3) == ("mul",)
    assert replay.ends_as(0) == {"clamp_min": ("relu",), "alias": ("mm",)}
    assert replay.ends_as(2) == {"clamp_min": ("relu",)}
    assert replay.ends_as(3) == {}


def test_fusion_step_by_step() -> None:
    capture = sample.with_passes()
    assert isinstance(capture.fusions[1], FusionStep)
    replay = replay_of(capture, sample.FUSED)
    contents = [replay.stage_at(position).content for position in range(3)]
    ids = [[node.id for node in item.program.nodes] for item in contents if isinstance(item, LoopStage)]
    assert ids == [["op0", "op1", "op2"], ["op0", "op1", "op2"], ["op0", "op1_op2"]]
    assert replay.went_to(("op1",), 0, 2) == ("op1_op2",)
    assert replay.went_to(("op1_op2",), 2, 0) == ("op1", "op2")
    assert "saves 8.0 KiB" in replay.steps[1].note
    fused = contents[2]
    assert isinstance(fused, LoopStage)
    assert fused.program.nodes[1].inputs == ("op0",)


@pytest.mark.parametrize("field", ["removed", "made"])
def test_a_run_that_names_a_node_twice_does_not_fit(field: str) -> None:
    """As a file may say; a node made twice was placed behind itself for ever."""
    nodes = tuple(Node(name, "call_function", "f", SequenceArgument("tuple", ())) for name in "abc")
    run = _run(Graph(nodes[:2]), Graph(nodes[1:]))
    if field == "removed":
        wrong = msgspec.structs.replace(run, removed=(*run.removed, *run.removed))
    else:
        wrong = msgspec.structs.replace(run, made=(nodes[2], nodes[2]), after=("", "c"), order=())
    with pytest.raises(ValueError, match="does not fit"):
        after_run(Graph(nodes[:2]), wrong)
