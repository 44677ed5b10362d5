"""The line above the panes says what came of the capture, and each part leads to its pane."""

import pytest

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.result_bar import ResultBar
from tests.app.window.test_main_window import capture


@pytest.mark.thorough
def test_it_says_what_came_of_the_capture(window: MainWindow, session: Session, engine, qtbot) -> None:
    bar = window.findChild(ResultBar)
    assert bar.isHidden()
    capture(window, session, engine, qtbot)
    assert not bar.isHidden()
    said = bar.line.plain()
    assert " in 1 graph" in said
    assert "1 break" in said
    assert "faster" not in said  # nothing was timed
    assert not bar.why.text()
    area = window.dock_area
    assert area is not None
    area.docks["breaks"].hide()
    index = next(number for number, part in enumerate(said.split("  ·  ")) if "break" in part)
    bar.line.link_clicked.emit(index)
    assert not area.docks["breaks"].isHidden()


@pytest.mark.thorough
def test_words_stand_beside_the_line(window: MainWindow, session: Session, engine, qtbot) -> None:
    capture(window, session, engine, qtbot)
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
