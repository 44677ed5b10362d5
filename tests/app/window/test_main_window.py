from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu, QMessageBox, QTabBar, QToolButton

from app.panes.graph.key_rows import KEY_ROWS
from app.session.facade.session import Session
from app.window import questions
from app.window.command_palette import CommandPalette, ShortcutsDialog
from app.window.edit_forms.operation_dialog import EdgeChooser, OperationDialog
from app.window.main_window import MainWindow
from app.window.pane_menu import PaneMenu
from app.window.pane_table import PANES
from app.window.workspaces.dock_area import DockArea
from compiler.model.edits.edits import InsertNode, ReplaceTarget
from compiler.model.ir.ids import place
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.operators.op_candidates import OpChoice, OpChoices
from compiler.model.protocol.messages import ListOps, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.captured_window import capture_sample
from tests.helpers.dock_edges import drag_edge
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows

D = sample_capture.DYNAMO
GELU = OpChoice(
    "call_function", "torch.nn.functional.gelu", "gelu", "gelu(input)", sample_capture.args("y"), common=True
)
TANH = OpChoice("call_function", "torch.tanh", "tanh", "tanh(input)", sample_capture.args("y"))


def enabled(window: MainWindow, action: str) -> bool:
    window.actions_by_id.update()
    return window.actions_by_id.actions[action].isEnabled()


def test_the_window_begins_with_the_welcome_page(window: MainWindow) -> None:
    assert window.pages.currentWidget() is window.welcome
    assert not enabled(window, "edit.undo")
    assert not enabled(window, "file.save")
    assert enabled(window, "file.open_session")


def test_an_example_is_captured_from_the_welcome_page(window: MainWindow, engine: FakeEngine) -> None:
    button = window.welcome.findChild(object, "example_mlp")
    button.click()
    body = engine.last(MakeCapture).body
    assert body.spec.target.name == "mlp.py:MLP"
    assert body.spec.target.folder.endswith("resources/examples")
    assert body.spec.target.inputs is None


def test_a_graph_that_is_looked_at_after_an_earlier_pass_is_not_edited(
    window: MainWindow, session: Session, engine: FakeEngine, qtbot
) -> None:
    """What is selected there need not be in the graph that edits change."""
    made, stage = sample_capture.with_passes(), sample_capture.POST_GRAD
    open_capture(session, made)
    session.show_stage(stage)
    graph = made.stage(stage).graph
    call = next(node.id for node in graph.nodes if node.op.startswith("call"))
    session.selection.select(place(stage, call))
    wanted = ("edit.replace_target", "edit.arguments", "edit.remove", "edit.as_text")
    assert all(enabled(window, action) for action in wanted)
    session.passes.step(stage, -1)
    assert not any(enabled(window, action) for action in wanted)
    session.passes.leave()
    session.selection.select(place(stage, call))
    assert all(enabled(window, action) for action in wanted)


def test_a_failed_first_capture_is_reported_on_the_welcome_page(
    window: MainWindow, session: Session, engine
) -> None:
    session.capture_target(sample_capture.capture().spec)
    engine.last(MakeCapture).fail("There is no model.py.")
    assert "There is no model.py" in window.welcome.state.text()


def test_a_capture_brings_the_panes(window: MainWindow, captured) -> None:
    assert window.pages.currentWidget() is window.dock_area
    assert enabled(window, "file.save")
    assert enabled(window, "view.next_stage")
    assert not enabled(window, "edit.replace_target")
    assert "model.py:model" in window.windowTitle()


def test_actions_follow_the_selection_and_the_edits(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "z"))
    for action in (
        "edit.replace_target",
        "edit.replace_every",
        "edit.insert",
        "edit.remove",
        "edit.relu_to_gelu",
    ):
        assert enabled(window, action), action
    assert not enabled(window, "edit.remove_dropouts")
    assert not enabled(window, "edit.recompile")
    window.actions_by_id.run("edit.remove")
    assert enabled(window, "edit.undo")
    assert enabled(window, "edit.recompile")
    assert not enabled(window, "edit.relu_to_gelu")
    window.actions_by_id.run("edit.undo")
    assert enabled(window, "edit.redo")
    session.selection.select(place(D, "l_x_"))
    assert not enabled(window, "edit.remove")
    session.show_stage(sample_capture.WRAPPER)
    assert not enabled(window, "edit.insert")


