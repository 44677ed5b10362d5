"""The compare pane: two drawings in one or side by side, the programs beside, all linked, and the ways that lead here."""

import threading
import time

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.canvas.scene import to_qt
from app.panes.changes_pane import ChangesPane
from app.panes.compare_pane import ComparePane
from app.panes.graph.pass_bar import PassBar
from app.panes.history_pane import HistoryPane
from app.panes.pipeline_pane import PipelinePane
from app.panes.pipeline_pane.compare_menu import fill_menu
from app.session.comparison.sides import Side
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.edits.edits import BypassNode, ReplaceTarget
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NOWHERE, place
from compiler.model.ir.stage import FxStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from tests.app.panes.conftest import call, output, placeholder
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_content
from tests.helpers.opened_capture import open_capture

DYNAMO = "0/0:dynamo"
GELU = "torch.nn.functional.gelu"


def with_graph(capture, capture_id, graph):
    """The capture with another Dynamo graph."""
    made = with_content(capture, DYNAMO, lambda _: FxStage(graph))
    return msgspec.structs.replace(made, id=capture_id, parent=capture.id)


@pytest.fixture
def edited(shown, engine, capture):
    """relu became gelu: compiled."""
    graph = capture.stage(DYNAMO).graph
    shown.make_edit(ReplaceTarget(DYNAMO, "relu", "call_function", GELU, graph.node("relu").args))
    shown.recompile()
    nodes = tuple(
        msgspec.structs.replace(node, target=GELU) if node.id == "relu" else node for node in graph.nodes
    )
    engine.last(Recompile).reply(Recompiled(with_graph(capture, "capture-2", Graph(nodes)), None))
    return shown


@pytest.fixture
def pane(edited, put, qtbot):
    made = ComparePane(edited)
    put(made, 1100, 600)
    qtbot.waitUntil(made.is_idle)
    return made


def ask(pane, qtbot, before, after):
    with qtbot.waitSignal(pane._comparison.changed):
        pane._comparison.choose(before, after)
    qtbot.waitUntil(pane.is_idle)


def long_graph(target: str) -> Graph:
    """Sixty calls in a chain, one of which is another one."""
    nodes = [placeholder("x")]
    for number in range(60):
        nodes.append(call(f"n{number}", target if number == 40 else "torch.sin", nodes[-1].id, at=16))
    return Graph((*nodes, output(nodes[-1].id)))


@pytest.fixture
def long_pane(shown, engine, capture, put, qtbot):
    root = with_graph(capture, "capture-1", long_graph("torch.cos"))
    shown.capture_target(root.spec)
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(root, parent="")))
    shown.make_edit(
        ReplaceTarget(DYNAMO, "n40", "call_function", "torch.tan", root.stage(DYNAMO).graph.node("n40").args)
    )
    shown.recompile()
    engine.last(Recompile).reply(Recompiled(with_graph(root, "capture-9", long_graph("torch.tan")), None))
    shown.show_stage(DYNAMO)
    made = ComparePane(shown)
    put(made, 1100, 600)
    qtbot.waitUntil(made.is_idle)
    return made


def test_it_opens_with_the_stage_in_front_beside_itself_before_the_edit(pane) -> None:
    assert pane.words.text() == "1 changed (1 with another call) · 5 equal"
    assert pane.around.text().startswith("Captures: ")
    assert (pane.before.source.currentText(), pane.after.source.currentText()) == (
        "As captured",
        "relu: call " + GELU,
    )
    titles = {box.title for box in pane.drawing.merged.scene_data.layout.boxes}
    assert "relu → gelu" in titles
    item = pane.drawing.merged.item
    states = {box.id: item.state_of(box) for box in pane.drawing.merged.scene_data.layout.boxes}
    assert [name for name, state in states.items() if state] == ["relu"]


