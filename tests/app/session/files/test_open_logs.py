"""A log of torch's, or a folder of them, opens in the window like a session, and is never written to."""

import gzip
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.session.files import session_files
from app.window.status_line import StatusLine
from compiler.analysis.torch_logs import opening
from tests.compiler.analysis.torch_logs.recorded_log import text


def test_a_log_opens_and_is_not_the_file_that_is_saved_to(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "rank_0.log.gz"
    path.write_bytes(gzip.compress(text()))
    before = path.read_bytes()
    session.open_file(path)
    session.wait_for_files()
    assert session.capture.log is not None
    assert session.file_path is None
    saved = tmp_path / "kept.loupe"
    session.save_file(saved)
    session.wait_for_files()
    assert session.file_path == saved
    assert path.read_bytes() == before


def test_of_a_folder_the_first_log_with_compiles_opens_and_the_others_are_reported(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "a_rank_0.log").write_bytes(text().split(b"\n", 1)[0])
    (tmp_path / "a_rank_10.log").write_bytes(text())
    (tmp_path / "a_rank_2.log").write_bytes(text())
    session.open_file(tmp_path)
    session.wait_for_files()
    assert session.capture.spec.target.name == "a_rank_2.log"
    assert any("holds 3 logs" in problem.what for problem in session.capture.problems)


def test_a_folder_without_logs_is_reported(session: Session, tmp_path: Path) -> None:
    reported = []
    session.problem_reported.connect(reported.append)
    session.open_file(tmp_path)
    session.wait_for_files()
    assert session.capture is None
    assert "holds no .log" in reported[0].what


def test_cancel_ends_the_reading_of_a_log(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setattr(session_files, "_QUIET_S", 0.0)
    path = tmp_path / "long.log"
    path.write_bytes(text() * 40)
    line = StatusLine(session)
    reported: list[str] = []

    def on_status() -> None:
        if session.busy and not reported:
            reported.append(line.text.text())
            line.cancel.click()

    session.status_changed.connect(on_status)
    session.open_file(path)
    while not reported:
        qapp.processEvents()
    session.wait_for_files()
    assert reported[0].startswith("Reading long.log: ")
    assert session.capture is None
    line.stop()
    line.deleteLater()


def test_of_numbered_names_two_comes_before_ten(tmp_path: Path) -> None:
    for rank in (10, 2, 1):
        (tmp_path / f"x_rank_{rank}_q.log").touch()
    assert [path.name for path in opening.log_files(tmp_path)] == [
        f"x_rank_{rank}_q.log" for rank in (1, 2, 10)
    ]
