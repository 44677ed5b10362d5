"""Menus that fit what is in front, letters that act on the canvas alone, and panes that the keyboard walks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from app.actions.action_set import ALL_ROWS
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.node_menu import MOST, node_menu
from app.window.open_form.target_form import TargetForm
from app.window.result_bar import ResultBar
from compiler.model.ir.ids import place


@pytest.fixture
def opened(window: MainWindow, open_session: Session, qtbot) -> MainWindow:
    qtbot.waitUntil(lambda: window.pages.currentWidget() is window.dock_area)
    return window


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_the_menu_of_a_node_is_short_and_the_rest_is_one_step_away(opened, open_session) -> None:
    open_session.show_stage("0/0:dynamo")
    open_session.selection.select(place("0/0:dynamo", "z"))
    opened.actions_by_id.update()
    menu = node_menu(opened.actions_by_id, opened)
    shown = entries(menu)
    assert len(shown) <= MOST + 1
    assert shown[0] == "Replace relu by gelu"
    assert shown[-1] == "More"
    rest = entries(menu.actions()[-1].menu())
    assert "Duplicate node…" in rest
    assert not set(rest) & set(shown), "one command twice"
    menu.deleteLater()


def test_the_menu_bar_has_every_action_once(opened) -> None:
    found: list[str] = []
    for top in opened.menuBar().actions():
        found += [
            action.objectName()
            for action in top.menu().actions()
            if action.objectName() in opened.actions_by_id.rows
        ]
        assert "&" in top.text(), "Alt does not open it"
    in_menus = [row.id for row in ALL_ROWS if row.menu]
    assert sorted(found) == sorted(in_menus)
    letters = [top.text()[top.text().index("&") + 1].lower() for top in opened.menuBar().actions()]
    assert len(set(letters)) == len(letters)


def test_a_letter_acts_on_the_canvas_and_is_typed_elsewhere(opened, open_session, qtbot) -> None:
    """Qt finds the action of a key by where the focus is; that is asked here as Qt does."""
    row = opened.actions_by_id.actions["view.next_stage"]
    assert row.shortcut() == QKeySequence("N")
    canvas = opened.dock_area.panes["graph"]
    assert row.shortcutContext() is Qt.ShortcutContext.WidgetWithChildrenShortcut
    assert canvas in row.associatedObjects()
    assert opened not in row.associatedObjects()
    open_session.show_stage("0/0:dynamo")
    view = canvas.view if hasattr(canvas, "view") else canvas.pane.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_N)
    assert open_session.stage.id != "0/0:dynamo"
    open_session.show_stage("0/0:dynamo")
    tree = opened.dock_area.panes["pipeline"].findChild(
        type(opened.dock_area.panes["pipeline"].pane.stages.tree)
    )
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_N)
    assert open_session.stage.id == "0/0:dynamo"


def test_the_keyboard_goes_to_the_graph_when_the_first_page_goes(opened, qtbot) -> None:
    """Once what had it there was hidden it stayed in the line above the panes, where arrows and letters did nothing."""
    opened.activateWindow()
    opened.actions_by_id.run("help.start")
    opened.findChild(ResultBar).line.setFocus()
    opened.welcome.back.click()
    inside = QApplication.focusWidget()
    assert inside is not None
    assert opened.dock_area.panes["graph"].isAncestorOf(inside)


def test_f6_walks_all_panes_that_are_seen(opened, qtbot) -> None:
    opened.activateWindow()
    area = opened.dock_area
    met = []
    for _ in range(12):
        opened.actions_by_id.run("view.next_pane")
        inside = QApplication.focusWidget()
        met.append(next(name for name, pane in area.panes.items() if inside and pane.isAncestorOf(inside)))
    assert {"graph", "breaks", "source"} == set(met), "those of the workspace for breaks"
    opened.actions_by_id.run("view.previous_pane")
    inside = QApplication.focusWidget()
    assert area.panes[met[-2]].isAncestorOf(inside)


def test_a_target_pasted_into_one_field_is_split(qtbot, tmp_path) -> None:
    (tmp_path / "m.py").write_text("def f(x):\n    return x\n\n\ndef g(x):\n    return x\n")
    form = TargetForm()
    qtbot.addWidget(form)
    form.place.setText(f"{tmp_path}/m.py:f")
    assert (form.place.text(), form.name.currentText()) == (f"{tmp_path}/m.py", "f")


def test_ctrl_click_adds_as_shift_click_does(opened, open_session, qtbot) -> None:
    from app.canvas.interactions import ClickOrPan, gesture_for
    from app.canvas.scene import Hit

    canvas = opened.dock_area.panes["graph"]
    pane = canvas if hasattr(canvas, "view") else canvas.pane
    for keys in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier):
        gesture = gesture_for(
            pane.view, pane.view.rect().center(), Hit(box=object()), Qt.MouseButton.LeftButton, keys
        )
        assert isinstance(gesture, ClickOrPan)
        assert gesture._add
