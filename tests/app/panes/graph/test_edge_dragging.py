"""Arrows are taken with the mouse and let go on other boxes."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu

from compiler.model.edits.edits import SetArgument
from compiler.model.ir.ids import place
from tests.helpers.node_rect import node_rect
from tests.helpers.sample_capture import graph_with, node, output, placeholder

DYNAMO = "0/0:dynamo"


@pytest.fixture
def branches(show_graph):
    """x → relu → tanh → add(tanh, sin) and x → sin."""
    return show_graph(
        graph_with(
            placeholder("x"),
            node("relu", "torch.relu", "x"),
            node("sin", "torch.sin", "x"),
            node("tanh", "torch.tanh", "relu"),
            node("add", "_operator.add", "tanh", "sin"),
            output("add"),
        )
    )


def edge_point(pane, source: str, target: str, part: float) -> QPoint:
    scene = pane.view.scene_data
    number = next(index for index, edge in enumerate(scene.layout.edges) if edge.nodes == ((source, target),))
    return pane.view.mapFromScene(scene.path(number).pointAtPercent(part))


def center(pane, name: str) -> QPoint:
    return node_rect(pane, name).center().toPoint()


def mouse(pane, kind: QEvent.Type, location: QPoint, held: bool = True) -> None:
    """A mouse event as Qt makes it; qtbot's own lose the button while moving."""
    viewport = pane.view.viewport()
    button = Qt.MouseButton.LeftButton
    moving = kind is QEvent.Type.MouseMove
    buttons = button if held and kind is not QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    event = QMouseEvent(
        kind, QPointF(location), QPointF(viewport.mapToGlobal(location)),
        Qt.MouseButton.NoButton if moving else button, buttons, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def drag(pane, begin: QPoint, end: QPoint) -> None:
    mouse(pane, QEvent.Type.MouseButtonPress, begin)
    for step in range(1, 5):
        mouse(pane, QEvent.Type.MouseMove, begin + (end - begin) * (step / 4))
    mouse(pane, QEvent.Type.MouseButtonRelease, end)


def test_the_beginning_of_an_arrow_goes_to_another_node(branches, make_pane) -> None:
    pane = make_pane(branches)
    drag(pane, edge_point(pane, "relu", "tanh", 0.2), center(pane, "sin"))
    assert branches.edits == (SetArgument(DYNAMO, "tanh", ("args", "0"), branches.edits[0].argument),)
    assert branches.stage_with_edits(DYNAMO).graph.node("tanh").inputs() == ("sin",)


def test_the_tip_goes_to_a_node_and_asks_for_the_argument(branches, make_pane, qtbot) -> None:
    pane = make_pane(branches)
    drag(pane, edge_point(pane, "relu", "tanh", 0.8), center(pane, "add"))
    menu = pane.view.findChild(QMenu)
    assert [action.text().split("   ")[0] for action in menu.actions()] == ["add: 0 = relu", "add: 1 = relu"]
    menu.actions()[1].trigger()
    menu.close()
    assert branches.stage_with_edits(DYNAMO).graph.node("add").inputs() == ("tanh", "relu")


def test_what_would_be_a_cycle_is_no_place_to_go(branches, make_pane) -> None:
    pane = make_pane(branches)
    drag(pane, edge_point(pane, "relu", "tanh", 0.2), center(pane, "add"))
    drag(pane, edge_point(pane, "relu", "tanh", 0.2), QPoint(3, 3))
    assert branches.edits == ()
    assert branches.problems == ()


def test_a_click_on_an_arrow_selects_its_ends(branches, make_pane) -> None:
    pane = make_pane(branches)
    location = edge_point(pane, "relu", "tanh", 0.5)
    mouse(pane, QEvent.Type.MouseMove, location, held=False)
    assert pane.view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    drag(pane, location, location)
    assert branches.selection.pinned == place(DYNAMO, "relu", "tanh")


def test_arrows_of_a_joint_graph_are_rewired_too(shown, make_pane) -> None:
    shown.show_stage("0/0:joint")
    pane = make_pane(shown)
    drag(pane, edge_point(pane, "addmm", "relu_1", 0.2), center(pane, "x"))
    assert [edit.stage for edit in shown.edits] == ["0/0:joint"]


def test_the_menu_of_an_arrow_is_about_its_ends(branches, make_pane, qtbot) -> None:
    pane = make_pane(branches)
    location = edge_point(pane, "relu", "tanh", 0.5)
    viewport = pane.view.viewport()
    with qtbot.waitSignal(pane.context_menu_requested) as asked:
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(viewport, QContextMenuEvent(reason, location, viewport.mapToGlobal(location)))
    assert asked.args[0] == place(DYNAMO, "relu", "tanh")
