"""Hiding, filters, queries, colours and kept views on the real canvas."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, QSettings, Qt

from app.canvas.painting.brushes import brushes
from app.panes.graph.coloring import TITLES
from app.session.facade.session import Session
from app.theme.current import colors
from compiler.analysis.queries.graph_view_state import COLORINGS
from compiler.analysis.queries.node_filters import FilterKind, NodeFilter
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.ids import place
from tests.app.panes.graph.conftest import layered_graph, settle
from tests.compiler.analysis.queries.test_computed_modules import LAYERS
from tests.compiler.analysis.queries.test_computed_modules import layered as layered_loops
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import DYNAMO, KERNELS, LOOPS
from tests.helpers.transformer_graph import joint_graph


def drawn(pane) -> set[str]:
    return {node for box in pane.view.scene_data.layout.boxes for node in box.members}


def test_hidden_nodes_go_and_arrows_lead_on_through_them(make_pane, show_graph, qtbot):
    session = show_graph(layered_graph(2, 3))
    pane = make_pane(session)
    session.views.hide(DYNAMO, ("relu_0_1", "relu_0_2"))
    settle(qtbot, pane)
    assert drawn(pane) == {"x", "relu_0_0", "relu_1_0", "relu_1_1", "relu_1_2", "output"}
    through = [edge for edge in pane.view.scene_data.layout.edges if edge.indirect]
    assert [edge.nodes for edge in through] == [(("relu_0_0", "relu_1_0"),)]
    assert pane.toolbar.counts.text() == "6 of 8 nodes"
    session.views.show_all(DYNAMO)
    settle(qtbot, pane)
    assert len(drawn(pane)) == 8
    assert pane.toolbar.counts.text() == "8 nodes"


def test_what_is_hidden_is_forgotten_with_its_program(make_pane, show_graph, engine, qtbot):
    session = show_graph(layered_graph(1, 3))
    pane = make_pane(session)
    session.views.hide(DYNAMO, ("relu_0_1",))
    settle(qtbot, pane)
    assert "relu_0_1" not in drawn(pane)
    other = msgspec.structs.replace(
        session.capture, id="capture-9", spec=CaptureSpec(TargetSpec("other.py:Net"))
    )
    open_capture(session, other)
    session.show_stage(DYNAMO)
    settle(qtbot, pane)
    assert "relu_0_1" in drawn(pane)


def test_what_is_around_an_isolated_node_comes_back_hop_by_hop(make_pane, show_graph, qtbot):
    session = show_graph(layered_graph(1, 5))
    pane = make_pane(session)
    session.selection.select(place(DYNAMO, "relu_0_2"))
    session.views.isolate(
        DYNAMO, ("relu_0_2",), pane.looking.full and [n.id for n in pane.looking.full.nodes]
    )
    settle(qtbot, pane)
    assert drawn(pane) == {"relu_0_2"}
    qtbot.keyClick(pane.view, Qt.Key.Key_I)
    settle(qtbot, pane)
    assert drawn(pane) == {"relu_0_1", "relu_0_2"}
    qtbot.keyClick(pane.view, Qt.Key.Key_O)
    settle(qtbot, pane)
    assert drawn(pane) == {"relu_0_1", "relu_0_2", "relu_0_3"}
    assert session.selection.pinned_in(DYNAMO) == {"relu_0_1", "relu_0_2", "relu_0_3"}


def test_everything_hidden_says_how_to_come_back(make_pane, show_graph, qtbot):
    session = show_graph(layered_graph(1, 2))
    pane = make_pane(session)
    session.views.set_filters((NodeFilter(FilterKind.HIDE, "/./"),))
    assert "Everything is hidden" in pane.empty.headline.text()
    session.views.show_all(DYNAMO)
    settle(qtbot, pane)
    assert len(drawn(pane)) == 4


def test_filters_are_typed_ordered_and_kept(make_pane, show_graph, qtbot):
    session = show_graph(joint_graph(140))
    pane = make_pane(session)
    every = {node.id for node in pane.looking.full.nodes}
    pane.looking.filters.open()
    row = pane.looking.filters.rows[0]
    qtbot.keyClicks(row.query, "op:view|t|transpose")
    settle(qtbot, pane)
    settle(qtbot, pane)
    gone = every - {node.id for node in pane._diagram.nodes}
    assert gone
    assert all(
        name.rsplit("_", 1)[0] in ("view", "t", "transpose") or name in ("view", "t", "transpose")
        for name in gone
    )
    assert row.query.hasFocus() or row.query.text() == "op:view|t|transpose"
    before = session.views.filters
    qtbot.keyClicks(row.query, " flavour:sweet")
    assert session.views.filters[0].query == "op:view|t|transpose flavour", "what is wrong is not applied"
    assert "flavour" in row.query.toolTip()
    session.views.set_filters((*before, NodeFilter(FilterKind.SHOW, "name:view_1")))
    assert "view_1" not in {n.id for n in pane.looking.full.nodes} - {n.id for n in pane._diagram.nodes}
    session.views.save_as("no views")
    session.views.set_filters(())
    assert [row.name for row in session.views.saved()] == ["no views"]
    session.views.set_filters(session.views.saved()[0].filters)
    assert len(pane.looking.filters.rows) == 2
    session.views.forget("no views")
    assert session.views.saved() == ()
    settle(qtbot, pane)


def test_a_damaged_list_of_filters_is_as_good_as_none(make_pane, show_graph):
    session = show_graph(layered_graph(1, 2))
    QSettings().setValue("filters", '[{"name": 3}]')
    assert session.views.saved() == ()
    QSettings().remove("filters")


def test_a_search_is_a_query_and_finds_what_is_hidden_too(make_pane, show_graph, qtbot):
    session = show_graph(joint_graph(140))
    pane = make_pane(session)
    pane.search.open()
    qtbot.keyClicks(pane.search.field, "op:relu lane:forward")
    assert pane.search.count.text() == "1 match"
    session.views.hide(DYNAMO, ("relu",))
    settle(qtbot, pane)
    pane.search.go_on()
    settle(qtbot, pane)
    assert "relu" in {node.id for node in pane._diagram.nodes}
    assert session.selection.pinned_in(DYNAMO) == {"relu"}
    pane.search.field.setText("bytes:large")
    assert "bytes" in pane.search.count.text()
    pane.search.field.setText("line:20")
    assert pane.search._found


@pytest.mark.parametrize("choice", COLORINGS)
def test_every_colouring_says_what_its_colours_mean(pane, shown, choice):
    shown.views.set_coloring(choice)
    painting = pane.view.item.marks.nodes.painting
    assert (painting is None) == (choice == "line")
    if choice not in ("line", "none"):
        assert pane.looking.legend.entries
    assert TITLES[choice].lower() in pane.toolbar.color_button.toolTip()


def test_boxes_have_the_colour_of_their_amount(make_pane, show_graph, qtbot):
    session = show_graph(layered_graph(1, 2))
    pane = make_pane(session)
    session.views.set_coloring("op")
    settle(qtbot, pane)
    fills = pane.view.item.marks.fills
    assert fills["relu_0_0"] == fills["relu_0_1"] == pane.looking.legend.entries[0].color
    box = pane.view.scene_data.boxes["relu_0_0"]
    location = pane.view.mapFromScene(box.rect.right - 5, box.rect.center[1])
    seen = pane.view.viewport().grab().toImage().pixelColor(QPoint(location.x(), location.y()))
    assert seen.name() == fills["relu_0_0"] != brushes(colors()).color("node").name()


def kept_on_3(make_pane, show_graph, qtbot):
    """A session and its pane, one level open, coloured by operation, half as large again, and kept."""
    session = show_graph(layered_graph(3, 4))
    pane = make_pane(session)
    pane.open_levels(1)
    settle(qtbot, pane)
    session.views.set_coloring("op")
    pane.view.go_to(1.5, pane.view.center())
    qtbot.keyClick(pane.view, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    return session, pane


def test_a_kept_view_comes_back_by_its_number(make_pane, show_graph, qtbot):
    session, pane = kept_on_3(make_pane, show_graph, qtbot)
    collapsed = pane.collapsed
    session.views.set_coloring("line")
    pane.open_levels(9)
    settle(qtbot, pane)
    pane.fit()
    session.views.hide(DYNAMO, ("relu_0_0",))
    settle(qtbot, pane)
    qtbot.keyClick(pane.view, Qt.Key.Key_3)
    settle(qtbot, pane)
    assert pane.collapsed == collapsed
    assert abs(pane.view.zoom - 1.5) < 1e-6
    assert session.views.coloring == "op"
    assert "relu_0_0" in {node.id for node in pane._diagram.nodes}
    assert not session.views.go_to(7)


def test_a_session_file_brings_the_looks_back(make_pane, show_graph, qtbot, tmp_path):
    session, pane = kept_on_3(make_pane, show_graph, qtbot)
    collapsed, center = pane.collapsed, pane.view.center()
    filters = (NodeFilter(FilterKind.HIDE, "name:relu_2_*"),)
    session.views.set_filters(filters)
    session.views.hide(DYNAMO, ("relu_0_1",))
    settle(qtbot, pane)
    with qtbot.waitSignal(session.file_changed, timeout=5000):
        session.save_file(tmp_path / "a.loupe")
    pane.close()

    other = Session(FakeEngine(), journals=tmp_path)
    again = make_pane(other)
    with qtbot.waitSignal(other.stage_changed, timeout=5000):
        other.open_file(tmp_path / "a.loupe")
    settle(qtbot, again)
    assert (other.views.filters, other.views.coloring) == (filters, "op")
    assert "relu_0_1" not in drawn(again)
    assert not any(node.startswith("relu_2") for node in drawn(again))
    assert {"relu_0_0", "relu_1_1"} <= drawn(again)
    again.open_levels(9)
    settle(qtbot, again)
    again.fit()
    qtbot.keyClick(again.view, Qt.Key.Key_3)
    settle(qtbot, again)
    assert again.collapsed == collapsed
    assert abs(again.view.zoom - 1.5) < 1e-6
    assert (again.view.center() - center).manhattanLength() < 3
    assert "relu_2_0" in {node.id for node in again._diagram.nodes}
    again.close()
    other.close()


def test_boxes_are_gathered_by_kernel_or_not_at_all(make_pane, show_graph, pane, shown, qtbot):
    shown.show_stage(LOOPS)
    settle(qtbot, pane)
    assert not pane.view.scene_data.layout.frames
    held = next(stage for stage in shown.capture.stages if stage.id == KERNELS)
    kernels = {kernel.id for kernel in held.kernels}
    shown.views.set_grouping("kernel")
    settle(qtbot, pane)
    facts = shown.views.facts(shown.stage, pane.looking.full, frozenset(("kernel",)))
    assert {kernel for fact in facts for _, kernel in fact.computed_in} <= kernels
    assert {node.group for node in pane._diagram.nodes} <= {(), *((kernel,) for kernel in kernels)}
    assert any(node.group for node in pane._diagram.nodes)
    shown.views.set_grouping("none")
    settle(qtbot, pane)
    assert all(not node.group for node in pane._diagram.nodes)


def test_kernels_of_equal_layers_are_one_box(make_pane, qtbot):
    engine = FakeEngine()
    session = Session(engine)
    capture = layered_loops()
    open_capture(session, capture)
    session.show_stage("0/0:kernels")
    pane = make_pane(session)
    settle(qtbot, pane)
    assert {node.group[:2] for node in pane._diagram.nodes} == {("layers", f"{i}") for i in range(LAYERS)}
    pane.open_levels(1)
    settle(qtbot, pane)
    assert [box.repeats for box in pane.view.scene_data.layout.boxes] == [LAYERS]
    session.close()


def test_a_layered_graph_can_be_drawn_without_its_modules(make_pane, show_graph, qtbot):
    session = show_graph(layered_graph(3, 4))
    pane = make_pane(session)
    assert pane.view.scene_data.layout.frames
    session.views.set_grouping("none")
    settle(qtbot, pane)
    assert not pane.view.scene_data.layout.frames
    texts = [action.text() for action in pane.toolbar.depth_menu.actions() if action.isChecked()]
    assert texts == ["Gather nothing"]
