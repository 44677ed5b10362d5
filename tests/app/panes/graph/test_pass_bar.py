"""The bar that steps through passes, and what the canvas marks meanwhile."""

import pytest
from PySide6.QtCore import Qt

from app.graph_layout.running_order import in_running_order
from compiler.model.diagrams.diagrams import graph_diagram
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import place
from tests.app.panes.graph.conftest import settle
from tests.helpers import sample_capture as sample
from tests.helpers.node_rect import node_rect
from tests.helpers.opened_capture import open_capture

POST = sample.POST_GRAD


@pytest.fixture
def opened(session, engine):
    capture = sample.with_passes()
    open_capture(session, capture)
    session.show_stage(POST)
    return session


@pytest.fixture
def pane(make_pane, opened):
    return make_pane(opened)


def boxes(pane):
    return {box.id for box in pane.view.scene_data.layout.boxes}


def test_only_stages_that_passes_made_have_the_bar(pane, opened, qtbot):
    assert pane.pass_bar.isVisible()
    opened.show_stage(sample.DYNAMO)
    settle(qtbot, pane)
    assert not pane.pass_bar.isVisible()


def test_buttons_step_and_the_bar_says_where_one_is(pane, opened, qtbot):
    bar = pane.pass_bar
    assert bar.name.text() == "After all passes"
    assert bar.counts.text() == "2 of 2 that changed something · 3 ran"
    assert not bar.forward.isEnabled()
    for _ in range(2):
        qtbot.mouseClick(bar.back, Qt.MouseButton.LeftButton)
    settle(qtbot, pane)
    assert bar.name.text() == "post-grad: remove_noop_ops   4.00 ms"
    where = "1 of 2 that changed something · 3 ran · only looked at: edits are made after all passes (])"
    assert bar.counts.text() == where
    assert "alias → mm" in bar.did.text()
    assert boxes(pane) >= {"clamp_min", "mul"}
    assert not boxes(pane) & {"relu", "alias"}
    bar.slider.setValue(0)
    settle(qtbot, pane)
    assert bar.name.text() == "Before the first pass"
    assert not bar.back.isEnabled()
    assert "alias" in boxes(pane)
    bar.every.click()
    assert bar.slider.maximum() == 4


def test_what_a_pass_made_and_changed_is_framed(pane, opened, qtbot):
    opened.passes.go_to(POST, 3)
    settle(qtbot, pane)
    marks = pane.view.item.marks
    assert marks.made == {"relu"}
    assert marks.changed == {"mul"}
    opened.passes.go_to(POST, None)
    settle(qtbot, pane)
    assert not pane.view.item.marks.made


def test_the_selected_node_stays_where_it_is(pane, opened, qtbot):
    opened.selection.select(place(POST, "relu"))
    pane.view.zoom_in()
    settle(qtbot, pane)
    before = node_rect(pane, "relu").topLeft()
    for position, name in ((3, "relu"), (2, "clamp_min"), (0, "clamp_min"), (None, "relu")):
        opened.passes.go_to(POST, position)
        settle(qtbot, pane)
        assert (node_rect(pane, name).topLeft() - before).manhattanLength() <= 2


def test_without_a_selection_the_middle_stays(pane, opened, qtbot):
    pane.view.zoom_in()
    before = node_rect(pane, "mm").topLeft()
    center = pane.view.visible_area().center()
    near = min(
        pane.view.scene_data.layout.boxes,
        key=lambda box: abs(box.rect.center[0] - center.x()) + abs(box.rect.center[1] - center.y()),
    )
    location = node_rect(pane, near.id).topLeft()
    opened.passes.go_to(POST, 3)
    settle(qtbot, pane)
    assert (node_rect(pane, near.id).topLeft() - location).manhattanLength() <= 2
    assert before is not None


def test_fusion_step_by_step(pane, opened, qtbot):
    opened.show_stage(sample.FUSED)
    settle(qtbot, pane)
    assert pane.pass_bar.name.text() == "After all fusion steps"
    opened.passes.step(sample.FUSED, -1)
    opened.passes.step(sample.FUSED, -1)
    settle(qtbot, pane)
    assert boxes(pane) == {"op0", "op1", "op2"}
    opened.passes.step(sample.FUSED, 1)
    settle(qtbot, pane)
    assert boxes(pane) == {"op0", "op1_op2"}
    assert "saves 8.0 KiB" in pane.pass_bar.did.text()


def test_a_graph_out_of_order_is_put_in_order():
    graph = sample.aten_graph()
    nodes = list(graph.nodes)
    nodes.insert(0, nodes.pop(3))
    shown = in_running_order(graph_diagram(Graph(tuple(nodes))))
    place_of = {node.id: index for index, node in enumerate(shown.nodes)}
    assert all(place_of[edge.source] < place_of[edge.target] for edge in shown.edges)
    assert len(shown.nodes) == len(nodes)
    fine = graph_diagram(graph)
    assert in_running_order(fine) is fine


def test_shift_click_adds_to_what_is_selected_after_that_pass(pane, opened, qtbot):
    opened.passes.go_to(POST, 2)
    settle(qtbot, pane)
    for node, modifier in (
        ("clamp_min", Qt.KeyboardModifier.NoModifier),
        ("mul", Qt.KeyboardModifier.ShiftModifier),
    ):
        middle = node_rect(pane, node).center().toPoint()
        qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, modifier, middle)
    assert opened.selection.pinned == place(POST, "clamp_min", "mul", after=2)
    assert opened.passes.position(POST) == 2
    assert opened.selection.pinned_in(sample.FORWARD)
