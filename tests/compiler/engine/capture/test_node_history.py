"""Histories of real captures: none fails, and whatever a pass took out, its history says by which pass."""

from collections.abc import Iterator

import msgspec
import pytest
import torch

import torch_loupe
from compiler.analysis.passes.events import HistoryEvent
from compiler.analysis.passes.link_walk import PROOFS
from compiler.analysis.passes.node_history import NodeHistories, names_of
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, place
from compiler.model.ir.stage import StageKind
from compiler.model.session_file.stage_checks import node_ids
from tests.compiler.engine.conftest import capture

pytestmark = pytest.mark.engine

GONE = ("removed", "replaced", "merged")


@pytest.fixture(scope="module")
def inference() -> Capture:
    return capture("conv_bn_relu.py:Net", training=False).capture


@pytest.fixture(params=["breaky", "transformer", "inference"])
def captured(request: pytest.FixtureRequest) -> Capture:
    return request.getfixturevalue(request.param)


def removed_nodes(captured: Capture) -> Iterator[tuple[str, int, NodeId, str]]:
    """(stage, position before, node, pass)."""
    for stage in captured.stages:
        replay = NodeHistories(captured).replay(stage.id)
        for position, step in enumerate(replay.steps if replay is not None else ()):
            if step.phase != "fusion":
                yield from ((stage.id, position, node, step.name) for node in step.removed)


@pytest.mark.thorough
def test_no_node_is_without_a_history(captured: Capture) -> None:
    histories = NodeHistories(captured)
    stages = {stage.id: stage for stage in captured.stages}
    order = {stage.id: index for index, stage in enumerate(captured.stages)}
    for stage in captured.stages:
        for node in sorted(node_ids(stage)):
            events = histories.history(place(stage.id, node))
            assert [event.nodes for event in events if event.kind == "here"] == [(node,)]
            assert [order[event.stage] for event in events] == sorted(order[event.stage] for event in events)
            for event in events:
                assert event.proof in PROOFS
                assert names_of(stages[event.stage], event.nodes) or event.nodes
                began = event.kind == "became" and event.position == 0
                assert event.by or event.position is None or event.kind in ("here", "survived") or began


@pytest.mark.thorough
def test_what_a_pass_took_out_is_reported_with_its_name(captured: Capture) -> None:
    histories = NodeHistories(captured)
    checked = 0
    for stage, position, node, name in removed_nodes(captured):
        events = histories.history(place(stage, node, after=position))
        reported = [event for event in events if event.kind in GONE and event.nodes == (node,)]
        assert [(event.by, event.position) for event in reported] == [(name, position + 1)]
        checked += 1
    assert checked


@pytest.mark.thorough
def test_what_a_joint_graph_began_with_is_reported_before_its_passes(transformer: Capture) -> None:
    """No stage holds that graph; what is in the stage itself is there after the passes."""
    histories, checked = NodeHistories(transformer), 0
    dynamo = next(stage for stage in transformer.stages if stage.kind is StageKind.DYNAMO_GRAPH)
    for node in [row.id for row in dynamo.graph.nodes if row.op == "call_function"]:
        events = [
            event
            for event in histories.history(place(dynamo.id, node))
            if event.stage.endswith(":joint") and (event.position is not None or event.kind == "became")
        ]
        if len(events) > 1:
            checked += 1
            assert (events[0].kind, events[0].position) == ("became", 0)
            assert [event.position for event in events if event.position is not None] == sorted(
                event.position for event in events if event.position is not None
            )
            assert len({event.text for event in events}) == len(events) or events[0].nodes != events[-1].nodes
    assert checked


@pytest.mark.thorough
def test_a_removed_node_is_reported_from_the_stage_before_too(transformer: Capture) -> None:
    """Selected where it still is, a node says which later pass takes it out."""
    histories = NodeHistories(transformer)
    events = histories.history(place("0/0:backward:aot", "select_scatter"))
    assert any(
        event.kind == "replaced"
        and event.by == "reinplace_inplaceable_ops"
        and event.nodes == ("select_scatter",)
        for event in events
    )


def test_a_relu_from_its_line_to_both_kernels(breaky: Capture) -> None:
    captured = breaky
    relu = NodeHistories(captured).history(place("0/0:dynamo", "relu"))
    by_kind: dict[str, list[HistoryEvent]] = {}
    for event in relu:
        by_kind.setdefault(event.kind, []).append(event)
    line = next(event for event in by_kind["written"])
    source = captured.stage(line.stage)
    assert "torch.relu" in names_of(source, line.nodes)[0]
    assert line.proof == "python"
    assert [event.proof for event in by_kind["became"] if event.stage == "0/0:joint"] == ["tag", "tag"]
    assert {event.stage for event in by_kind["generated"]} == {"0/0:forward:kernels", "0/0:backward:kernels"}
    assert any(event.nodes == ("le",) for event in by_kind["saved"])
    assert any("op4 and op5 fused" in event.text for event in by_kind["fused"])
    assert any(event.by == "remove_noop_ops" for event in by_kind["merged"])


def test_inputs_are_those_that_torch_says_they_are(breaky: Capture) -> None:
    """Kernels that only copy a parameter into another layout had no certain way to Dynamo's graph."""
    events = NodeHistories(breaky).history(place("0/0:dynamo", "l_x_"))
    assert [event.proof for event in events if event.stage == "0/0:joint" and event.kind == "became"] == [
        "torch"
    ]
    later = [event for event in events if event.stage == "0/0:forward:aot"]
    assert [event.proof for event in later] == ["name"]


def test_what_shares_memory_with_an_input_that_is_written_to_is_one_input_of_both() -> None:
    base = torch.randn(8)
    captured = torch_loupe.capture(_scaled_views, base[:6], base[2:]).data
    (passed,) = (
        table for table in captured.links if table.kind == "passed" and table.target.endswith(":aot")
    )
    assert (passed.proof, passed.pairs) == ("torch", (("l_v_", "arg0_1"),))


def _scaled_views(x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    v.mul_(2)
    return (x * v).sin()


def test_saved_and_recomputed_and_unknown_nodes(transformer: Capture) -> None:
    captured = transformer
    histories = NodeHistories(captured)
    joint = next(stage for stage in captured.stages if stage.kind is StageKind.JOINT_GRAPH)
    partition = joint.content.partition  # type: ignore[union-attr]
    saved = next(row.node for row in partition.saved if row.bytes)
    assert any(event.kind == "saved" for event in histories.history(place(joint.id, saved)))
    assert histories.history(place(joint.id, "nobody")) == ()
    assert histories.history(place("no stage", "nobody")) == ()
    assert msgspec.json.encode(histories.history(place(joint.id, saved)))
