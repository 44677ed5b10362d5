"""The graph pane, driven by mouse and keys; questions are asked of the scene and of the session."""

import msgspec
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt, QThreadPool
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from app.canvas import layout_job
from app.canvas.first_sight import FIT_ZOOM
from app.graph_layout.arrange import prepare
from app.graph_layout.geometry import LayoutCancelledError
from app.panes.graph.graph_pane import GraphPane
from app.panes.graph.inherited_roles import with_inherited_roles
from app.theme import current
from app.theme.colors import DARK, LIGHT
from compiler.model.diagrams.diagrams import diagram
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import NOWHERE, place
from tests.app.panes.graph.conftest import layered_graph, settle
from tests.helpers.node_rect import node_rect
from tests.helpers.transformer_graph import joint_graph

DYNAMO = "0/0:dynamo"
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_shows_boxes_for_operations_and_ports_for_parameters(pane):
    assert [box.id for box in pane.view.scene_data.layout.boxes] == ["x", "linear", "relu", "output"]
    linear = pane.view.scene_data.boxes["linear"]
    assert [chip.label for chip, _ in linear.chips] == ["weight", "bias"]
    assert pane.toolbar.title.text() == "Dynamo graph"


def test_what_has_no_boxes_is_read_in_their_place_and_linked(pane, shown, qtbot):
    source = next(stage for stage in shown.capture.stages if stage.id.startswith("source:"))
    height = pane.toolbar.height()
    shown.show_stage(source.id)
    settle(qtbot, pane)
    assert pane.text.isVisible()
    assert not pane.view.isVisible()
    assert pane.toolbar.title.text() == source.title
    assert pane.toolbar.height() == height
    assert not any(button.isVisible() for button in pane.toolbar.buttons)
    pane.text.click_line(13, Qt.KeyboardModifier.NoModifier)
    assert shown.selection.pinned == place(source.id, "L13")
    shown.show_stage(DYNAMO)
    settle(qtbot, pane)
    assert pane.view.isVisible()
    assert pane.toolbar.color_button.isVisible()
    assert pane.text.shown is None


def test_all_nodes_are_in_view_and_readable_at_first(pane):
    view = pane.view.viewport().rect()
    for node in ("x", "weight", "linear", "relu", "output"):
        assert view.contains(node_rect(pane, node).toRect())
    assert 0.7 <= pane.view.zoom <= FIT_ZOOM
    assert node_rect(pane, "nowhere") is None


def test_click_selects_and_shift_adds(pane, click, shown):
    click(pane, "linear")
    assert shown.selection.pinned == place(DYNAMO, "linear")
    click(pane, "relu", SHIFT)
    assert shown.selection.pinned == place(DYNAMO, "linear", "relu")
    click(pane, "linear", SHIFT)
    assert shown.selection.pinned == place(DYNAMO, "relu")


def test_a_port_can_be_selected(pane, click, shown):
    click(pane, "weight")
    assert shown.selection.pinned == place(DYNAMO, "weight")


def test_click_on_empty_canvas_and_escape_clear(pane, click, shown, qtbot):
    click(pane, "linear")
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert shown.selection.pinned == NOWHERE
    click(pane, "linear")
    qtbot.keyClick(pane.view, Qt.Key.Key_Escape)
    assert shown.selection.pinned == NOWHERE


def test_arrow_keys_walk_along_the_graph(pane, click, shown, qtbot):
    click(pane, "linear")
    qtbot.keyClick(pane.view, Qt.Key.Key_Down)
    assert shown.selection.pinned == place(DYNAMO, "relu")
    qtbot.keyClick(pane.view, Qt.Key.Key_Up)
    qtbot.keyClick(pane.view, Qt.Key.Key_Up)
    assert shown.selection.pinned == place(DYNAMO, "x")