def test_a_click_on_a_line_selects_the_node_here_and_everywhere(pane, edited, qtbot) -> None:
    row = next(
        row
        for row in range(pane.text.rows.rowCount())
        if pane.text.rows.nodes(pane.text.rows.line(row)) == ("relu",)
    )
    location = pane.text.list.visualRect(pane.text.rows.index(row)).center()
    qtbot.mouseClick(pane.text.list.viewport(), Qt.MouseButton.LeftButton, pos=location)
    assert edited.selection.pinned == place(DYNAMO, "relu")
    assert pane.drawing.merged.item.marks.nodes.pinned == {"relu"}
    edited.selection.select(place(DYNAMO, "linear"))
    assert pane.selected == {"linear"}
    assert pane.text.delegate.pinned == {"linear"}
    edited.selection.select(NOWHERE)
    assert pane.selected == frozenset()


def test_a_click_on_a_box_finds_its_line(pane, edited, qtbot) -> None:
    view = pane.drawing.merged
    rect = view.rect_in_view(to_qt(view.scene_data.rect_of("relu")))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
    assert edited.selection.pinned == place(DYNAMO, "relu")
    current = pane.text.list.currentIndex().row()
    assert pane.text.rows.nodes(pane.text.rows.line(current)) == ("relu",)
    assert "calls torch.relu → torch.nn.functional.gelu" in view.item.tip(
        view.hit_at(rect.center().toPoint())
    )


@pytest.mark.parametrize("key", [Qt.Key.Key_N, Qt.Key.Key_F3])
def test_keys_walk_the_differences(pane, qtbot, key) -> None:
    assert pane.count.text() == "1 place"
    qtbot.keyClick(pane.text.list, key)
    assert pane.selected == {"relu"}
    assert pane.count.text() == "1 of 1"
    qtbot.keyClick(pane.drawing.merged, key, Qt.KeyboardModifier.ShiftModifier)
    assert pane.selected == {"relu"}


def test_two_drawings_show_what_is_equal_at_the_same_place_and_move_together(pane, qtbot) -> None:
    pane.two.setChecked(True)
    before, after = pane.drawing.before, pane.drawing.after
    titles = [{box.id: box.title for box in view.scene_data.layout.boxes} for view in (before, after)]
    assert (titles[0]["relu"], titles[1]["relu"]) == ("relu", "gelu")
    for node in ("x", "linear", "relu", "output"):
        assert before.scene_data.rect_of(node) == after.scene_data.rect_of(node)
    after.zoom_by(0.7)
    after.pan_by(QPoint(13, 17))
    assert before.zoom == after.zoom
    assert (before.center() - after.center()).manhattanLength() < 3 / after.zoom


def test_what_is_gone_is_in_the_merged_drawing_and_in_its_own_only(pane, qtbot, shown) -> None:
    shown.make_edit(BypassNode(DYNAMO, "relu", "linear"))
    state = shown.comparison.choices.source_of_state(shown.states.tree.current)
    ask(pane, qtbot, Side("capture-2", DYNAMO), Side(state, DYNAMO))
    assert pane.words.text() == "1 removed, 1 rewired · 4 equal"
    where = [view.scene_data.layout.where for view in pane.drawing.views]
    assert ["relu" in places for places in where] == [True, True, False]
    pairs = [
        {pair for edge in view.scene_data.layout.edges for pair in edge.nodes} for view in pane.drawing.views
    ]
    assert ("linear", "output") in pairs[0] & pairs[2]
    assert ("linear", "output") not in pairs[1]
    assert ("relu", "output") not in pairs[2]


