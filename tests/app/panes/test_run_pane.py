"""The Run pane on runs of which everything is known."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from app.panes.run_pane import RunPane
from app.panes.run_pane.run_timeline import color_of
from app.session.facade.session import Session
from app.theme import current
from compiler.analysis.running.lanes import Lane
from compiler.model.capture.capture import Capture
from compiler.model.capture.run_story import RunEdit
from compiler.model.protocol.run_events import RunBegan, RunCaptured
from tests.helpers import sample_capture
from tests.helpers.recorded_run import counted, recorded_capture
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows


def reported(compiles: int, *counts: tuple[float, int]) -> Capture:
    lane = Lane()
    lane.take(RunBegan(4711, 1, ("python", "train.py"), "/home/me", "2.13.0"))
    lane.take(RunCaptured(recorded_capture(compiles)))
    for seconds, calls in counts:
        lane.take(counted(seconds, calls))
    made = lane.reported_capture()
    assert made is not None
    return made


@pytest.fixture
def pane(session: Session, qtbot) -> RunPane:
    return on_screen(qtbot, RunPane(session), 1000, 520)


def open_capture(session: Session, capture: Capture) -> None:
    session._start_with(capture, from_file=True)
    session._report_shown()


def test_says_how_to_get_something_to_show(pane: RunPane) -> None:
    assert pane.empty.isVisible()
    assert "loupe run" in pane.empty.text.text()


def test_a_program_that_was_captured_has_no_run(pane: RunPane, session: Session) -> None:
    open_capture(session, sample_capture.capture())
    assert pane.empty.isVisible()


def test_steps_and_where_the_time_went(pane: RunPane, session: Session) -> None:
    """Between 8 and 10 s nothing was compiled and 100 steps were made; compiling takes the sample's 2.5 s."""
    open_capture(session, reported(2, (3.0, 10), (4.0, 60), (8.0, 100), (9.0, 150), (10.0, 200)))
    assert not pane.empty.isVisible()
    assert pane.headline.text() == "train.py · process 4711 · was not followed to its end"
    assert pane.steps.text() == (
        "200 compiled calls of model (model.py:4), one every 20.0 ms [20.0–40.0] where nothing was compiled"
        " · memory 1.0 MiB"
    )
    assert pane.shares.text == "of 10.0 s: 25% compiling, 20% in compiled graphs, 55% elsewhere"
    assert [row.calls for row in pane.table.rows] == [200, 0]


def test_a_storm_is_named_with_its_guard_and_line(pane: RunPane, session: Session) -> None:
    open_capture(session, reported(5))
    text = pane.storms.plain()
    assert (
        "compiled 5 times; 4 times because this guard failed, with another value each time: self.step == 0"
        in text
    )
    assert "make this integer dynamic." in text
    pane.storms.link_clicked.emit(0)
    assert session.selection.pinned.nodes == ("L6",)
    open_capture(session, reported(2))
    assert not pane.storms.isVisible()


def test_a_click_on_a_bar_shows_its_graph(pane: RunPane, session: Session, qtbot) -> None:
    open_capture(session, reported(3))
    (lane,) = pane.timeline.lanes
    assert [bar.id for bar in lane.bars] == ["0/0", "0/1", "0/2"]
    assert color_of(lane.bars[0]) == current.colors().forward
    assert color_of(lane.bars[1]) == current.colors().warning
    session.show_stage(session.capture.stages[-1].id)
    at = pane.timeline.bar_area(0, lane.bars[0]).center().toPoint()
    qtbot.mouseClick(pane.timeline, Qt.MouseButton.LeftButton, pos=at)
    assert session.stage.compile_id == "0/0"
    assert session.stage.graph is not None
    assert pane.timeline.bar_at(QPointF(QPoint(2, 2))) is None


def test_rows_that_stay_keep_their_selection(pane: RunPane, session: Session) -> None:
    open_capture(session, reported(3))
    pane.table.tree.setCurrentIndex(seen_rows(pane.table)[1].index)
    chosen = pane.table.selected()[0].key
    more = reported(5)
    session._store.renew(more)
    session._show_shown()
    session.run.opened(more)
    rows = seen_rows(pane.table)
    assert len(rows) == 5
    assert pane.table.tree.currentIndex() == rows[1].index
    assert [row.key for row in pane.table.selected()] == [chosen]


def test_a_story_with_absurd_numbers_is_drawn(pane: RunPane, session: Session, qtbot) -> None:
    """A file may hold anything."""
    capture = reported(2, (1.0, 1), (5.0, 20))
    samples = tuple(
        msgspec.structs.replace(row, seconds=-1e300 if index else 1e300, steps=-5)
        for index, row in enumerate(capture.run.samples)
    )
    story = msgspec.structs.replace(capture.run, samples=samples, seconds=1e308)
    open_capture(session, msgspec.structs.replace(capture, run=story, seconds=-1.0))
    qtbot.wait(20)
    assert not pane.grab().isNull()


def test_an_edit_of_the_running_program_and_what_it_did(pane: RunPane, session: Session, qtbot) -> None:
    whole = reported(1, *[(float(second), 50 * second) for second in range(4, 12)])
    assert whole.run is not None
    story = msgspec.structs.replace(whole.run, edits=(RunEdit(7.0, ("relu: call gelu",)),))
    open_capture(session, msgspec.structs.replace(whole, run=story))
    assert pane.edits.isVisible()
    assert pane.edits.text.text().startswith("With relu: call gelu: a step takes 20.0 ms")
    assert not pane.edits.button.isVisible(), "it runs no more"
    assert pane.timeline.lanes[0].edits == story.edits
    assert "edited" in [entry.text for entry in pane.legend.entries]
    mark = QPointF(pane.timeline._x(7.0), pane.timeline._top(0) + 10)
    assert "relu: call gelu" in pane.timeline._format_edit(mark)
    assert pane.timeline._format_edit(mark + QPointF(40, 0)) == ""
