from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice


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