def test_i_and_o_extend_to_inputs_and_outputs(pane, click, shown, qtbot):
    click(pane, "linear")
    qtbot.keyClick(pane.view, Qt.Key.Key_O)
    assert shown.selection.pinned == place(DYNAMO, "linear", "relu")
    click(pane, "linear")
    qtbot.keyClick(pane.view, Qt.Key.Key_I)
    assert shown.selection.pinned == place(DYNAMO, "linear", "x")


def test_rubber_band_selects_what_it_touches(pane, shown, qtbot):
    viewport = pane.view.viewport()
    first, last = node_rect(pane, "linear"), node_rect(pane, "relu")
    start = QPoint(20, round(first.top() + 2))
    end = QPoint(viewport.width() - 20, round(last.bottom() - 2))
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, SHIFT, start)
    qtbot.mouseMove(viewport, end)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, SHIFT, end)
    assert shown.selection.pinned == place(DYNAMO, "linear", "relu")


def test_dragging_pans_and_selects_nothing(pane, shown, qtbot):
    pane.view.zoom_by(2)
    before = node_rect(pane, "linear").topLeft()
    viewport = pane.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    qtbot.mouseMove(viewport, QPoint(320, 340))
    qtbot.mouseMove(viewport, QPoint(330, 360))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(330, 360))
    moved = node_rect(pane, "linear").topLeft() - before
    assert (round(moved.x()), round(moved.y())) == (30, 60)
    assert shown.selection.pinned == NOWHERE


def test_hovering_previews_and_leaving_ends_it(pane, shown, qtbot):
    qtbot.mouseMove(pane.view.viewport(), node_rect(pane, "relu").center().toPoint())
    assert shown.selection.hovered == place(DYNAMO, "relu")
    assert pane.view.item.marks.hovered == {"relu"}
    qtbot.mouseMove(pane.view.viewport(), QPoint(3, 3))
    assert shown.selection.hovered == NOWHERE


def test_selection_elsewhere_marks_counterparts_here(pane, shown):
    shown.selection.select(place("0/0:joint", "relu_1"), None)
    assert pane.view.item.marks.pinned == {"relu"}
    assert "relu" in pane.view.accessibleDescription()


def test_selection_elsewhere_scrolls_here_only_if_needed(pane, shown, qtbot):
    pane.view.zoom_by(4)
    pane.view.centerOn(pane.view.scene_data.boxes["x"].rect.x, -500)
    shown.selection.select(place("0/0:joint", "relu_1"), None)
    settle(qtbot, pane)
    assert pane.view.viewport().rect().contains(node_rect(pane, "relu").toRect())
    resting = pane.view.center()
    shown.selection.select(place("0/0:joint", "relu_1", "addmm"), None)
    settle(qtbot, pane)
    assert pane.view.center() == resting


