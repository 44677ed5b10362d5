"""The start page and the labs: what they offer leads there, and one comes back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.window.choice_card import ChoiceCard
from app.window.main_window import MainWindow
from app.window.pane_table import LABS, PANES
from app.window.start.labs_page import picture_of
from app.window.start.welcome_page import GUIDED_STARTS
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.edits.edits import BypassNode, ReplaceTarget
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture


def test_one_comes_back_to_what_is_open(window: MainWindow, open_session: Session, qtbot) -> None:
    assert window.pages.currentWidget() is window.dock_area
    window.actions_by_id.run("help.start")
    assert window.pages.currentWidget() is window.welcome
    assert window.welcome.back.isVisible()
    assert open_session.capture is not None
    window.welcome.back.click()
    assert window.pages.currentWidget() is window.dock_area


def test_a_program_that_failed_is_captured_again_from_there_and_its_problem_read(
    window: MainWindow, session: Session, engine, qtbot
) -> None:
    welcome = window.welcome
    assert not welcome.failed.isVisibleTo(welcome)
    assert not window.actions_by_id.actions["file.capture_again"].isEnabled()
    spec = sample_capture.capture().spec
    session.capture_target(spec)
    problem = Problem(
        "Could not load model.py: SyntaxError.", "Correct it.", "/me/model.py", 2, detail="Traceback"
    )
    engine.last(MakeCapture).fail(problem)
    assert welcome.failed.isVisibleTo(welcome)
    engine.set_state("ready")
    window.actions_by_id.update()
    assert window.actions_by_id.actions["file.capture_again"].isEnabled()
    before = engine.last(MakeCapture)
    welcome.again.click()
    assert engine.last(MakeCapture) is not before
    assert engine.last(MakeCapture).body.spec == spec
    assert not welcome.failed.isVisibleTo(welcome), "it is being captured"
    engine.last(MakeCapture).fail(problem)
    welcome.details.click()
    assert window.dock_area.panes["problems"].isVisible()


def test_the_keyboard_begins_at_ones_own_model(window: MainWindow, qtbot, monkeypatch) -> None:
    """Its card looked as if, and Enter did nothing."""
    window.activateWindow()
    asked = []
    window.welcome.model_wanted.disconnect()
    window.welcome.model_wanted.connect(lambda: asked.append(1))
    inside = QApplication.focusWidget()
    assert isinstance(inside, ChoiceCard)
    qtbot.keyClick(inside, Qt.Key.Key_Return)
    assert asked


def test_edits_of_a_session_that_crashed_are_offered_before_anything_is_open(
    window: MainWindow, session: Session, engine, tmp_path: Path
) -> None:
    """One had to open the same program in the same way to hear of them."""
    left = window.welcome.left_behind
    assert not left.isVisibleTo(window.welcome)
    crashed = Session(FakeEngine(), journals=tmp_path / "journals")
    spec = sample_capture.capture().spec
    crashed.capture_target(spec)
    crashed.engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    crashed.make_edit(BypassNode(sample_capture.DYNAMO, "mul", "z"))
    crashed.close(keep_journal=True)
    window.welcome.refresh()
    assert left.isVisibleTo(window.welcome)
    left.findChild(QPushButton).click()
    assert engine.last(MakeCapture).body.spec == spec
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    assert len(session.edits) == 1
    window.welcome.refresh()
    assert not left.isVisibleTo(window.welcome)


def test_edits_made_on_a_session_file_are_offered_and_made_on_it_again(
    window: MainWindow, session: Session, engine, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "mine.loupe"
    first = BypassNode(sample_capture.DYNAMO, "mul", "z")
    crashed = Session(FakeEngine(), journals=tmp_path / "journals")
    open_capture(crashed, sample_capture.capture())
    crashed.make_edit(first)
    with qtbot.waitSignal(crashed.file_changed):
        crashed.save_file(path)
    later = ReplaceTarget(
        sample_capture.DYNAMO, "z", "call_function", "torch.nn.functional.gelu", sample_capture.args("y")
    )
    crashed.make_edit(later)
    crashed.close(keep_journal=True)
    window.welcome.refresh()
    left = window.welcome.left_behind
    (row,) = left.findChildren(QPushButton)
    assert "mine.loupe" in row.accessibleName()
    with qtbot.waitSignal(session.file_changed):
        row.click()
    assert engine.asked == [], "nothing of it runs"
    assert session.file_path == path
    assert session.edits == (first, later)
    assert not session.recovery.left_behind()
    path.unlink()


def test_edits_that_a_crash_left_can_be_given_up(window: MainWindow, tmp_path: Path) -> None:
    crashed = Session(FakeEngine(), journals=tmp_path / "journals")
    open_capture(crashed, sample_capture.capture())
    crashed.make_edit(BypassNode(sample_capture.DYNAMO, "mul", "z"))
    crashed.close(keep_journal=True)
    window.welcome.refresh()
    window.welcome.left_behind.findChild(QToolButton).click()
    assert not window.welcome.left_behind.isVisibleTo(window.welcome)
    assert not list((tmp_path / "journals").glob("*.jsonl"))


def test_examples_stand_behind_one_line(window: MainWindow) -> None:
    welcome = window.welcome
    assert not welcome.examples.isVisibleTo(welcome)
    welcome.more.click()
    assert welcome.examples.isVisibleTo(welcome)


def test_the_start_page_begins_tours(window: MainWindow, monkeypatch) -> None:
    begun = []
    monkeypatch.setattr(MainWindow, "start_tour", lambda _, tour: begun.append(tour.name))
    for name in GUIDED_STARTS:
        window.welcome.findChild(QPushButton, f"tour_{name}").click()
    assert begun == list(GUIDED_STARTS)


@pytest.mark.thorough
def test_every_lab_opens_its_pane_with_room(window: MainWindow, open_session: Session, qtbot) -> None:
    window.resize(1280, 800)
    for name in LABS:
        window.actions_by_id.run("view.labs")
        assert window.pages.currentWidget() is window.labs
        window.labs.cards[name].click()
        assert window.pages.currentWidget() is window.dock_area
        qtbot.waitUntil(lambda name=name: window.dock_area.panes[name].height() > 300)


@pytest.mark.thorough
def test_from_the_list_of_panes_a_lab_comes_up_with_room_too(
    window: MainWindow, open_session: Session, qtbot
) -> None:
    window.resize(1280, 800)
    area = window.show_panes()
    for name in LABS:
        window.workspaces.reset("explore")
        assert area.docks[name].isHidden()
        area.docks[name].toggleViewAction().trigger()
        qtbot.waitUntil(lambda name=name: area.panes[name].height() > 300)


def test_a_lab_has_its_pictures() -> None:
    assert set(LABS) <= {row.id for row in PANES}
    for name in LABS:
        for look in ("light", "dark"):
            assert picture_of(name, look).is_file()


def test_without_a_program_the_labs_lead_back_to_the_start(window: MainWindow) -> None:
    window.show_labs()
    window.labs.back.click()
    assert window.pages.currentWidget() is window.welcome


def dropped(window: MainWindow, *paths: Path) -> bool:
    """Whether the window takes these files."""
    data, at = QMimeData(), QPoint(300, 300)
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    given = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(at, *given)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(at), *given))
    return enter.isAccepted()


def test_a_file_that_is_dropped_on_the_window_is_opened(
    window: MainWindow, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    with qtbot.waitSignal(session.capture_changed):
        assert dropped(window, path)
    assert session.file_path == path
    assert not dropped(window, path, path)
    assert not dropped(window, tmp_path)
