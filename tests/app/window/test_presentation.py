"""The window dressed for a room: text, graph, contrast and pointer, for each workspace by itself."""

import pytest
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLabel

from app.canvas.zooming_view import ZoomingView
from app.theme.colors import DARK, LIGHT
from app.theme.current import colors
from app.theme.palette import for_a_room
from app.theme.text_size import scale
from app.widgets.code_editor import CodeEditor
from app.window.main_window import MainWindow
from app.window.presentation import PointerRing
from app.window.workspaces.workspaces import FOR_A_ROOM
from tests.app.theme.test_theme import contrast


@pytest.fixture(autouse=True)
def _as_usual(window: MainWindow):
    yield
    for name in ("teach", "explore"):
        QSettings().remove(f"presenting/{name}")
    window.show_workspace("explore")


@pytest.mark.thorough
def test_a_workspace_is_dressed_for_a_room_and_remembers_it(window: MainWindow, qtbot, captured) -> None:
    window.show_workspace("teach")
    area = window.dock_area
    view = area.panes["graph"].findChild(ZoomingView)
    view.go_to(0.6, view.center())
    qtbot.waitUntil(lambda: not view.moving)
    zoom, look = view.zoom, colors()
    editor = area.docks["source"].findChild(CodeEditor)
    points = editor.font().pointSizeF()
    shown = [editor, window.menuBar(), window.status, *area.docks["source"].findChildren(QLabel)]
    sizes = [widget.font().pointSizeF() for widget in shown]
    window.actions_by_id.run("view.presentation")
    assert window.presenting
    assert colors() == for_a_room(look)
    assert scale() == FOR_A_ROOM
    assert editor.font().pointSizeF() == pytest.approx(FOR_A_ROOM * points)
    qtbot.waitUntil(lambda: view.zoom == pytest.approx(FOR_A_ROOM * zoom, rel=0.02))
    window.show_workspace("explore")
    assert (window.presenting, colors(), scale()) == (False, look, 1.0)
    assert editor.font().pointSizeF() == pytest.approx(points)
    window.show_workspace("teach")
    assert (window.presenting, colors(), scale()) == (True, for_a_room(look), FOR_A_ROOM)
    assert editor.font().pointSizeF() == pytest.approx(FOR_A_ROOM * points)
    window.actions_by_id.run("view.presentation")
    assert (window.presenting, colors(), scale()) == (False, look, 1.0)
    assert [widget.font().pointSizeF() for widget in shown] == pytest.approx(sizes)


@pytest.mark.thorough
def test_a_ring_goes_with_the_pointer_and_takes_no_clicks(window: MainWindow, qtbot, captured) -> None:
    window.show_workspace("teach")
    ring = window.findChild(PointerRing)
    assert ring is not None
    window.actions_by_id.run("view.presentation")
    for place in (QPoint(300, 300), QPoint(500, 200)):
        QCursor.setPos(window.mapToGlobal(place))
        qtbot.waitUntil(lambda place=place: ring.isVisible() and ring.geometry().contains(place))
        assert window.childAt(place) is not ring
    window.actions_by_id.run("view.presentation")
    assert not ring.isVisible()


@pytest.mark.thorough
@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_a_room_gets_more_contrast(look) -> None:
    strong = for_a_room(look)
    assert contrast(strong.text, strong.panel) > contrast(look.text, look.panel)
    assert contrast(strong.dim_text, strong.panel) >= 7
    assert contrast(strong.edge, strong.panel) > contrast(look.edge, look.panel)
    assert strong.line_scale > look.line_scale
