"""Which program was loaded into this process, and whether another may be: the one rule of when a worker is used again.

A program leaves more behind than can be found and put back. So a process is used again only for the same program with the
same contents of all its own files, and only as long as that changed nothing of the process.
"""

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path

from compiler.engine.file_ownership import file_of, is_reloaded
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.ir.diagnostics import Problem

_Key = tuple[str, str, tuple[str, ...]]


class LoadedProgram:
    """What this process has loaded so far."""

    def __init__(self) -> None:
        self._key: _Key | None = None
        self._name = ""
        self._files: dict[str, bytes] = {}
        self.changes: tuple[Problem, ...] = ()
        """What the program changed in the process, as it was reported: true of its edited captures too."""
        self.search_path: set[str] = set()
        """Folders that we put on `sys.path` for it."""

    def note(self, target: TargetSpec, file: str, texts: Mapping[str, str]) -> None:
        """A program was loaded, or failed to. Of a file counts what it was when it was met first: other texts are tried in
        its place later.
        """
        if self._key is None:
            self._key, self._name = _key(target), target.name
        own = [file_of(module) for module in sys.modules.copy().values()]
        for path in {file, *own}:
            if path and path not in self._files and is_reloaded(path):
                self._files[path] = _digest(path, texts)

    def note_changed(self, reported: Problem) -> None:
        """It changed the process."""
        self.changes += (reported,)

    def forget(self) -> None:
        """What was loaded was ours."""
        self._key, self.changes = None, ()
        self._files.clear()
        self.search_path.clear()

    def why_not(self, target: TargetSpec, texts: Mapping[str, str]) -> str:
        """Why a program must not be loaded into this process; empty where it may be."""
        if self._key is None:
            return ""
        if self._key != _key(target):
            return f"{self._name} ran here"
        if self.changes:
            return "it changed the process"
        changed = [path for path, was in self._files.items() if _digest(path, texts) != was]
        return f"{Path(changed[0]).name} is another now" if changed else ""


def _key(target: TargetSpec) -> _Key:
    return target.name, str(Path(target.folder or Path.cwd()).resolve()), tuple(target.mine)


def _digest(path: str, texts: Mapping[str, str]) -> bytes:
    text = texts.get(path)
    try:
        return hashlib.sha256(text.encode() if text is not None else Path(path).read_bytes()).digest()
    except OSError:
        return b""


THIS_PROCESS = LoadedProgram()
"""Of a worker. A process that captures its own objects asks nobody."""
