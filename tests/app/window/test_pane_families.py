"""Panes about one matter share a dock, and tabs that have no room are in a menu."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QTabBar, QToolButton

from app.actions.workspace_table import WORKSPACES
from app.window.main_window import MainWindow
from app.window.pane_table import FAMILIES, PANES
from app.window.workspaces.tab_bars import MoreTabs
from tests.helpers.thoroughness import some


@pytest.fixture(autouse=True)
def _forget() -> None:
    QSettings().clear()


def _seen(window: MainWindow, pane: str) -> bool:
    place = window.show_panes().panes[pane]
    return place.isVisible() and not place.visibleRegion().isEmpty()


def _needs(button: QAbstractButton) -> int:
    """Pixels of words and icon."""
    only_icon = (
        isinstance(button, QToolButton) and button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
    )
    words = (
        0
        if only_icon and not button.icon().isNull()
        else button.fontMetrics().horizontalAdvance(button.text())
    )
    return words + (0 if button.icon().isNull() else button.iconSize().width())


def test_pages_of_a_family_come_by_their_names_and_by_their_buttons(
    window: MainWindow, qtbot, captured
) -> None:
    area = window.show_panes()
    for family in FAMILIES:
        rows = [row for row in PANES if row.family == family]
        assert len(rows) > 1
        for row in rows:
            area.show_pane(row.id)
            qtbot.wait(1)
            assert [other.id for other in rows if _seen(window, other.id)] == [row.id]
        for row in rows:
            button = area.dock_of(row.id).findChild(QToolButton, f"page_{row.id}")
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
            qtbot.wait(1)
            assert _seen(window, row.id), row.id
            assert area.panes[row.id].pane is not None, "made when it is first seen"
    assert area.dock_of("trial") is area.dock_of("breaks")


@pytest.mark.thorough
def test_the_page_in_front_is_found_again_in_its_workspace(window: MainWindow, qtbot, captured) -> None:
    area = window.show_panes()
    window.show_workspace("edit")
    area.show_pane("changes")
    window.show_workspace("breaks")
    area.show_pane("history")
    window.show_workspace("edit")
    qtbot.wait(20)
    assert area.pages.split()[1] == "changes"
    window.workspaces.reset("edit")
    assert area.pages.split()[1] == "history"
    window.show_workspace("run")
    assert area.pages.split()[2] == "output", "what the workspace names is in front"


@pytest.mark.thorough
def test_words_of_tabs_are_whole_and_what_has_no_room_is_in_a_menu(
    window: MainWindow, qtbot, captured
) -> None:
    window.resize(1024, 700)
    area = window.show_panes()
    window.show_workspace("explore")
    bar = None
    for name in (
        "partition",
        "guards",
        "timings",
        "lowering",
        "front_ends",
        "options",
        "patterns",
        "dispatcher",
    ):
        area.show_pane(name)
    qtbot.wait(50)
    for bar in area.findChildren(QTabBar):
        if not bar.isVisible():
            continue
        for index in range(bar.count()):
            words = QFontMetrics(bar.font()).horizontalAdvance(bar.tabText(index))
            assert bar.tabRect(index).width() >= words, bar.tabText(index)
    full = next(bar for bar in area.findChildren(QTabBar) if bar.isVisible() and bar.count() > 8)
    more = full.findChild(MoreTabs)
    assert more.isVisible()
    assert full.rect().contains(more.geometry())
    more._menu.aboutToShow.emit()
    titles = [action.text() for action in more._menu.actions()]
    assert titles == [full.tabText(index) for index in range(full.count())]
    action = next(action for action in more._menu.actions() if action.text() == "Inspector")
    action.trigger()
    qtbot.wait(20)
    assert _seen(window, "inspector")
    window.resize(2400, 900)
    qtbot.wait(50)
    assert not more.isVisible(), "all tabs have room"


@pytest.mark.thorough
@pytest.mark.parametrize("size", some([(1024, 700), (1280, 800), (3840, 2160)], one=True))
@pytest.mark.parametrize("steps", [0, 2])
def test_no_button_is_cut_off_or_lies_over_another(
    window: MainWindow, qtbot, size: tuple[int, int], steps: int, captured
) -> None:
    window.resize(*size)
    for workspace in WORKSPACES:
        window.show_workspace(workspace.id)
        for _ in range(steps):
            window.workspaces.set_text_size(1)

        def nothing_amiss(name: str = workspace.id) -> None:
            assert not [*_amiss(window)], name

        qtbot.waitUntil(nothing_amiss, timeout=3000)  # Qt lays out again when it comes to it
        window.workspaces.set_text_size(0)  # the size is the whole program's, so also that of later tests


def _amiss(window: MainWindow) -> Iterator[tuple[str, ...]]:
    buttons = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and not button.visibleRegion().isEmpty() and button.text()
    ]
    for button in buttons:
        if button.width() < _needs(button):
            yield "cut off", button.text()
    for at, button in enumerate(buttons):
        for other in buttons[:at]:
            if button.parentWidget() is other.parentWidget() and button.geometry().intersects(
                other.geometry()
            ):
                yield "over another", button.text(), other.text()
