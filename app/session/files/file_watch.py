"""Tells when files have been saved, by whatever way an editor saves: in place, or by a new file under the old name."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

SETTLE_MS = 200
"""A file must have stood still for so long before it counts as saved."""

_Stamp = tuple[int, int, int]


class FileWatch(QObject):
    """Watches files and their folders, since a file that is replaced is forgotten by the system's watch of it."""

    saved = Signal(tuple)
    """Paths, as text, of the files whose content is another one now. All of them stand still."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._known: dict[str, bytes] = {}
        self._stamps: dict[str, _Stamp | None] = {}
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._look)
        self._watcher.fileChanged.connect(lambda _path: self._settle.start())
        self._watcher.directoryChanged.connect(lambda _path: self._settle.start())

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that are watched."""
        return tuple(self._known)

    def watch(self, paths: Iterable[str]) -> None:
        """Watch these files from now on, as they are now, instead of others. Those watched before keep their state, so
        that what is saved meanwhile is not missed.
        """
        wanted = list(dict.fromkeys(str(Path(path)) for path in paths))
        self._known = {path: self._known.get(path) or _digest(path) for path in wanted}
        self._stamps = {path: self._stamps.get(path) or _stamp(path) for path in wanted}
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)
        self._add()

    def stop(self) -> None:
        """Watch nothing."""
        self._settle.stop()
        self._known, self._stamps = {}, {}
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _add(self) -> None:
        watched = {*self._watcher.files(), *self._watcher.directories()}
        folders = {str(Path(path).parent) for path in self._known}
        wanted = [path for path in (*self._known, *folders) if path not in watched and Path(path).exists()]
        if wanted:
            self._watcher.addPaths(wanted)

    def _look(self) -> None:
        """Something happened a moment ago. A file that is away, or was written meanwhile, is given another moment."""
        self._add()
        stamps = {path: _stamp(path) for path in self._known}
        moving = [path for path, stamp in stamps.items() if stamp != self._stamps[path]]
        self._stamps = stamps
        if moving:
            self._settle.start()
            return
        changed = []
        for path, stamp in stamps.items():
            if stamp is None:
                continue  # away: the watch of its folder says when it is back
            digest = _digest(path)
            if digest and digest != self._known[path]:
                self._known[path] = digest
                changed.append(path)
        if changed:
            self.saved.emit(tuple(changed))


def _stamp(path: str) -> _Stamp | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _digest(path: str) -> bytes:
    """Of the content; empty where it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except OSError:
        return b""