def test_wheel_zooms_with_ctrl_around_the_mouse(pane):
    location = node_rect(pane, "linear").center()
    before, zoom = pane.view.mapToScene(location.toPoint()), pane.view.zoom
    keys, buttons = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.NoButton
    event = QWheelEvent(
        location, location, QPoint(), QPoint(0, 240), buttons, keys, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(pane.view.viewport(), event)
    assert pane.view.zoom > zoom * 1.3
    after = pane.view.mapToScene(location.toPoint())
    assert (after - before).manhattanLength() < 4


def test_keys_zoom_and_fit(pane, qtbot):
    zoom = pane.view.zoom
    qtbot.keyClick(pane.view, Qt.Key.Key_Plus)
    assert pane.view.zoom > zoom
    qtbot.keyClick(pane.view, Qt.Key.Key_Minus)
    qtbot.keyClick(pane.view, Qt.Key.Key_Minus)
    assert pane.view.zoom < zoom
    qtbot.keyClick(pane.view, Qt.Key.Key_Space)
    assert pane.view.zoom <= FIT_ZOOM


def test_search_counts_and_walks_matches(pane, shown, qtbot):
    qtbot.keyClick(pane.view, Qt.Key.Key_Slash)
    assert not pane.search.isHidden()
    qtbot.keyClicks(pane.search.field, "li")
    assert pane.search.count.text() == "1 match"
    assert pane.view.item.marks.found == {"linear"}
    qtbot.keyClick(pane.search.field, Qt.Key.Key_Return)
    assert pane.search.count.text() == "1 of 1"
    assert shown.selection.pinned == place(DYNAMO, "linear")
    qtbot.keyClick(pane.search.field, Qt.Key.Key_Escape)
    assert pane.search.isHidden()
    assert pane.view.item.marks.found == frozenset()


def test_modules_open_and_collapse_in_place(make_pane, show_graph, click, qtbot):
    pane = make_pane(show_graph(layered_graph(3, 4)))
    assert len(pane.view.scene_data.layout.frames) == 4
    pane.open_levels(1)
    settle(qtbot, pane)
    boxes = {box.id for box in pane.view.scene_data.layout.boxes}
    assert boxes == {"x", "output", "layers.0", "layers.1", "layers.2"}
    before = node_rect(pane, "layers.1").topLeft()
    click(pane, "layers.1", double=True)
    settle(qtbot, pane)
    frame = next(frame for frame in pane.view.scene_data.layout.frames if frame.id == "layers.1")
    now = pane.view.viewportTransform().map(QPointF(frame.rect.x, frame.rect.y))
    assert (now - before).manhattanLength() < 3
    assert {box.id for box in pane.view.scene_data.layout.boxes} >= {
        "relu_1_0",
        "relu_1_3",
        "layers.0",
        "layers.2",
    }


def test_keys_open_and_collapse_modules(make_pane, show_graph, click, qtbot):
    session = show_graph(layered_graph(2, 3))
    pane = make_pane(session)
    pane.open_levels(1)
    settle(qtbot, pane)
    click(pane, "layers.0")
    assert session.selection.pinned == place(DYNAMO, "relu_0_0", "relu_0_1", "relu_0_2")
    qtbot.keyClick(pane.view, Qt.Key.Key_Return)
    settle(qtbot, pane)
    assert "relu_0_1" in {box.id for box in pane.view.scene_data.layout.boxes}
    click(pane, "relu_0_1")
    qtbot.keyClick(pane.view, Qt.Key.Key_Backspace)
    settle(qtbot, pane)
    assert "layers.0" in {box.id for box in pane.view.scene_data.layout.boxes}


def test_large_graphs_open_collapsed(make_pane, show_graph, monkeypatch):
    monkeypatch.setattr(layout_job, "MOST_BOXES", 30)
    pane = make_pane(show_graph(layered_graph(12, 10)))
    assert {box.id for box in pane.view.scene_data.layout.boxes if box.node is None} == {"layers.1…11"}
    assert {frame.id for frame in pane.view.scene_data.layout.frames} == {"layers", "layers.0"}
    assert node_rect(pane, "relu_3_4") == node_rect(pane, "layers.1…11")


def test_a_box_of_equal_modules_opens_its_first_and_closes_again(make_pane, show_graph, click, qtbot):
    pane = make_pane(show_graph(layered_graph(12, 4)))
    pane.open_levels(1)
    settle(qtbot, pane)
    assert {box.title for box in pane.view.scene_data.layout.boxes if box.node is None} == {"layers.0–11"}
    click(pane, "layers.0…11", double=True)
    settle(qtbot, pane)
    assert {"layers.1…11", "relu_0_3"} <= {box.id for box in pane.view.scene_data.layout.boxes}
    click(pane, "layers.1…11", double=True)
    settle(qtbot, pane)
    assert {"layers.2…11", "relu_0_3", "relu_1_0"} <= {box.id for box in pane.view.scene_data.layout.boxes}
    pane.toggle_module("layers.0")
    settle(qtbot, pane)
    assert {"layers.0", "layers.2…11", "relu_1_0"} <= {box.id for box in pane.view.scene_data.layout.boxes}
    pane.toggle_module("layers.1")
    settle(qtbot, pane)
    boxes = {box.id: box for box in pane.view.scene_data.layout.boxes}
    assert set(boxes) == {"x", "layers.0…11", "output"}
    assert boxes["layers.0…11"].repeats == 12
    assert len(boxes["layers.0…11"].members) == 48


def test_problems_and_edits_are_marked(pane, shown):
    shown.report(Problem("The shapes do not fit.", "Change dim.", place=place(DYNAMO, "relu")))
    assert pane.view.item.marks.problems == {"relu": "The shapes do not fit. Change dim."}
    tip = pane.view.item.tip(pane.view.hit_at(node_rect(pane, "relu").center().toPoint()))
    assert "The shapes do not fit." in tip


def test_nothing_open_is_explained(make_pane, session):
    pane = make_pane(session)
    assert pane.empty.headline.text() == "Open a model to begin"
    assert pane.is_idle()


def test_another_stage_replaces_the_layout_in_the_making(make_pane, shown, qtbot):
    pane = make_pane(shown)
    for stage in ("0/0:joint", "0/0:forward:kernels", "0/0:joint", "0/0:forward:loops"):
        shown.show_stage(stage)
    settle(qtbot, pane)
    assert {box.id for box in pane.view.scene_data.layout.boxes} == {"op0", "op1"}


def test_the_menu_is_asked_for_with_the_place(pane, click, shown, qtbot):
    click(pane, "linear")
    location = node_rect(pane, "relu").center().toPoint()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, location, pane.view.viewport().mapToGlobal(location)
    )
    with qtbot.waitSignal(pane.context_menu_requested) as asked:
        QApplication.sendEvent(pane.view.viewport(), event)
    assert asked.args[0] == place(DYNAMO, "relu")
    assert shown.selection.pinned == place(DYNAMO, "relu")


