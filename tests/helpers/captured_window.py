"""A window in which a program was captured."""

from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from tests.helpers import sample_capture
from tests.helpers.opened_capture import open_capture


def capture_sample(window: MainWindow, session: Session, qtbot: QtBot) -> None:
    """Capture the sample, and wait until its graph is drawn."""
    open_capture(session, sample_capture.capture())
    graph = window.dock_area.panes["graph"]
    qtbot.waitUntil(lambda: graph.is_idle())
    qtbot.wait(20)