def test_escape_cancels_while_the_engine_works(
    window: MainWindow, session: Session, engine, qtbot, captured
) -> None:
    session.selection.select(place(D, "z"))
    assert enabled(window, "view.clear_selection")
    assert not enabled(window, "engine.cancel")
    engine.set_state("busy", "Working")
    assert not enabled(window, "view.clear_selection")
    assert enabled(window, "engine.cancel")
    assert window.status.cancel.isVisible()
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert engine.cancelled == 1
    engine.set_state("ready", "Ready")


def test_an_operation_is_chosen_from_a_list(
    window: MainWindow, session: Session, engine, qtbot, captured
) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.replace_target")
    dialog = window.findChild(OperationDialog)
    engine.last(ListOps).reply(OpChoices("z", (TANH, GELU)))
    assert dialog.list.list.item(0).text().startswith("gelu")
    dialog.list.line.setText("tan")
    assert dialog.list.shown == (1,)
    qtbot.keyClick(dialog.list.line, Qt.Key.Key_Return)
    (edit,) = session.edits
    assert isinstance(edit, ReplaceTarget)
    assert edit.target == "torch.tanh"


def test_an_operation_is_put_on_one_edge(window: MainWindow, session: Session, engine, captured) -> None:
    session.selection.select(place(D, "y", "z"))
    window.actions_by_id.run("edit.insert")
    dialog = window.findChild(OperationDialog)
    assert engine.last(ListOps).body.behind  # what could stand there, not what y could call instead
    engine.last(ListOps).reply(OpChoices("y", (TANH,)))
    assert dialog.findChild(EdgeChooser).uses == (("z", ("args", "0")),)
    dialog.buttons.accepted.emit()
    (edit,) = session.edits
    assert isinstance(edit, InsertNode)
    assert (edit.node.id, edit.index) == ("tanh", 3)


def test_an_answer_to_a_closed_dialog_is_ignored(
    window: MainWindow, session: Session, engine, captured
) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.replace_target")
    window.findChild(OperationDialog).reject()
    engine.last(ListOps).reply(OpChoices("z", (GELU,)))
    assert session.edits == ()


def test_the_canvas_asks_for_a_menu_at_a_node(window: MainWindow, session: Session, captured) -> None:
    window.dock_area.panes["graph"].context_menu_requested.emit(place(D, "z"), QPoint(10, 10))
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
    titles = [action.text() for action in menu.actions()]
    assert "Replace target…" in titles
    assert session.selection.pinned == place(D, "z")
    menu.close()


def test_the_arrangement_is_kept_and_can_be_reset(window: MainWindow, captured) -> None:
    window.show_workspace("explore")
    area = window.dock_area
    area.docks["pipeline"].hide()
    area.docks["code"].setFloating(True)
    window.close()
    saved = QSettings().value("arrangements/explore")
    area.reset_arrangement()
    assert not area.docks["pipeline"].isHidden()
    assert not area.docks["code"].isFloating()
    area.restore_arrangement(saved)
    window.show()
    assert area.docks["pipeline"].isHidden()
    assert area.docks["code"].isFloating()
    area.reset_arrangement()


@pytest.mark.thorough
def test_panes_share_the_size_that_the_window_ends_up_with(
    window: MainWindow, session: Session, qtbot
) -> None:
    """Desktops give a window its size in steps: the first may be half of the last."""
    QSettings().remove("arrangements/explore")
    again = on_screen(qtbot, MainWindow(session, window._looks), 700, 500)
    area = again.show_panes()
    again.pages.setCurrentWidget(area)
    qtbot.wait(20)
    again.resize(1280, 800)
    qtbot.wait(50)
    assert area.docks["pipeline"].width() >= 190
    assert area.docks["source"].width() > 0.45 * 1280
    qtbot.wait(600)
    drag_edge(area, area.docks["pipeline"], QPoint(300 - area.docks["pipeline"].width(), 0), qtbot)
    again.resize(1300, 800)
    qtbot.wait(20)
    assert abs(area.docks["pipeline"].width() - 300) < 12, "what was dragged stays"
    again.close()


