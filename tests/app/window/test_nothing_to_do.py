"""What can do nothing is grey: every button of every pane and every action, with nothing open, and where nothing runs."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabWidget, QWidget

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from compiler.model.capture.capture import Capture
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

ALWAYS = {
    ("dispatcher", "Also keys that serve every operator"),
    ("dispatcher", "Run it"),
    ("timings", "Settings"),
    ("timings", "Measure this machine"),
    ("front_ends", "look for inputs that differ"),
}
"""Lessons bring programs of their own, the machine is there without one, and settings are those of the next time."""

WHERE_THERE_IS_ROOM = {("graph", "zoom-out"), ("graph", "zoom-in")}
LOOKING = {
    *(("graph", name) for name in ("expand", "Colour", "Filters", "fit", "search", "minimap")),
    *(("source", name) for name in ("Sizes", "Reasons")),
    *(("code", name) for name in ("Follow", "Edit", "Copy")),
    *(("problems", name) for name in ("Copy", "Clear")),
}
AFRESH = {
    ("source", "Edit"),
    ("front_ends", "Compare front ends"),
    *(("scripts", name) for name in ("Run", "Run in C++", "Save .pt…")),
}
"""They capture the program once more, which what was only compiled can."""

OF_A_PROGRAM = {
    "engine.find_cause",
    "engine.find_slowness",
    "engine.find_costs",
    "engine.look_at_values",
    "view.slowest_line",
}
WITHOUT_ONE = {
    *("edit.auto_recompile", "edit.editor_command", "engine.restart", "file.quit"),
    *("file.machine", "file.open_model", "file.open_session"),
    *("help.palette", "help.shortcuts", "help.start", "help.tours"),
    *("view.dark", "view.light", "view.system", "view.language_en", "view.language_zh_CN", "view.labs"),
    *("view.larger_text", "view.smaller_text", "view.usual_text", "view.full_screen", "view.presentation"),
    *("view.next_pane", "view.previous_pane", "view.pane_alone", "view.reset"),
    *(f"view.workspace_{name}" for name in ("breaks", "edit", "explore", "performance", "run", "teach")),
}
"""Of the window and the engine themselves."""


def only_compiled() -> Capture:
    capture = sample_capture.capture()
    return msgspec.structs.replace(capture, spec=msgspec.structs.replace(capture.spec, without_values=True))


def recorded() -> Capture:
    capture = sample_capture.capture()
    target = msgspec.structs.replace(capture.spec.target, recorded=("python", "train.py"))
    return msgspec.structs.replace(capture, spec=msgspec.structs.replace(capture.spec, target=target))


def enabled_buttons(window: MainWindow, qapp: QApplication) -> Iterator[tuple[str, str]]:
    """(pane, text) of all that can be clicked, on every page of every pane."""
    area = window.show_panes()
    for name in area.panes:
        area.show_pane(name)
        place = area.panes[name]
        if hasattr(place, "make"):
            place.make()
        qapp.processEvents()
        pane = getattr(place, "pane", place)
        yield from ((name, text) for text in _enabled(pane))
        for tabs in pane.findChildren(QTabWidget):
            for index in range(tabs.count()):
                tabs.setCurrentIndex(index)
                qapp.processEvents()
                yield from ((name, text) for text in _enabled(pane))


def _enabled(pane: QWidget) -> Iterator[str]:
    for button in pane.findChildren(QAbstractButton):
        of_qt = button.objectName().startswith("qt_") or type(button).__module__.startswith("PySide6")
        text = button.text() or button.objectName().removeprefix("graph-")
        if button.isVisibleTo(pane) and button.isEnabled() and text and not (of_qt and "Scroll" in text):
            yield text


def enabled_actions(window: MainWindow) -> set[str]:
    window.actions_by_id.update()
    return {name for name, action in window.actions_by_id.actions.items() if action.isEnabled()}


def test_with_nothing_open(window: MainWindow, qapp: QApplication) -> None:
    assert set(enabled_buttons(window, qapp)) == ALWAYS
    assert enabled_actions(window) == WITHOUT_ONE


@pytest.mark.parametrize("make", [only_compiled, pytest.param(recorded, marks=pytest.mark.thorough)])
def test_where_nothing_runs(
    window: MainWindow, session: Session, engine: FakeEngine, qapp: QApplication, make
) -> None:
    capture = make()
    open_capture(session, capture)
    afresh = AFRESH if make is only_compiled else set()
    assert set(enabled_buttons(window, qapp)) - WHERE_THERE_IS_ROOM == ALWAYS | LOOKING | afresh
    actions = enabled_actions(window)
    assert not actions & OF_A_PROGRAM
    assert ("file.capture_again" in actions) == (make is only_compiled)
    slowest = window.show_panes().panes["source"].pane.slowest
    assert slowest.toolTip() == session.why_not_run


@pytest.mark.thorough
def test_what_runs_can_be_asked(
    window: MainWindow, session: Session, engine: FakeEngine, qapp: QApplication
) -> None:
    open_capture(session, sample_capture.capture())
    found = set(enabled_buttons(window, qapp)) - WHERE_THERE_IS_ROOM
    asking = {
        *(("source", "Slowest line"), ("timings", "Start"), ("breaks", "Measure cost")),
        *(("partition", "Show the curve"), ("partition", "Measure"), ("dispatcher", "Trace a step")),
        *(("prims", "Capture level by level"), ("options", "Common choices"), ("options", "Measure")),
        ("cause", "Find the cause"),
    }
    assert found == ALWAYS | LOOKING | AFRESH | asking
    assert enabled_actions(window) >= OF_A_PROGRAM


def test_what_was_printed_and_timed_can_be_forgotten_once(
    window: MainWindow, session: Session, qapp: QApplication
) -> None:
    area = window.show_panes()
    area.show_pane("output")
    output = area.panes["output"].pane
    assert not output.clear.isEnabled()
    session.output_arrived.emit("printed\n")
    assert output.clear.isEnabled()
    assert output.copy.isEnabled()
    output.clear.click()
    assert not output.clear.isEnabled()
    assert not output.copy.isEnabled()
