"""The window on a laptop of 1280x800: what a workspace is for is read there without moving anything."""

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QPushButton

from app.actions.workspace_table import WORKSPACES
from app.canvas.scene import to_qt
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.pane_table import CENTRE, PANES
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import TimingBatch, TimingStarted
from compiler.model.timing.timings import TimedKernel
from tests.helpers.sample_capture import KERNELS


@pytest.fixture(autouse=True)
def _forget() -> None:
    QSettings().clear()


@pytest.fixture
def small(window: MainWindow, captured) -> MainWindow:
    window.resize(1280, 800)
    return window


@pytest.mark.thorough
@pytest.mark.parametrize("name", [workspace.id for workspace in WORKSPACES])
def test_a_short_graph_is_whole_in_every_workspace(small: MainWindow, qtbot, name: str) -> None:
    small.show_workspace(name)
    qtbot.wait(100)  # docks are laid out
    view = small.dock_area.panes["graph"].view
    assert len(view.scene_data.boxes) >= 4
    qtbot.waitUntil(
        lambda: all(view.visible_area().contains(to_qt(box.rect)) for box in view.scene_data.boxes.values())
    )
    assert view.zoom >= 0.6, "and can be read"


def test_times_are_drawn_high_enough_to_be_read(small: MainWindow, session: Session, engine, qtbot) -> None:
    small.show_workspace("performance")
    area = small.dock_area
    area.show_pane("timings")
    qtbot.waitUntil(lambda: getattr(area.panes["timings"], "pane", None) is not None)
    pane = area.panes["timings"].pane
    qtbot.waitUntil(lambda: pane._drawing.module is not None)
    assert pane.empty.isVisible()
    assert pane.tabs.tabText(1) != "Over time", "nothing to draw yet"
    kernels = tuple(
        TimedKernel(f"cpp_fused_relu_with_a_long_name_{at}", place(KERNELS, f"k{at}"), "forward", "cpp")
        for at in range(6)
    )
    engine.event_arrived.emit(TimingStarted(session.capture.id, kernels, 2))
    rows = tuple(tuple(10_000 + at + i for at in range(6)) for i in range(40))
    engine.event_arrived.emit(TimingBatch(session.capture.id, rows, (90_000,) * 40, (80_000,) * 4))
    pane.draw_now()
    line = pane.fontMetrics().height()
    qtbot.waitUntil(lambda: pane.table.tree.viewport().height() >= 4 * line)
    titles = [pane.tabs.tabText(at) for at in range(pane.tabs.count())]
    assert titles[:2] == ["Kernels", "Over time"]
    pane.table.select_kernels({2})
    pane.tabs.setCurrentIndex(1)
    pane.draw_now()
    qtbot.waitUntil(lambda: pane._plots.heat_map.getViewBox().height() >= 6 * line)
    assert pane._plots.curves.getViewBox().height() >= 5 * line
    assert pane._plots.heat_map._marked == [2]
    small.resize(1280, 1200)
    qtbot.waitUntil(lambda: pane.tabs.tabText(1) != "Over time")
    qtbot.waitUntil(lambda: pane._plots.isVisible() and pane.table.isVisible())


@pytest.mark.parametrize("name", ["explore", "performance"])
def test_no_button_of_any_pane_is_cut_off(small: MainWindow, qtbot, name: str) -> None:
    """In the narrowest dock of a workspace: every pane can be brought there."""
    small.show_workspace(name)
    area = small.show_panes()
    cut = []
    for row in PANES:
        if row.id == CENTRE:
            continue
        area.show_pane(row.id)
        qtbot.wait(5)
        for button in area.findChildren(QPushButton):
            text = button.text().replace("&", "")
            if button.isVisible() and button.fontMetrics().horizontalAdvance(text) > button.width():
                cut.append((row.id, text))
    assert not sorted({text for _, text in cut})
