"""Edges between panes, dragged as a person does it: sizes that a program gives are not a person's."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.window.workspaces.dock_area import DockArea


def drag_edge(area: DockArea, pane: QWidget, by: QPoint, qtbot: QtBot) -> None:
    """With the mouse: the edge below a pane, or that at its right."""
    place = pane.geometry()
    edge = place.topRight() + QPoint(2, 40) if by.x() else place.bottomLeft() + QPoint(40, 2)
    qtbot.mouseMove(area, edge)
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(area, edge + by)
    qtbot.wait(30)
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=edge + by)
    assert pane.geometry() != place
