"""What a file from elsewhere may not do is reported in full beside what came of it."""

from pathlib import Path

import pytest

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from compiler.analysis.session_file.session_file import SessionData, write_session
from tests.helpers import sample_capture


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "theirs.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    return path


@pytest.mark.thorough
def test_nothing_of_it_is_cut_in_a_window_of_1280_pixels(
    window: MainWindow, session: Session, elsewhere: Path, qtbot
) -> None:
    window.resize(1280, 800)
    window.open_path(elsewhere)
    qtbot.waitUntil(lambda: session.trust.restricted and window.row.trust.isVisible())
    words = window.row.trust.text
    qtbot.waitUntil(lambda: words.width() > 100)
    assert words.fontMetrics().horizontalAdvance(words.text()) <= words.width()
    assert "nothing of it is run" in words.text()
