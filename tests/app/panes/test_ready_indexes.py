"""What a first click asks is there before it."""

from app.session.facade.ready_indexes import ReadyIndexes
from compiler.analysis.text_format.printer import program


def test_what_a_click_asks_is_worked_out_when_the_stage_is_shown(shown, qtbot):
    session = shown
    stage = next(stage for stage in session.capture.stages if stage.graph is not None)
    session.show_stage(stage.id)
    indexes = ReadyIndexes(session)
    indexes.begin_soon()
    qtbot.waitUntil(lambda: "_users" in stage.graph.__dict__ and "by_stack" in stage.graph.__dict__)
    indexes.wait()
    assert "lines_by_node" in program(stage).__dict__
    tables = [table for table in session.capture.links if table.source == stage.id]
    assert tables
    assert all("down" in table.__dict__ for table in tables)


def test_whoever_leafs_on_waits_for_none(shown, qtbot):
    session = shown
    indexes = ReadyIndexes(session)
    indexes.begin_soon()
    other = next(stage.id for stage in session.capture.stages if stage.id != session.stage.id)
    session.show_stage(other)
    assert not indexes._calm.isActive()
