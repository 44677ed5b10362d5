"""Files are reported once they stand still, by whatever way they were saved."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session.files.file_watch import FileWatch


@pytest.fixture
def watch(qapp: QApplication) -> Iterator[FileWatch]:
    made = FileWatch()
    yield made
    made.stop()
    made.deleteLater()


def _saved(watch: FileWatch) -> list[tuple[str, ...]]:
    reported: list[tuple[str, ...]] = []
    watch.saved.connect(reported.append)
    return reported


@pytest.mark.thorough
def test_written_in_place_and_by_rename_again_and_again(
    watch: FileWatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "model.py"
    path.write_text("a = 1\n")
    watch.watch([str(path)])
    reported = _saved(watch)
    path.write_text("a = 2\n")
    qtbot.waitUntil(lambda: reported == [(str(path),)])
    for number in range(3):
        fresh = tmp_path / f".model.py.{number}"
        fresh.write_text(f"a = {3 + number}\n")
        os.replace(fresh, path)
        qtbot.waitUntil(lambda: len(reported) == 2 + number)
    path.unlink()
    qtbot.wait(300)
    path.write_text("back = True\n")
    qtbot.waitUntil(lambda: len(reported) == 5)


def test_what_does_not_change_the_text_is_not_reported(
    watch: FileWatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path, other = tmp_path / "model.py", tmp_path / "notes.txt"
    path.write_text("a = 1\n")
    watch.watch([str(path)])
    reported = _saved(watch)
    path.touch()
    path.write_text("a = 1\n")
    other.write_text("not watched")
    qtbot.wait(700)
    assert reported == []


@pytest.mark.thorough
def test_a_file_that_is_still_being_written_is_waited_for(
    watch: FileWatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "model.py"
    path.write_text("")
    watch.watch([str(path)])
    reported = _saved(watch)
    texts: list[str] = []
    watch.saved.connect(lambda _paths: texts.append(path.read_text()))
    with path.open("w") as stream:
        for number in range(6):
            stream.write(f"line_{number} = 1\n")
            stream.flush()
            qtbot.wait(80)
    qtbot.waitUntil(lambda: bool(reported))
    qtbot.wait(500)
    assert len(reported) == 1
    assert texts[0].count("\n") == 6


def test_two_files_saved_together_are_reported_together(
    watch: FileWatch, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in paths:
        path.write_text("x")
    watch.watch(map(str, paths))
    reported = _saved(watch)
    for path in paths:
        path.write_text("y")
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [tuple(map(str, paths))]
