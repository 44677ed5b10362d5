"""The ``loupe`` command: what it does with its words, and what it says when it cannot."""

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap
from pytestqt.qtbot import QtBot

from app import __main__ as command
from app import pictures
from compiler.analysis.session_file.session_file import Journal, SessionData, write_session
from tests.helpers import sample_capture
from tests.helpers.finished_process import ran
from tests.helpers.thoroughness import some

ROOT = Path(__file__).resolve().parents[3]


def test_wrong_usage(capsys, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert command.main(["no_such_thing"]) == 2
    assert "neither a command, a .loupe file nor a program" in capsys.readouterr().err
    assert command.main(["histry", "a.loupe", "relu"]) == 2
    reported = capsys.readouterr().err
    assert reported.startswith("loupe: 'histry' is neither a command")
    assert "Did you mean history?" in reported
    assert command.main(["kernels", "a.loupe", "--json"]) == 2
    reported = capsys.readouterr().err
    assert reported.count("\n") == 1, "one sentence, and not each option of the window"
    assert command.main(["missing.loupe"]) == 2
    assert command.main(["picture", "missing.loupe"]) == 2
    assert command.main(["--nonsense"]) == 2
    assert command.main(["--help"]) == 0
    assert "loupe picture" in capsys.readouterr().out


def test_no_display_and_nothing_to_do(capsys, monkeypatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert command.main([]) == 2
    assert "no display" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.loupe", "results", "results/batch.json", "model.py"])
def test_what_the_window_opens_can_be_named(name: str, tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "results").mkdir()
    for made in ("a.loupe", "results/batch.json", "model.py"):
        (tmp_path / made).touch()
    shown: list[Path | None] = []
    monkeypatch.setattr(command, "_show", lambda opened, *_, **__: shown.append(opened) or 0)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert command.main([str(tmp_path / name)]) == 0
    assert shown == [tmp_path / name]
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    assert command.main([str(tmp_path / name)]) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'PySide6'", name="PySide6"), "PySide6-Essentials"),
        (ImportError("libEGL.so.1: cannot open shared object file"), "libegl1"),
        (ImportError("libxcb-cursor.so.0: cannot open shared object file"), "libxcb-cursor0"),
    ],
)
def test_what_is_missing_is_named_in_one_message(error, words, capsys, monkeypatch) -> None:
    def fail(_words):
        raise error

    monkeypatch.setattr(command, "_window", fail)
    assert command.main([]) == 1
    assert words in capsys.readouterr().err


def test_an_import_of_our_own_that_fails_is_not_hidden(monkeypatch) -> None:
    def fail(_words):
        raise ImportError("cannot import name 'x' from 'app.main'")

    monkeypatch.setattr(command, "_window", fail)
    with pytest.raises(ImportError):
        command.main([])


@pytest.mark.thorough
@pytest.mark.parametrize("look", some(([], ["--dark"])))
def test_pictures_of_a_session(tmp_path: Path, look: list[str]) -> None:
    file = tmp_path / "a.loupe"
    write_session(file, SessionData((sample_capture.capture(),), (Journal("capture-1"),)))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    result = ran(
        [sys.executable, "-m", "app", "picture", str(file), "-o", str(tmp_path / "out"), *look],
        ROOT,
        environment,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    names = {path.stem for path in (tmp_path / "out").glob("*.png")}
    assert {"window", "graph", "pipeline", "source", "code", "inspector", "timings", "problems"} <= names
    assert all(path.stat().st_size > 500 for path in (tmp_path / "out").glob("*.png"))


def test_pictures_that_cannot_be_written_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qtbot: QtBot
) -> None:
    """Qt's own writing says nothing, and pictures were told that were not there."""
    file = tmp_path / "a.loupe"
    write_session(file, SessionData((sample_capture.capture(),)))
    assert command.main(["picture", str(file), "-o", str(file / "out")]) == 1
    assert "Not a directory. Choose another place." in capsys.readouterr().err
    picture = QPixmap(4, 4)
    picture.fill()
    with pytest.raises(OSError, match=r"No space left.*/dev/full"):
        pictures._write(picture, Path("/dev/full"))