@pytest.mark.thorough
def test_a_restored_arrangement_leaves_no_tab_bars_of_before(
    window: MainWindow, session: Session, qtbot, area: DockArea
) -> None:
    """The panes are arranged while the welcome page is shown; what Qt made then must not stay over the panes."""
    QSettings().setValue("arrangements/explore", area.save_arrangement())
    again = on_screen(qtbot, MainWindow(session, window._looks))
    area = again.show_panes()
    again.pages.setCurrentWidget(again.welcome)
    qtbot.wait(20)
    again.pages.setCurrentWidget(area)
    qtbot.wait(20)
    bars = [bar for bar in area.findChildren(QTabBar) if bar.parent() is area and bar.isVisible()]
    titles = [bar.tabText(index) for bar in bars for index in range(bar.count())]
    assert len(titles) == len(set(titles)), titles
    again.close()


def test_the_timings_pane_is_made_when_first_shown(
    window: MainWindow, session: Session, engine, qtbot
) -> None:
    assert window.dock_area.panes["timings"].pane is None
    capture_sample(window, session, qtbot)
    assert window.dock_area.panes["timings"].pane is None
    window.dock_area.show_pane("timings")
    qtbot.waitUntil(lambda: window.dock_area.panes["timings"].pane is not None)


def test_panes_fit_a_small_window(window: MainWindow, qtbot, captured) -> None:
    window.resize(1100, 700)
    window.reset_arrangement()
    qtbot.wait(20)
    assert window.dock_area.panes["graph"].width() >= 250
    assert window.dock_area.width() <= 1100
    for name, dock in window.dock_area.docks.items():
        if not dock.visibleRegion().isEmpty():
            assert dock.geometry().right() <= 1100, name


def test_the_palette_lists_every_action_and_runs_one(
    window: MainWindow, session: Session, qtbot, captured
) -> None:
    window.show_palette()
    palette = window.findChild(CommandPalette)
    assert len(palette.list.shown) == len(window.actions_by_id.rows) - 1 + len(window.show_panes().panes) - 1
    palette.list.line.setText("next stage")
    assert len(palette.list.shown) == 1
    before = session.stage
    qtbot.keyClick(palette.list.line, Qt.Key.Key_Return)
    assert session.stage is not before


def test_a_pane_that_is_not_open_at_first_comes_by_its_name(window: MainWindow, qtbot, captured) -> None:
    area = window.show_panes()
    assert area.docks["patterns"].isHidden()
    assert not area.docks["breaks"].isHidden()
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.list.line.setText("pane: patterns")
    qtbot.keyClick(palette.list.line, Qt.Key.Key_Return)
    assert not area.docks["patterns"].isHidden()
    assert {row.id for row in PANES} == set(area.panes)


def test_every_pane_says_what_it_is_for(window: MainWindow) -> None:
    actions = window.findChild(PaneMenu).actions()
    pages = [row for row in PANES if row.family]
    assert len(actions) == len(window.show_panes().docks) + len(pages)
    assert all(len(action.toolTip()) > len(action.text()) + 5 for action in actions)


def _keys_listed(dialog: ShortcutsDialog) -> list[str]:
    return [row.text(0) for group in seen_rows(dialog.table) for row in group.children()]


def test_shortcuts_are_listed_and_never_clash(window: MainWindow) -> None:
    dialog = ShortcutsDialog(window)
    keys = [row.shortcut for row in window.actions_by_id.rows.values() if row.shortcut]
    rows = _keys_listed(dialog)
    assert len(rows) == len(keys) + len(KEY_ROWS)
    assert sorted(keys) == sorted([*set(keys), "Esc"])
    dialog.table.field.setText("larger ctrl+=")
    assert _keys_listed(dialog) == ["Larger text"]
    dialog.table.field.setText("no such key")
    assert not seen_rows(dialog.table)
    dialog.table.field.clear()
    assert _keys_listed(dialog) == rows
    dialog.deleteLater()


