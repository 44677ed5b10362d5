"""The line that names the single keys: only while the canvas has the focus, only what can be done."""

from app.panes.graph.search_bar import SearchBar
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.notices.key_hints import KeyHints
from compiler.model.ir.ids import place


def test_keys_are_named_while_the_canvas_has_the_focus(
    window: MainWindow, session: Session, qtbot, captured
) -> None:
    window.activateWindow()
    area = window.dock_area
    hints = window.findChild(KeyHints)
    graph = area.panes["graph"]
    graph.setFocus()
    qtbot.waitUntil(lambda: "N  next stage" in hints.keys)
    assert hints.keys[-1] == "?  all keys"
    assert not any(key.startswith("R  ") for key in hints.keys), "nothing is selected that could be replaced"
    stage = session.stage
    node = next(node for node in stage.graph.nodes if node.op == "call_function")
    session.selection.select(place(stage.id, node.id))
    qtbot.waitUntil(lambda: "R  replace target" in hints.keys)
    for key in hints.keys[:-1]:
        letter, _, title = key.partition("  ")
        rows = [
            row for row in window.actions_by_id.rows.values() if row.title.removesuffix("…").lower() == title
        ]
        assert any(row.shortcut.replace("Shift+", "⇧") == letter for row in rows)
    graph.findChild(SearchBar).open()
    qtbot.waitUntil(lambda: hints.keys == ())  # there letters are typed
    graph.setFocus()
    qtbot.waitUntil(lambda: hints.keys != ())
    window.menuBar().setFocus()
    qtbot.waitUntil(lambda: hints.keys == ())
    assert not hints.grab().isNull()


def test_no_hint_takes_the_place_of_the_status(window: MainWindow) -> None:
    """Qt hides what the bar says while it shows a tip of its own."""
    assert not any(action.statusTip() for action in window.actions_by_id.actions.values())
