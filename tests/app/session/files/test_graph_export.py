"""The graph in front as a file for other tools."""

from pathlib import Path

import networkx
import pytest

from app.session.facade.session import Session
from app.session.files.graph_export import GraphExport
from compiler.model.diagrams.diagrams import diagram, is_drawn
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import StageKind


@pytest.fixture
def reported() -> list[Problem]:
    return []


@pytest.fixture
def export(reported: list[Problem], open_session: Session) -> GraphExport:
    return GraphExport(reported.append, open_session)


def test_graphml_holds_every_node_and_edge(
    open_session: Session, export: GraphExport, reported: list[Problem], tmp_path: Path
) -> None:
    stage = open_session.capture.of_kind(StageKind.DYNAMO_GRAPH)[0]
    assert is_drawn(stage)
    export.write(stage, tmp_path / "g.graphml")
    export.wait()
    read = networkx.read_graphml(tmp_path / "g.graphml")
    assert set(read) == {node.id for node in stage.graph.nodes}
    assert read.number_of_edges() > 0
    assert [problem.severity for problem in reported] == [Severity.NOTE]


def test_dot_is_one_digraph_and_loops_have_a_graph_too(
    open_session: Session, export: GraphExport, reported: list[Problem], tmp_path: Path
) -> None:
    stage = next(stage for stage in open_session.capture.stages if is_drawn(stage) and stage.graph is None)
    export.write(stage, tmp_path / "g.dot")
    export.wait()
    text = (tmp_path / "g.dot").read_text()
    assert text.startswith("digraph ")
    assert text.count("->") > 0
    assert reported[0].what.startswith("Written: g.dot")


def test_text_has_no_graph_and_what_cannot_be_written_is_reported(
    open_session: Session, export: GraphExport, reported: list[Problem], tmp_path: Path
) -> None:
    assert not is_drawn(open_session.capture.of_kind(StageKind.SOURCE)[0])
    export.write(open_session.capture.of_kind(StageKind.DYNAMO_GRAPH)[0], tmp_path / "none" / "g.dot")
    export.wait()
    assert "cannot be written: No such file" in reported[0].what


def test_every_stage_is_exported_or_reported_of_in_one_message(
    open_session: Session, export: GraphExport, reported: list[Problem], tmp_path: Path
) -> None:
    for stage in open_session.capture.stages:
        reported.clear()
        path = tmp_path / f"{stage.kind.value}.graphml"
        if export.can_write(stage):
            export.write(stage, path)
            export.wait()
        assert len(reported) == 1, stage.id
        assert reported[0].severity is Severity.NOTE
        assert path.exists() == (diagram(stage) is not None), "what is drawn in boxes is exported"
        assert path.exists() or "is text and has no graph" in reported[0].what
