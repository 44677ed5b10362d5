"""Workspaces: few panes each, at sizes that fit; each is found again as it was left."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QTabBar

from app.actions.workspace_table import WORKSPACES, Workspace
from app.session.facade.session import Session
from app.widgets.code_editor import CodeEditor
from app.window.main_window import MainWindow
from app.window.pane_table import PANES
from app.window.workspaces.dock_area import DockArea
from app.window.workspaces.workspace_switch import WorkspaceSwitch
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from compiler.model.protocol.partial_results import StagesGenerated
from tests.helpers import sample_capture
from tests.helpers.dock_edges import drag_edge
from tests.helpers.shown_widget import on_screen
from tests.helpers.thoroughness import some


@pytest.fixture(autouse=True)
def _forget() -> None:
    QSettings().clear()


def _shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.dock_area.docks.items() if not dock.isHidden()}


def _docks(workspace: Workspace) -> set[str]:
    return {row.dock for row in PANES if row.id in workspace.panes}


def _in_front(dock: QDockWidget) -> bool:
    return not dock.visibleRegion().isEmpty()


def test_every_workspace_names_panes_that_there_are() -> None:
    known = {row.id for row in PANES}
    for workspace in WORKSPACES:
        assert workspace.panes <= known
        assert 3 <= len(workspace.columns) + len(workspace.side) + bool(workspace.bottom) + 1 <= 5


@pytest.mark.thorough
@pytest.mark.parametrize("size", some([(1024, 700), (1280, 800), (1600, 1000)], one=True))
def test_each_shows_its_panes_inside_the_window(
    window: MainWindow, qtbot, size: tuple[int, int], captured
) -> None:
    window.resize(*size)
    for workspace in WORKSPACES:
        window.actions_by_id.run(f"view.workspace_{workspace.id}")
        qtbot.wait(20)
        assert window.workspaces.current == workspace.id
        assert _shown(window) == _docks(workspace)
        area = window.dock_area
        assert area is not None
        for group in (*workspace.columns, *workspace.side, workspace.bottom):
            assert not group or _in_front(area.dock_of(group[0])), (workspace.id, group)
        places = [dock.geometry() for dock in area.docks.values() if _in_front(dock)]
        places.append(area.panes["graph"].geometry())
        assert all(area.rect().contains(place) for place in places)
        for index, place in enumerate(places):
            assert not any(place.intersects(other) for other in places[:index]), workspace.id
        assert area.panes["graph"].width() >= 250


@pytest.mark.thorough
def test_widths_that_nobody_changed_fit_the_window_one_comes_back_in(
    window: MainWindow, qtbot, area: DockArea
) -> None:
    window.resize(1400, 800)
    window.show_workspace("explore")
    qtbot.waitUntil(lambda: "widths" in area.shared)
    window.show_workspace("run")
    window.resize(1024, 700)
    window.show_workspace("explore")
    qtbot.wait(20)
    assert area.panes["graph"].width() >= 250
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not area._settling.isActive())
    drag_edge(area, area.docks["source"], QPoint(-90, 0), qtbot)
    dragged = area.docks["source"].width()
    window.show_workspace("run")
    window.show_workspace("explore")
    qtbot.wait(20)
    assert area.docks["source"].width() == dragged, "a width that somebody dragged stays"


@pytest.mark.thorough
def test_heights_that_nobody_changed_fit_the_window_as_it_becomes_taller(
    window: MainWindow, qtbot, area: DockArea
) -> None:

    def height() -> int:
        qtbot.waitUntil(lambda: not area._settling.isActive())
        return area.docks["inspector"].height()

    window.resize(1600, 1000)
    window.workspaces.reset("edit")
    wanted = height()
    window.resize(1024, 700)
    window.workspaces.reset("edit")
    assert height() < wanted - 50
    window.resize(1600, 1000)
    assert height() == pytest.approx(wanted, abs=4)
    window.resize(1024, 700)
    window.show_workspace("explore")
    window.resize(1600, 1000)
    window.show_workspace("edit")
    assert height() == pytest.approx(wanted, abs=4)
    drag_edge(area, area.docks["inspector"], QPoint(0, -90), qtbot)
    dragged = area.docks["inspector"].height()
    assert dragged < wanted - 50
    window.show_workspace("explore")
    window.show_workspace("edit")
    qtbot.wait(20)
    assert area.docks["inspector"].height() == dragged, "a height that somebody dragged stays"
    window.resize(1600, 960)
    qtbot.wait(20)
    assert area.docks["inspector"].height() < wanted - 50, "in another window too"


@pytest.mark.thorough
@pytest.mark.parametrize("width", some((1280, 1600, 2560)))
def test_source_shows_eighty_columns(window: MainWindow, qtbot, width: int, captured) -> None:
    window.resize(width, 800)
    for workspace in WORKSPACES:
        if "source" not in workspace.panes:
            continue
        window.workspaces.reset(workspace.id)
        area = window.dock_area
        area.show_pane("source")
        qtbot.wait(50)
        editor = area.docks["source"].findChild(CodeEditor)
        letter = QFontMetricsF(editor.font()).horizontalAdvance("0")
        assert editor.viewport().width() / letter >= 80, workspace.id


@pytest.mark.thorough
def test_each_is_found_again_as_it_was_left(
    window: MainWindow, session: Session, qtbot, area: DockArea
) -> None:
    window.show_workspace("edit")
    area.docks["partition"].hide()
    area.show_pane("timings")
    window.show_workspace("explore")
    assert area.docks["timings"].isHidden()
    window.show_workspace("edit")
    qtbot.wait(20)
    assert area.docks["partition"].isHidden()
    assert not area.docks["timings"].isHidden()
    window.close()
    again = on_screen(qtbot, MainWindow(session, window._looks))
    again.pages.setCurrentWidget(again.show_panes())
    qtbot.wait(50)
    assert again.workspaces.current == "edit"
    assert not again.show_panes().docks["timings"].isHidden()
    again.workspaces.reset("edit")
    assert not again.show_panes().docks["partition"].isHidden()
    assert again.show_panes().docks["timings"].isHidden()
    again.close()


@pytest.mark.thorough
def test_the_switch_follows_and_a_double_click_resets(window: MainWindow, qtbot, captured) -> None:
    switch = window.findChild(WorkspaceSwitch)
    qtbot.mouseClick(switch.buttons["performance"], Qt.MouseButton.LeftButton)
    assert window.workspaces.current == "performance"
    window.actions_by_id.run("view.workspace_teach")
    assert switch.buttons["teach"].isChecked()
    area = window.dock_area
    area.docks["code"].hide()
    qtbot.mouseDClick(switch.buttons["teach"], Qt.MouseButton.LeftButton)
    assert not area.docks["code"].isHidden()


@pytest.mark.thorough
def test_breaks_bring_theirs_up_unless_another_was_chosen(
    window: MainWindow, session: Session, captured
) -> None:
    assert bool(session.capture.breaks) == (window.workspaces.current == "breaks")
    window.show_workspace("edit")
    window.workspaces.suit()
    assert window.workspaces.current == "edit"


@pytest.mark.thorough
def test_text_is_as_large_as_each_workspace_wants_it(window: MainWindow, area: DockArea) -> None:
    window.show_workspace("teach")
    editor = area.docks["source"].findChild(CodeEditor)
    shown = (editor, window.menuBar(), window.status, window.findChild(WorkspaceSwitch).buttons["teach"])
    before = [widget.font().pointSizeF() for widget in shown]
    for _ in range(3):
        window.actions_by_id.run("view.larger_text")
    large = [widget.font().pointSizeF() for widget in shown]
    assert large == pytest.approx([1.5 * size for size in before])
    window.set_look("dark")
    assert [widget.font().pointSizeF() for widget in shown] == pytest.approx(large)
    window.set_look("light")
    window.show_workspace("explore")
    assert [widget.font().pointSizeF() for widget in shown] == pytest.approx(before)
    window.show_workspace("teach")
    assert [widget.font().pointSizeF() for widget in shown] == pytest.approx(large)
    window.actions_by_id.run("view.smaller_text")
    assert editor.font().pointSizeF() == pytest.approx(1.3 * before[0])
    window.actions_by_id.run("view.usual_text")
    assert [widget.font().pointSizeF() for widget in shown] == pytest.approx(before)


@pytest.mark.thorough
def test_the_graph_keeps_its_room_when_the_window_shrinks(window: MainWindow, qtbot, captured) -> None:
    window.resize(1400, 900)
    window.workspaces.reset("explore")
    area = window.dock_area
    qtbot.wait(600)
    window.resize(1024, 700)
    qtbot.wait(50)
    assert area.panes["graph"].width() >= 250
    qtbot.wait(600)
    drag_edge(area, area.docks["pipeline"], QPoint(320 - area.docks["pipeline"].width(), 0), qtbot)
    window.resize(1100, 700)
    qtbot.wait(20)
    assert abs(area.docks["pipeline"].width() - 320) < 12, "what was dragged stays"


@pytest.mark.thorough
def test_no_tab_bar_of_another_workspace_is_left_over(window: MainWindow, qtbot, area: DockArea) -> None:
    window.resize(1400, 900)
    area.show_pane("trial")
    qtbot.wait(600)
    for name in ("explore", "edit", "performance", "run", "explore", "teach", "breaks", "edit", "explore"):
        window.show_workspace(name)
        area.show_pane("history")
        qtbot.wait(100)
        bars = [bar for bar in area.findChildren(QTabBar) if bar.parent() is area and bar.isVisible()]
        fronts = [dock for dock in area.docks.values() if _in_front(dock)]
        assert len(bars) == sum(bool(area.tabifiedDockWidgets(dock)) for dock in fronts), name
        for bar in bars:
            assert not any(dock.geometry().intersects(bar.geometry()) for dock in fronts), name
            assert not area.panes["graph"].geometry().intersects(bar.geometry()), name


@pytest.mark.thorough
def test_a_tab_bar_that_stands_at_no_pane_is_hidden(window: MainWindow, qtbot, captured) -> None:
    """Qt leaves such behind where it made them out of sight."""
    window.show_workspace("explore")
    area = window.dock_area
    assert area is not None
    ghost = QTabBar(area)
    for name in ("Source", "Bytecode"):
        ghost.addTab(name)
    ghost.setGeometry(0, 0, 300, 26)
    ghost.show()
    window.show_workspace("edit")
    qtbot.wait(30)
    assert not ghost.isVisible()


def test_a_double_click_on_a_tab_gives_its_pane_all_the_room_and_takes_it_back(
    window: MainWindow, qtbot, captured
) -> None:
    window.show_workspace("explore")
    area = window.dock_area
    qtbot.wait(100)
    before = {name: dock.geometry() for name, dock in area.docks.items() if _in_front(dock)}
    bar = next(
        bar
        for bar in area.findChildren(QTabBar)
        if bar.isVisible() and "Bytecode" in [bar.tabText(index) for index in range(bar.count())]
    )
    qtbot.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
    qtbot.wait(50)
    assert [name for name, dock in area.docks.items() if _in_front(dock)] == ["source"]
    assert area.docks["source"].width() > 0.95 * area.width()
    saved = area.save_arrangement()
    window.actions_by_id.run("view.pane_alone")
    qtbot.wait(50)
    assert {name: dock.geometry() for name, dock in area.docks.items() if _in_front(dock)} == before
    assert area.panes["graph"].isVisible()
    area.toggle_alone("graph")
    assert not [name for name, dock in area.docks.items() if not dock.isHidden()]
    area.show_pane("inspector")
    qtbot.wait(50)
    assert _in_front(area.docks["source"])
    area.restore_arrangement(saved)
    assert _shown(window) == _docks(WORKSPACES[0])


def test_the_window_takes_the_whole_screen_and_gives_it_back(window: MainWindow, qtbot) -> None:
    window.actions_by_id.run("view.full_screen")
    assert window.isFullScreen()
    window.actions_by_id.run("view.full_screen")
    assert not window.isFullScreen()


@pytest.mark.thorough
def test_a_height_that_was_dragged_stays_when_the_window_grows(window: MainWindow, qtbot, captured) -> None:
    window.resize(1280, 800)
    window.workspaces.reset("explore")
    qtbot.wait(600)
    area = window.dock_area
    before = area.docks["inspector"].height()
    drag_edge(area, area.panes["graph"], QPoint(0, 90), qtbot)
    dragged = area.docks["inspector"].height()
    assert dragged < before - 50
    window.resize(1400, 800)
    qtbot.wait(20)
    assert abs(area.docks["inspector"].height() - dragged) < 12


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", ["", "edit"])
def test_breaks_come_up_though_an_early_look_at_the_program_had_none(
    window: MainWindow, session: Session, engine, chosen: str
) -> None:
    made = sample_capture.capture()
    session.capture_target(made.spec)
    made = msgspec.structs.replace(made, id=engine.last(MakeCapture).body.id)
    engine.event_arrived.emit(StagesGenerated(msgspec.structs.replace(made, breaks=())))
    assert session.early.shown is not None
    assert window.workspace == "explore"
    if chosen:
        window.show_workspace(chosen)
    engine.last(MakeCapture).reply(CaptureMade(made))
    assert session.early.shown is None
    assert window.workspace == (chosen or "breaks")


@pytest.mark.thorough
def test_what_came_by_itself_goes_when_another_program_does_not_suit_it(
    window, session, engine, tmp_path
) -> None:
    def made_of(name: str, broken: bool) -> None:
        made = sample_capture.capture()
        spec = msgspec.structs.replace(made.spec, target=TargetSpec(name, str(tmp_path)))
        breaks = made.breaks if broken else ()
        session.capture_target(spec)
        engine.last(MakeCapture).reply(
            CaptureMade(msgspec.structs.replace(made, id=f"capture-{name}", spec=spec, breaks=breaks))
        )

    assert sample_capture.capture().breaks
    made_of("a.py:f", broken=True)
    assert window.workspace == "breaks"
    made_of("b.py:f", broken=False)
    assert window.workspace == "explore"
    made_of("a.py:f", broken=True)
    window.show_workspace("edit")
    made_of("b.py:f", broken=False)
    assert window.workspace == "edit", "chosen by hand"


def test_panes_are_not_given_sizes_before_they_have_places(
    window: MainWindow, qtlog, monkeypatch, captured
) -> None:
    """Docks that go let a narrow window shrink: it is resized while some have gone and others have no place yet."""
    area = window.show_panes()
    remove = area.removeDockWidget

    def remove_and_shrink(dock: QDockWidget) -> None:
        remove(dock)
        area.resizeEvent(QResizeEvent(area.size(), area.size()))

    monkeypatch.setattr(area, "removeDockWidget", remove_and_shrink)
    area.apply_default_sizes()
    area.reset_arrangement()
    assert [record.message for record in qtlog.records if "resizeDocks" in record.message] == []
    assert area.shared
