"""The line above the panes says what came of the capture, and each part leads to its pane."""

import msgspec
import pytest

from app.panes.pipeline_pane.verdict_line import VerdictLine
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.result_bar import ResultBar
from compiler.model.edits.edits import BypassNode
from compiler.model.protocol.messages import Recompile, Recompiled
from tests.helpers import sample_capture
from tests.helpers.captured_window import capture_sample

D = sample_capture.DYNAMO


@pytest.mark.thorough
def test_it_says_what_came_of_the_capture(window: MainWindow, session: Session, engine, qtbot) -> None:
    bar = window.findChild(ResultBar)
    assert bar.isHidden()
    capture_sample(window, session, qtbot)
    assert not bar.isHidden()
    said = bar.line.plain()
    assert " in 1 graph" in said
    assert "1 break" in said
    assert "faster" not in said  # nothing was timed
    assert not bar.why.text()
    area = window.dock_area
    area.docks["breaks"].hide()
    index = next(number for number, part in enumerate(said.split("  ·  ")) if "break" in part)
    bar.line.link_clicked.emit(index)
    assert not area.docks["breaks"].isHidden()


def test_a_verdict_is_said_in_every_workspace_and_leads_to_what_it_rests_on(
    window: MainWindow, session: Session, engine, captured
) -> None:
    bar = window.findChild(ResultBar)
    assert "edit is" not in bar.line.plain()
    window.show_workspace("breaks")
    session.make_edit(BypassNode("0/0:dynamo", "z", "y"))
    session.recompile()
    again = msgspec.structs.replace(session.capture, id="capture-2", parent=session.capture.id)
    engine.last(Recompile).reply(Recompiled(again, sample_capture.verdict()))
    assert bar.line.plain().startswith("✓ edit is right  ·  ")
    bar.line.link_clicked.emit(0)
    assert not window.dock_area.docks["history"].isHidden()
    session.undo()
    assert "edit is" not in bar.line.plain()


@pytest.mark.thorough
def test_words_stand_beside_the_line(window: MainWindow, qtbot, captured) -> None:
    bar = window.findChild(ResultBar)
    bar.why.setText("48% of the step is spent in kernels.")
    qtbot.wait(20)
    assert bar.why.geometry().left() >= bar.line.geometry().right()
    assert bar.line.width() >= bar.line.document().idealWidth()


@pytest.mark.thorough
def test_the_row_of_the_result_is_one_line_high(window, open_session, qtbot) -> None:
    window.resize(1280, 800)
    qtbot.waitUntil(window.row.isVisible)
    assert window.row.height() < 3 * window.fontMetrics().height()


def test_a_verdict_is_not_said_of_edits_that_came_after_it(
    window: MainWindow, session: Session, engine, qtbot, captured
) -> None:
    """Also on top of a recompile that is not the newest, gone back to by undoing: its *Right* stood beside *recompile failed*."""
    window.show_workspace("edit")
    made = session.capture
    for number, edit in enumerate((BypassNode(D, "mul", "z"), BypassNode(D, "z", "y")), 2):
        session.make_edit(edit)
        session.recompile()
        again = msgspec.structs.replace(made, id=f"capture-{number}", parent=made.id)
        engine.last(Recompile).reply(Recompiled(again, sample_capture.verdict()))
    session.undo()
    assert session.capture is not session.captures[-1]
    bar, line = window.findChild(ResultBar), window.findChild(VerdictLine)
    assert line.text().startswith("✓ Right")
    session.make_edit(BypassNode(D, "y", "l_x_"))
    assert "not compiled yet" in line.text()
    qtbot.waitUntil(lambda: "edit is" not in bar.line.plain())
    session.recompile()
    engine.last(Recompile).fail("No.")
    assert "Recompiling failed" in line.text()
    assert "edit is" not in bar.line.plain()