def test_equal_stretches_unfold_with_a_click(long_pane, qtbot) -> None:
    view = long_pane.drawing.merged
    folded = [box.title for box in view.scene_data.layout.boxes if box.title.startswith("…")]
    assert folded == ["… 39 equal nodes", "… 18 equal nodes"]
    stretch = next(box for box in view.scene_data.layout.boxes if box.title == folded[0])
    view.show_readably(to_qt(stretch.rect))
    qtbot.waitUntil(long_pane.is_idle)
    location = view.rect_in_view(to_qt(stretch.rect)).center().toPoint()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=location)
    qtbot.waitUntil(long_pane.is_idle)
    assert "n3" in view.scene_data.layout.where
    lines = long_pane.text.rows
    stretch = next(row for row in range(lines.rowCount()) if lines.line(row).hidden)
    count = lines.rowCount()
    long_pane.text.list.clicked.emit(lines.index(stretch))
    assert lines.rowCount() > count + 10
    long_pane.fold.setChecked(False)
    qtbot.waitUntil(long_pane.is_idle)
    assert len(view.scene_data.layout.boxes) == 62
    assert not any(lines.line(row).hidden for row in range(lines.rowCount()))


def test_a_node_that_is_folded_away_is_marked_on_its_stretch(long_pane, qtbot) -> None:
    long_pane._session.selection.select(place(DYNAMO, "n5"))
    (marked,) = long_pane.drawing.merged.item.marks.pinned
    assert marked.startswith("… ")


def test_text_is_compared_without_a_drawing(pane, qtbot) -> None:
    wrapper = "0/0:forward:wrapper"
    ask(pane, qtbot, Side("capture-1", wrapper), Side("capture-2", wrapper))
    assert pane.words.text().startswith("No difference")
    assert pane.drawing.isHidden()
    assert not pane.text.isHidden()


def test_a_narrow_pane_has_one_column(pane, qtbot) -> None:
    pane.drawing.hide()
    pane.resize(1200, 600)
    qtbot.waitUntil(lambda: not pane.text.rows.stacked)
    count = pane.text.rows.rowCount()
    pane.resize(420, 600)
    qtbot.waitUntil(lambda: pane.text.rows.stacked)
    assert pane.text.rows.rowCount() == count + 1
    sides = [pane.text.rows.line(row).side for row in range(pane.text.rows.rowCount())]
    assert sides.count("before") == 1
    pane.text.list.viewport().grab()


def test_choosing_asks_again_and_sides_can_be_exchanged(pane, qtbot) -> None:
    with qtbot.waitSignal(pane._comparison.changed):
        pane.swap.click()
    assert pane._comparison.sides == (Side("capture-2", DYNAMO), Side("capture-1", DYNAMO))
    index = pane.after.stage.findData("0/0:joint")
    with qtbot.waitSignal(pane._comparison.changed):
        pane.after.stage.activated.emit(index)
    assert pane._comparison.sides[1] == Side("capture-1", "0/0:joint")
    with qtbot.waitSignal(pane._comparison.changed):
        pane.after.source.activated.emit(pane.after.source.findData("capture-2"))
    assert pane._comparison.sides[1] == Side("capture-2", "0/0:joint")


def test_without_a_program_it_says_what_is_here(session, put) -> None:
    made = ComparePane(session)
    put(made)
    assert made.empty.headline.text() == "Nothing compared yet"
    assert "once a program is captured" in made.empty.text.text()


# -- the ways that lead here -------------------------------------------------------------------------------------


def shown_sides(session):
    return session.comparison.sides


def test_from_the_menu_of_a_stage(edited, put) -> None:
    pipeline = PipelinePane(edited)
    put(pipeline)
    menu = QMenu()
    fill_menu(menu, edited, DYNAMO)
    next(action for action in menu.actions() if action.text() == "Compare with…").trigger()
    assert shown_sides(edited) == (Side("capture-1", DYNAMO), Side("capture-2", DYNAMO))
    others = next(action.menu() for action in menu.actions() if action.menu() is not None)
    titles = [action.text() for action in others.actions()]
    assert "1/0 Dynamo graph" in titles
    assert "As captured" in titles
    others.actions()[titles.index("1/0 Dynamo graph")].trigger()
    assert shown_sides(edited)[0] == Side("capture-2", "1/0:dynamo")
    menu.deleteLater()