def test_joint_graphs_have_two_lanes(pane, shown, qtbot):
    shown.show_stage("0/0:joint")
    settle(qtbot, pane)
    assert [band.lane for band in pane.view.scene_data.layout.lanes] == ["forward", "backward"]
    cut = [stub for stub in pane.view.scene_data.layout.stubs if stub.outgoing and stub.box == "relu_1"]
    assert [end.target for stub in cut for end in stub.ends] == ["le"]


def test_another_look_is_taken_up(pane):
    before = pane.view.backgroundBrush().color()
    current.set_colors(DARK)
    try:
        assert pane.view.backgroundBrush().color().lightness() < before.lightness()
    finally:
        current.set_colors(LIGHT)


def test_an_edited_graph_is_laid_out_again(make_pane, show_graph, session, engine, qtbot, capture):
    pane = make_pane(show_graph(layered_graph(1, 3)))
    session.selection.select(place(DYNAMO, "relu_0_2"), None)
    before = node_rect(pane, "relu_0_2").topLeft()
    graph = layered_graph(1, 4)
    session.stage_with_edits = lambda stage_id: msgspec.structs.replace(  # type: ignore[method-assign]
        session.stage, content=msgspec.structs.replace(session.stage.content, graph=graph)
    )
    session.preview_changed.emit()
    settle(qtbot, pane)
    assert "relu_0_3" in pane.view.scene_data.layout.where
    assert (node_rect(pane, "relu_0_2").topLeft() - before).manhattanLength() < 3


def test_a_pane_may_go_while_its_layout_is_made(show_graph, qtbot, qapp):
    pane = GraphPane(show_graph(layered_graph(60, 20)))
    assert not pane.is_idle()
    shiboken6.delete(pane)
    assert QThreadPool.globalInstance().activeThreadCount() == 0


def test_a_layout_that_fails_is_reported(make_pane, show_graph, monkeypatch, qtbot):
    def broken(*_: object) -> None:
        raise LayoutCancelledError

    monkeypatch.setattr(layout_job, "arrange", broken)
    pane = make_pane(show_graph(layered_graph(1, 3)))
    assert pane.empty.headline.text() == "This graph could not be laid out"
    assert pane.is_idle()


