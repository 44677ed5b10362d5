import threading

from PySide6.QtWidgets import QMenu

from app.session.facade.session import Session
from app.window.edit_forms.transform_dialog import TransformDialog
from app.window.main_window import MainWindow
from compiler.model.edits.edits import EditGroup, apply_edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.protocol.messages import Preview, PreviewEdits
from tests.app.window.test_main_window import enabled
from tests.helpers import sample_capture
from tests.helpers.captured_window import capture_sample

D = sample_capture.DYNAMO


def test_a_transform_is_looked_into_and_made(window: MainWindow, session: Session, engine, qtbot) -> None:
    assert not enabled(window, "transform.relus_to_gelus")
    capture_sample(window, session, qtbot)
    window.actions_by_id.run("transform.relus_to_gelus")
    dialog = window.findChild(TransformDialog)
    assert dialog.list.count() == 1
    assert "gelu" in dialog.list.item(0).text()
    dialog.list.setCurrentRow(0)
    assert session.selection.hovered_in(D) == {"z"}
    engine.last(PreviewEdits).reply(Preview((), (Problem("z does not work after this edit."),)))
    assert "does not work" in dialog.state.text()
    dialog.apply_button.click()
    (group,) = session.edits
    assert isinstance(group, EditGroup)
    assert session.selection.hovered == NOWHERE


def test_a_large_graph_is_looked_through_in_another_thread(
    window: MainWindow, session: Session, qtbot, monkeypatch, captured
) -> None:
    monkeypatch.setattr("app.window.edit_forms.transform_dialog.LARGE", 1)
    go_on, threads = threading.Event(), []

    def held(graph: Graph, edit: EditGroup) -> object:
        threads.append(threading.current_thread() is threading.main_thread())
        assert go_on.wait(20)
        return apply_edit(graph, edit)

    monkeypatch.setattr("app.window.edit_forms.transform_dialog.apply_edit", held)
    window.actions_by_id.run("transform.relus_to_gelus")
    dialog = window.findChild(TransformDialog)
    try:
        qtbot.waitUntil(lambda: "Looking" in dialog.state.text(), timeout=20_000)
        assert not dialog.apply_button.isEnabled()
    finally:
        go_on.set()
    qtbot.waitUntil(dialog.apply_button.isEnabled, timeout=20_000)
    assert threads == [False]
    graph = session.stage_with_edits(D).graph
    dialog.apply_button.click()
    assert session.stage_with_edits(D).graph is apply_edit(graph, dialog.group)[0], "it was known"
    session.undo()
    assert session.stage_with_edits(D).graph is graph


def test_where_there_is_nothing_to_do_it_is_said(window: MainWindow, captured) -> None:
    window.actions_by_id.run("transform.remove_dropouts")
    dialog = window.findChild(TransformDialog)
    assert "no dropout" in dialog.state.text()
    assert not dialog.apply_button.isEnabled()
    dialog.reject()


def test_only_what_is_selected(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "y", "z"))
    window.actions_by_id.run("transform.probe_nan")
    dialog = window.findChild(TransformDialog)
    assert dialog.only.isChecked()
    assert dialog.list.count() == 2
    dialog.only.setChecked(False)
    assert dialog.list.count() == 3
    dialog.reject()
    assert session.edits == ()


def test_the_menu_offers_only_what_finds_something(window: MainWindow, qtbot, captured) -> None:
    """What finds nothing was offered, and its dialog said so only then."""
    menu = window.findChild(QMenu, "menu_transform")
    menu.aboutToShow.emit()
    qtbot.waitUntil(lambda: not window.actions_by_id.matches.looking)
    actions = window.actions_by_id.actions
    assert actions["transform.relus_to_gelus"].isEnabled()
    assert not actions["transform.remove_dropouts"].isEnabled()
    assert "no dropout" in actions["transform.remove_dropouts"].toolTip()
    assert actions["transform.cast_region"].isEnabled()  # of what is selected
    window.actions_by_id.update()
    assert not actions["transform.remove_dropouts"].isEnabled(), "as long as this graph is in front"
    tip = actions["transform.remove_dropouts"].toolTip()
    window.actions_by_id.update()
    assert actions["transform.remove_dropouts"].toolTip() == tip