def test_from_two_states_of_the_history(edited, put, qtbot) -> None:
    history = HistoryPane(edited)
    put(history, 900, 500)
    history.comparison.show_states("", "s1")
    with qtbot.waitSignal(edited.comparison.wanted):
        history.comparison.graphs.click()
    assert shown_sides(edited) == (Side("capture-1", DYNAMO), Side("capture-2", DYNAMO))


def test_from_the_pass_bar(shown, engine, put, qtbot) -> None:
    made = sample_capture.with_passes()
    open_capture(shown, made)
    bar = PassBar(shown)
    put(bar)
    bar.show_stage(sample_capture.POST_GRAD)
    shown.passes.go_to(sample_capture.POST_GRAD, 3)
    bar.compare.click()
    assert [side.position for side in shown_sides(shown)] == [2, 3]


def test_from_the_changes_of_a_file(shown, engine, capture, put, qtbot) -> None:
    changes = ChangesPane(shown)
    put(changes)
    shown.capture_again()
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, id="capture-5")))
    with qtbot.waitSignal(shown.comparison.changed):
        changes.graphs.click()
    before, after = shown_sides(shown)
    assert shown.comparison.choices.source(before.source).title == "The capture before"
    assert after == Side("capture-5", DYNAMO)
    assert shown.comparison.result.match.same


def test_from_two_compiles(shown) -> None:
    shown.comparison.show_compiles("0/0", "1/0")
    assert shown_sides(shown) == (Side("capture-1", DYNAMO), Side("capture-1", "1/0:dynamo"))
    shown.comparison.show_compiles("0/0", "nope")
    assert shown_sides(shown)[1].stage == "1/0:dynamo"


def test_every_button_has_a_name(pane) -> None:
    for widget in pane.findChildren(QWidget):
        if type(widget).__name__ in ("QToolButton", "QComboBox") and widget.isVisible():
            assert widget.accessibleName()


def test_escape_stops_a_comparison_and_says_so(pane, qtbot, monkeypatch) -> None:
    going = threading.Event()
    monkeypatch.setattr(
        "app.session.comparison.comparison.compare", lambda asked, cancel_token: _slowly(cancel_token, going)
    )
    comparison = pane._comparison
    comparison.choose(*comparison.sides)
    qtbot.waitUntil(pane.waiting.isVisible)
    assert pane.waiting.text() == "Comparing: counting… · Esc stops"
    qtbot.keyClick(pane.text.list, Qt.Key.Key_Escape)
    assert not comparison.busy
    assert pane.empty.text.text() == "Stopped."
    assert not pane.waiting.isVisible()
    qtbot.waitUntil(going.is_set)


def _slowly(cancel_token, ended):
    try:
        while True:
            cancel_token.go_on("counting")
            time.sleep(0.005)
    finally:
        ended.set()


def test_n_is_the_next_difference_here_and_the_next_stage_elsewhere(edited, qtbot) -> None:
    edited.undo_stack.setClean()
    window = MainWindow(edited, ThemeChoice(QApplication.instance()))
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    edited.capture_changed.emit()
    qtbot.waitUntil(window.show_panes().isVisible)
    with qtbot.waitSignal(edited.comparison.changed):
        window.actions_by_id.run("view.compare")
    dock = window.show_panes().dock_of("compare")
    made = dock.findChild(ComparePane)
    qtbot.waitUntil(made.is_idle)
    assert dock.height() > 0.45 * window.show_panes().height()
    front = edited.stage.id
    made.text.list.setFocus()
    qtbot.keyClick(made.text.list, Qt.Key.Key_N)
    assert (made.selected, edited.stage.id) == ({"relu"}, front)
    window.close()


def test_a_pane_that_nobody_sees_compares_when_it_is_seen(pane, edited, qtbot) -> None:
    pane.hide()
    edited.show_capture("capture-1")
    assert not edited.comparison.busy
    with qtbot.waitSignal(edited.comparison.changed):
        pane.show()
    qtbot.waitUntil(pane.is_idle)
    assert pane.words.text().startswith("1 changed")
