"""Lines are opened by what the person set or by an editor that was found, without a shell, and failures are reported."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.session.files.external_editor import CommandError, ExternalEditor, detected, split_command
from app.session.selection.selected_line import selected_line
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from tests.helpers.sample_capture import DYNAMO, KERNELS, PATH, SOURCE, WRAPPER, capture


class Desk:
    """An editor whose programs are written down instead of started."""

    def __init__(self) -> None:
        self.reported: list[Problem] = []
        self.started: list[tuple[str, list[str]]] = []
        self.urls: list[QUrl] = []
        self.editor = ExternalEditor(self.reported.append)
        self.editor.start = lambda program, words: bool(self.started.append((program, words)) or True)
        self.editor.open_url = lambda url: bool(self.urls.append(url) or True)


@pytest.fixture
def desk(qapp: QApplication) -> Desk:
    return Desk()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    return folder


def _program(folder: Path, name: str) -> None:
    (folder / name).write_text("#!/bin/sh\n")
    os.chmod(folder / name, 0o755)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my model; rm -rf $HOME.py"
    path.write_text("x = 1\n")
    return path


def test_a_file_name_is_one_word_whatever_is_in_it(desk: Desk, programs: Path, file: Path) -> None:
    _program(programs, "ed it")
    desk.editor.command = "'ed it' --at {line} --file={file}"
    desk.editor.open(str(file), 7)
    assert desk.started == [("ed it", ["--at", "7", f"--file={file}"])]
    assert desk.reported == []


def test_what_was_set_comes_before_what_was_found(desk: Desk, programs: Path, file: Path) -> None:
    for name in ("kate", "code"):
        _program(programs, name)
    desk.editor.open(str(file), 0)
    assert desk.started == [("code", ["-g", f"{file}:1"])]
    desk.editor.command = "kate --line {line} {file}"
    desk.editor.open(str(file), 3)
    assert desk.started[-1] == ("kate", ["--line", "3", str(file)])


def test_an_editor_of_the_terminal_is_not_taken(programs: Path) -> None:
    for name in ("vim", "gvim", "subl"):
        _program(programs, name)
    assert detected({"EDITOR": "vim"}) == ("subl {file}:{line}", "gvim +{line} {file}")
    assert detected({"EDITOR": "vim", "VISUAL": "gvim"})[0] == "gvim +{line} {file}"


def test_without_an_editor_the_desktop_opens_it(desk: Desk, programs: Path, file: Path) -> None:
    desk.editor.open(str(file), 3)
    assert [url.toLocalFile() for url in desk.urls] == [str(file)]
    desk.editor.open_url = lambda _url: False
    desk.editor.open(str(file), 3)
    assert "no editor was found" in desk.reported[-1].what


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("nosuch {file}", "no program 'nosuch'"),
        ("code 'x {file}", "cannot be read"),
        ("code", "write {file}"),
    ],
)
def test_what_cannot_be_run_is_reported_with_the_remedy(
    desk: Desk, programs: Path, file: Path, command: str, why: str
) -> None:
    desk.editor.command = command
    desk.editor.open(str(file), 3)
    (reported,) = desk.reported
    assert why in reported.what
    assert "Editor command" in reported.remedy
    assert desk.started == []


def test_a_file_of_another_machine_is_reported(desk: Desk) -> None:
    desk.editor.open("/not/here.py", 3)
    assert desk.reported[0].what.startswith("There is no file /not/here.py")


def test_placeholders_are_filled_in_words_only() -> None:
    assert split_command("a {file}:{line} {line}", "/f {line}", 2) == ["a", "/f {line}:2", "2"]
    with pytest.raises(CommandError):
        split_command("  ", "/f", 1)


def test_the_line_of_a_selection(session: Session) -> None:
    made = capture()
    links = Provenance(made.links)

    def line(stage: str, *nodes: str) -> tuple[str, int] | None:
        found = selected_line(made, place(stage, *nodes), links)
        return (found.path, found.line) if found is not None else None

    assert line(SOURCE, "L7", "L6") == (PATH, 6)
    assert line(DYNAMO, "z") == (PATH, 6)
    assert line(DYNAMO, "l_x_") is None
    assert line(KERNELS, "cpp_fused_mul_relu_0") == (PATH, 6)
    assert line(WRAPPER, "L8") == ("/tmp/w.py", 8)
    assert line(DYNAMO) is None
