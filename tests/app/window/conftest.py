from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from app.window.workspaces.dock_area import DockArea
from tests.helpers.captured_window import capture_sample


@pytest.fixture
def window(session: Session, qapp: QApplication, qtbot) -> Iterator[MainWindow]:
    """The window, shown, with its panes made."""
    qapp.setOrganizationName("torch-loupe-tests")
    made = MainWindow(session, ThemeChoice(qapp))
    made.show()
    qtbot.waitUntil(lambda: made.dock_area is not None)
    yield made
    session.undo_stack.setClean()
    made.close()
    made.deleteLater()


@pytest.fixture
def captured(window: MainWindow, session: Session, qtbot) -> MainWindow:
    """The window with the sample captured."""
    capture_sample(window, session, qtbot)
    return window


@pytest.fixture
def area(captured: MainWindow) -> DockArea:
    """Its panes."""
    assert captured.dock_area is not None
    return captured.dock_area
