"""Opening a line in the person's own editor: the command they set, or that of an editor found on this computer."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QSettings, QUrl
from PySide6.QtGui import QDesktopServices

from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.remote.machine import chosen

KNOWN: dict[str, str] = {
    "code": "code -g {file}:{line}",
    "codium": "codium -g {file}:{line}",
    "cursor": "cursor -g {file}:{line}",
    "zed": "zed {file}:{line}",
    "subl": "subl {file}:{line}",
    "pycharm": "pycharm --line {line} {file}",
    "charm": "charm --line {line} {file}",
    "kate": "kate --line {line} {file}",
    "gvim": "gvim +{line} {file}",
    "mvim": "mvim +{line} {file}",
    "gedit": "gedit +{line} {file}",
    "gnome-text-editor": "gnome-text-editor {file}",
    "mousepad": "mousepad --line={line} {file}",
    "geany": "geany {file}:{line}",
    "mate": "mate -l {line} {file}",
}
"""Editors with a window of their own, and how each is reported a line. One for the terminal has nowhere to open."""
_SETTING = "editor/command"
_PLACE = re.compile(r"\{file\}|\{line\}")


class CommandError(ValueError):
    """The command cannot be used. The message says why."""


def split_command(command: str, path: str, line: int) -> list[str]:
    """A command as a program and its arguments. Nothing is handed to a shell. Raises CommandError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(
            tr("{command!r} cannot be read: {error}").format(command=command, error=error)
        ) from error
    if not words:
        raise CommandError(tr("the command is empty"))
    if not any("{file}" in word for word in words[1:]):
        raise CommandError(
            tr("{command!r} does not say where the file goes: write {{file}}").format(command=command)
        )
    places = {"{file}": path, "{line}": str(line)}
    return [words[0], *(_PLACE.sub(lambda found: places[found.group()], word) for word in words[1:])]


def detected(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Commands of the editors found here; first what ``VISUAL`` or ``EDITOR`` name, if it has a window of its own."""
    found = []
    for variable in ("VISUAL", "EDITOR"):
        words = environment.get(variable, "").split()
        name = Path(words[0]).name if words else ""
        if name in KNOWN and shutil.which(words[0]):
            found.append(shlex.quote(words[0]) + KNOWN[name].removeprefix(name))
    found += [command for name, command in KNOWN.items() if shutil.which(name)]
    return tuple(dict.fromkeys(found))


class ExternalEditor(QObject):
    """Runs only what the person set, or an editor from the table. Failures are reported once, with what to do."""

    def __init__(self, report: Callable[[Problem], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self.start: Callable[[str, list[str]], bool] = _start
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl

    @property
    def command(self) -> str:
        """The command set, or empty: then the first editor found is taken."""
        return str(QSettings().value(_SETTING, "") or "")

    @command.setter
    def command(self, command: str) -> None:
        QSettings().setValue(_SETTING, command.strip())

    def open(self, path: str, line: int) -> None:
        """Open a file at a line, from 1. What fails becomes a problem."""
        machine = chosen()
        if machine is not None or not Path(path).is_file():
            where = (
                tr("{path} is on {name}.").format(path=path, name=machine.name) if machine is not None else ""
            )
            self._report(
                Problem(
                    where or tr("There is no file {path} on this computer.").format(path=path),
                    tr("Open it there.")
                    if where
                    else tr("The capture may be another machine's; capture again here."),
                    severity=Severity.WARNING,
                )
            )
            return
        command = self.command or next(iter(detected()), "")
        if not command:
            if not self.open_url(QUrl.fromLocalFile(path)):
                self._fail(path, line, tr("no editor was found"))
            return
        try:
            program, *arguments = split_command(command, str(Path(path).resolve()), max(line, 1))
        except CommandError as error:
            self._fail(path, line, str(error))
            return
        if not shutil.which(program):
            self._fail(path, line, tr("there is no program {program!r}").format(program=program))
        elif not self.start(program, arguments):
            self._fail(path, line, tr("{program!r} did not start").format(program=program))

    def _fail(self, path: str, line: int, why: str) -> None:
        self._report(
            Problem(
                tr("{name}:{line} was not opened: {why}.").format(name=Path(path).name, line=line, why=why),
                tr("Set the command of your editor: Edit, Editor command."),
                severity=Severity.WARNING,
            )
        )


def _start(program: str, arguments: list[str]) -> bool:
    return bool(QProcess.startDetached(program, arguments)[0])
