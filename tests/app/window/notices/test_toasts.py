import msgspec
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.panes.pipeline_pane.verdict_line import VerdictLine
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.notices import toasts
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import place
from tests.helpers import sample_capture

WRONG = Problem("The graph does not compile.", "Undo the edit.")
TOLD = Problem("Something to know.", severity=Severity.NOTE)


def opened(window: MainWindow, session: Session) -> None:
    session._on_captured(sample_capture.capture(), False)
    window.show_panes().show_pane("code")


def in_front(window: MainWindow) -> set[str]:
    return {
        name
        for name, pane in window.show_panes().panes.items()
        if pane.isVisible() and not pane.visibleRegion().isEmpty()
    }


def test_a_problem_is_a_card_and_changes_no_tab_and_no_focus(
    window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    opened(window, session)
    held, before = QApplication.focusWidget(), in_front(window)
    session.report(WRONG)
    (card,) = window.toasts.cards
    assert card.isVisible()
    assert in_front(window) == before
    assert QApplication.focusWidget() is held
    assert window.status.problems.text() == "1 problem"
    assert window.rect().contains(card.geometry())
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert window.toasts.cards == []
    assert "problems" in in_front(window)


def test_a_note_goes_by_itself_and_an_error_stays(window: MainWindow, session: Session, qtbot: QtBot) -> None:
    opened(window, session)
    session.report(WRONG)
    session.report(TOLD)
    for card in window.toasts.cards:
        card._leaves.setInterval(20)
    qtbot.waitUntil(lambda: len(window.toasts.cards) == 1)
    assert window.toasts.cards[0].problem is WRONG
    window.toasts.cards[0].close_button.click()
    assert window.toasts.cards == []


def test_cards_of_what_is_settled_go(window: MainWindow, session: Session) -> None:
    opened(window, session)
    session.report(WRONG)
    assert len(window.toasts.cards) == 1
    session.clear_problems()
    assert window.toasts.cards == []


def test_cards_do_not_cover_the_field_that_has_the_focus(
    window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    opened(window, session)
    window.activateWindow()
    field = QLineEdit(window)
    field.setGeometry(window.width() - 300, window.height() - 90, 250, 28)
    field.show()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    session.report(WRONG)
    (card,) = window.toasts.cards
    assert not card.geometry().intersects(field.geometry())


def test_no_more_cards_than_have_room(window: MainWindow, session: Session) -> None:
    opened(window, session)
    for number in range(9):
        session.report(Problem(f"Fault {number}."))
    session.report(Problem("Fault 8."))
    shown = [card.problem.what for card in window.toasts.cards]
    assert shown == ["Fault 6.", "Fault 7.", "Fault 8."]
    assert toasts.NOTE_MS > 1000


@pytest.mark.parametrize("first", ["verdict", "card"])
def test_cards_do_not_cover_a_verdict(window: MainWindow, session: Session, qtbot: QtBot, first: str) -> None:
    opened(window, session)
    window.resize(1280, 800)
    window.show_workspace("edit")
    history = window.show_panes().panes["history"]
    qtbot.waitUntil(lambda: not history.visibleRegion().isEmpty())
    if first == "card":
        session.report(WRONG)
        (card,) = window.toasts.cards
        assert card.geometry().intersects(placed(history, window)), "before there is a verdict, as elsewhere"
    assert session.capture is not None
    session._store.add(session.capture, (), sample_capture.verdict())
    session.verdict_changed.emit()
    if first == "verdict":
        session.report(WRONG)
    (card,) = window.toasts.cards
    qtbot.waitUntil(lambda: not card.geometry().intersects(placed(history, window)))
    assert window.rect().contains(card.geometry())


def placed(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.thorough
@pytest.mark.parametrize("workspace", ["edit", "explore", "performance"])
def test_cards_do_not_cover_what_is_read_of_a_node(
    window: MainWindow, session: Session, qtbot: QtBot, workspace: str
) -> None:
    """Neither a verdict nor the Inspector with something selected: with both in corners, a card lies beside the boxes."""
    session._on_captured(msgspec.structs.replace(sample_capture.capture(), parent="capture-0"), False)
    window.resize(1280, 800)
    window.show_workspace(workspace)
    panes = window.show_panes().panes
    window.show_panes().show_pane("inspector")
    inspector, graph = panes["inspector"], panes["graph"]
    assert session.capture is not None
    session.selection.select(place(sample_capture.DYNAMO, "z"))
    session._store.add(session.capture, (), sample_capture.verdict())
    session.verdict_changed.emit()
    qtbot.waitUntil(lambda: not inspector.visibleRegion().isEmpty() and graph.is_idle())
    qtbot.wait(50)
    session.report(WRONG)
    (card,) = window.toasts.cards
    qtbot.waitUntil(lambda: not card.geometry().intersects(placed(inspector, window)))
    assert window.rect().contains(card.geometry())
    line = panes["pipeline"].findChild(VerdictLine)
    if workspace == "edit":
        assert line.isVisible()
        assert not card.geometry().intersects(placed(line, window))
        assert not card.geometry().intersects(placed(panes["history"], window))
        view = graph.view
        at = card.geometry().translated(-view.mapTo(window, QPoint(0, 0)))
        assert not view.scene_data.boxes_in(view.map_area(at))
