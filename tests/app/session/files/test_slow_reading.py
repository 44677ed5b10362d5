"""A large file is read beside the window: how far it is stands in the status line, and Cancel ends it."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.session.files import session_files
from app.window.status_line import StatusLine
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.ir.stage import Stage, StageKind, TextStage
from tests.helpers import sample_capture


def _large(path: Path) -> Path:
    """A file of many members, so that there is somewhere to stop."""
    text = TextStage("\n".join("x = 1" for _ in range(2000)), "python")
    more = tuple(Stage(f"t{number}", StageKind.FRONT_END_TEXT, "Text", text) for number in range(200))
    capture = sample_capture.capture()
    write_session(path, SessionData((msgspec.structs.replace(capture, stages=(*capture.stages, *more)),)))
    return path


def test_cancel_ends_the_reading_of_a_file(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    path = _large(tmp_path / "large.loupe")
    monkeypatch.setattr(session_files, "_QUIET_S", 0.0)
    line = StatusLine(session)
    reported: list[str] = []

    def on_status() -> None:
        if session.busy and not reported:
            reported.append(line.text.text())
            assert not line.cancel.isHidden()
            line.cancel.click()

    session.status_changed.connect(on_status)
    session.open_file(path)
    while not reported:
        qapp.processEvents()
    session.wait_for_files()
    assert reported[0].startswith("Reading large.loupe: ")
    assert not session.busy
    stopped = session.capture is None
    session.open_file(path)
    session.wait_for_files()
    assert session.capture is not None
    assert not session.busy
    assert stopped
    line.stop()
    line.deleteLater()