def test_unsaved_edits_are_asked_about(window: MainWindow, session: Session, monkeypatch, captured) -> None:
    session.make_edit(ReplaceTarget(D, "z", "call_function", "torch.tanh", sample_capture.args("y")))
    monkeypatch.setattr(questions, "before_losing_edits", lambda _parent: "cancel")
    window.close()
    assert window.isVisible()
    monkeypatch.setattr(questions, "before_losing_edits", lambda _parent: "discard")
    window.close()
    assert not window.isVisible()


def test_saving_before_closing(
    window: MainWindow, session: Session, monkeypatch, tmp_path: Path, captured
) -> None:
    session.make_edit(ReplaceTarget(D, "z", "call_function", "torch.tanh", sample_capture.args("y")))
    monkeypatch.setattr(questions, "before_losing_edits", lambda _parent: "save")
    monkeypatch.setattr(questions, "file_to_save", lambda _parent, _proposed: tmp_path / "a.loupe")
    window.close()
    assert not window.isVisible()
    assert (tmp_path / "a.loupe").is_file()


def test_sharing_a_page(
    window: MainWindow, session: Session, engine, qtbot, monkeypatch, tmp_path: Path
) -> None:
    assert session.capture is None
    window.share_page()  # nothing is there to share, and nothing is asked
    capture_sample(window, session, qtbot)
    page = tmp_path / "page.html"
    monkeypatch.setattr(questions, "file_for_page", lambda _parent: page)
    monkeypatch.setattr(questions, "what_to_share", lambda _parent: None)
    window.actions_by_id.run("file.share")
    monkeypatch.setattr(questions, "what_to_share", lambda _parent: True)
    reported: list[str] = []
    session.problem_reported.connect(lambda problem: reported.append(problem.what))
    window.actions_by_id.run("file.share")
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [
        f"Written: page.html, the capture without its code ({describe_bytes(page.stat().st_size)})."
    ]


def test_what_is_asked_before_a_page_is_shared(window: MainWindow, monkeypatch, tmp_path: Path) -> None:
    for label, hidden in (("With code…", False), ("Without code…", True), ("Cancel", None)):

        def press(box: QMessageBox, label: str = label) -> None:
            next(button for button in box.buttons() if button.text().replace("&", "") == label).click()

        monkeypatch.setattr(QMessageBox, "exec", press)
        assert questions.what_to_share(window) is hidden
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "shared"), ""))
    assert questions.file_for_page(window) == tmp_path / "shared.html"
    assert questions.file_for_graph(window, "") == tmp_path / "shared.graphml", "no kind was told"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert questions.file_for_page(window) is None


@pytest.mark.thorough
def test_the_looks(window: MainWindow) -> None:
    window.actions_by_id.run("view.dark")
    assert window.look == "dark"
    assert window.actions_by_id.rows["view.dark"].checked is not None
    window.actions_by_id.run("view.light")
    window.actions_by_id.update()
    assert window.actions_by_id.actions["view.light"].isChecked()
    assert not window.actions_by_id.actions["view.dark"].isChecked()


def test_dialogs_are_gone_when_closed(window: MainWindow, qtbot) -> None:
    window.actions_by_id.run("file.open_model")
    (dialog,) = [child for child in window.findChildren(QDialog) if child.isVisible()]
    dialog.reject()
    qtbot.wait(20)
    assert not window.findChildren(QDialog)


def test_a_workspace_chosen_on_the_start_page_is_seen(window: MainWindow, captured) -> None:
    for choose in (
        window.findChild(QToolButton, "workspace_breaks").click,
        lambda: window.actions_by_id.run("view.workspace_performance"),
    ):
        window.show_start()
        choose()
        assert window.pages.currentWidget() is window.dock_area
