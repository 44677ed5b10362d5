"""Compiled edits written as Python files."""

from pathlib import Path

from app.session.facade.session import Session
from compiler.model.edits.edits import apply_graph_edit
from compiler.model.export import EditedGraph
from compiler.model.ir.diagnostics import Severity
from compiler.model.protocol.messages import EditedGraphs, ListEditedGraphs, Recompile, Recompiled
from tests.app.session.facade.test_session import TO_GELU, D, recompiled
from tests.helpers.fake_engine import FakeEngine


def test_compiled_edits_are_written_and_said_so(
    open_session: Session, engine: FakeEngine, tmp_path: Path
) -> None:
    base = open_session.stage_with_edits(D).graph
    assert base is not None
    assert not open_session.exporting.possible
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2"), None))
    assert open_session.exporting.possible
    open_session.exporting.write(tmp_path / "mine.py")
    request = engine.last(ListEditedGraphs)
    edited, _ = apply_graph_edit(base, TO_GELU)
    request.reply(EditedGraphs((EditedGraph(D, "dynamo", base, edited),)))
    assert sorted(path.name for path in tmp_path.glob("*mine*")) == ["mine.json", "mine.py", "test_mine.py"]
    reported = open_session.problems[-1]
    assert reported.severity is Severity.NOTE
    assert "mine.py" in reported.what


def test_a_folder_that_cannot_be_written_is_reported(
    open_session: Session, engine: FakeEngine, tmp_path: Path
) -> None:
    base = open_session.stage_with_edits(D).graph
    assert base is not None
    open_session.make_edit(TO_GELU)
    open_session.recompile()
    engine.last(Recompile).reply(Recompiled(recompiled("capture-2"), None))
    open_session.exporting.write(tmp_path / "missing" / "mine.py")
    edited, _ = apply_graph_edit(base, TO_GELU)
    engine.last(ListEditedGraphs).reply(EditedGraphs((EditedGraph(D, "dynamo", base, edited),)))
    assert "cannot be written" in open_session.problems[-1].what