def test_a_fitted_graph_stays_fitted_while_the_pane_is_resized(pane, qtbot):
    pane.fit()
    pane.resize(500, 400)
    view = pane.view.viewport().rect()
    assert all(view.contains(node_rect(pane, box.id).toRect()) for box in pane.view.scene_data.layout.boxes)
    pane.view.zoom_in()
    zoom = pane.view.zoom
    pane.resize(800, 600)
    assert pane.view.zoom == zoom


def test_a_layout_that_takes_long_says_how_far_it_is_and_stops_on_escape(make_pane, show_graph, qtbot):
    pane = make_pane(show_graph(joint_graph(3000)))
    before = pane.view.scene_data.layout
    pane.open_levels(99)
    pane._jobs.slow.emit()
    assert not pane.waiting.isHidden()
    qtbot.waitUntil(lambda: "boxes" in pane.waiting.text(), timeout=20_000)
    assert "Esc" in pane.waiting.text()
    qtbot.keyClick(pane.view, Qt.Key.Key_Escape)
    assert pane.is_idle()
    assert pane.waiting.isHidden()
    assert pane.view.scene_data.layout is before
    pane.open_levels(99)
    settle(qtbot, pane)
    assert len(pane.view.scene_data.layout.boxes) > 2000


def test_the_overview_leaves_a_small_view_to_the_boxes(pane, qtbot):
    pane.view.zoom_by(3.0)
    qtbot.waitUntil(pane.minimap.isVisible)
    pane.resize(400, 480)
    qtbot.waitUntil(lambda: not pane.minimap.isVisible())


def test_coming_back_to_a_stage_asks_about_its_modules_no_more(pane, shown, qtbot, monkeypatch):
    asked = []

    def count(diagram):
        asked.append(diagram)
        return prepare(diagram)

    monkeypatch.setattr(layout_job, "prepare", count)
    stages = [stage.id for stage in shown.capture.stages if stage.graph is not None][:2]
    for stage in (*stages, *stages):
        shown.show_stage(stage)
        settle(qtbot, pane)
    assert len(asked) <= len(stages)
    shown.make_edit(ReplaceTarget(DYNAMO, "relu", "call_function", "torch.tanh", *_arguments(shown, "relu")))
    shown.show_stage(DYNAMO)
    settle(qtbot, pane)
    assert asked[-1] is not asked[0]
    assert any(node.title == "tanh" for node in asked[-1].nodes)


def test_few_stages_are_kept(pane, shown, qtbot, monkeypatch):
    monkeypatch.setattr(layout_job, "_MOST_KEPT", 1)
    for stage in [stage.id for stage in shown.capture.stages if stage.graph is not None][:3]:
        shown.show_stage(stage)
        settle(qtbot, pane)
    assert len(pane._jobs._prepared) == 1


def _arguments(session, name):
    node = session.capture.stage(DYNAMO).graph.node(name)
    return node.args, node.kwargs


def test_the_same_diagram_has_the_same_parameters_by_its_links(shown, monkeypatch):
    joint = next(stage for stage in shown.capture.stages if stage.id == "0/0:joint")
    known = diagram(joint)
    asked = msgspec.structs.replace(
        known, nodes=tuple(msgspec.structs.replace(node, role="input") for node in known.nodes)
    )
    monkeypatch.setattr(
        type(shown.provenance),
        "ancestors",
        lambda _, asked: {DYNAMO: {name for name in asked.nodes if name in named}},
    )
    for named in ({"weight"}, {"weight", "bias"}):
        found = with_inherited_roles(asked, joint.id, shown)
        assert {node.id for node in found.nodes if node.role == "parameter"} == named
        assert with_inherited_roles(asked, joint.id, shown) is found
    named = set()
    assert with_inherited_roles(asked, joint.id, shown) is asked
