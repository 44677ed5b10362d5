"""Every stage prints as a program whose lines know their nodes, and draws as boxes and arrows if it is a graph."""

import pytest

from compiler.analysis.text_format.printer import program
from compiler.model.diagrams.diagrams import diagram
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.session_file.checks import consistent
from compiler.model.session_file.stage_checks import node_ids
from tests.helpers import sample_capture

STAGES = sample_capture.capture().stages


@pytest.mark.parametrize("stage", STAGES, ids=[stage.id for stage in STAGES])
def test_lines_belong_to_nodes_of_the_stage(stage: Stage) -> None:
    text = program(stage)
    assert len(text.line_nodes) == text.text.count("\n") + 1
    named = {node for owners in text.line_nodes for node in owners}
    assert named <= node_ids(stage)
    if stage.graph is not None:
        assert named == {node.id for node in stage.graph.nodes}


@pytest.mark.parametrize("stage", STAGES, ids=[stage.id for stage in STAGES])
def test_diagrams_name_only_what_is_there(stage: Stage) -> None:
    drawn = diagram(stage)
    if stage.kind in (StageKind.SOURCE, StageKind.BYTECODE, StageKind.REWRITTEN_BYTECODE, StageKind.WRAPPER):
        assert drawn is None
        return
    names = [node.id for node in drawn.nodes]
    assert len(names) == len(set(names))
    assert {end for edge in drawn.edges for end in (edge.source, edge.target)} <= set(names)


def test_the_dynamo_graph_as_a_program() -> None:
    stage = next(stage for stage in STAGES if stage.kind is StageKind.DYNAMO_GRAPH)
    text = program(stage).text
    assert "relu" in text
    assert text.startswith("# ")
    assert text.rstrip().split("\n")[-1].strip().startswith("return")


def test_the_sample_is_sound() -> None:
    assert not consistent(sample_capture.capture())[1]
