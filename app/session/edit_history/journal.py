"""The journal of edits on disk, written as they are made, so that a crash of any process loses none.

One file a session: a line with what the edits belong to, then one line for each edit, undo and redo.
"""

import hashlib
import io
import os
import socket
import time
from pathlib import Path

import msgspec
from PySide6.QtCore import QLockFile, QStandardPaths

from app.session.edit_history.journal_lines import Heading, JournalLine, RecoverableJournal, read_journal
from compiler.analysis.edits.history_tree import EditTree
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit

_ENCODER = msgspec.json.Encoder()


def journal_folder() -> Path:
    """Where journals are kept."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(place) / "journals"


def fingerprint(capture: Capture) -> str:
    """The same for captures whose graphs have the same nodes, so that edits of one fit the other."""
    digest = hashlib.sha256()
    for stage in capture.stages:
        if stage.graph is not None:
            nodes = tuple(
                (node.id, node.op, node.target, node.args, node.kwargs) for node in stage.graph.nodes
            )
            digest.update(_ENCODER.encode((stage.id, nodes)))
    return digest.hexdigest()


class EditJournal:
    """Appends to the journal of the capture that is open. The file is made with the first edit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._capture: Capture | None = None
        self._before = EditTree()
        self._file = ""
        self._path: Path | None = None
        self._stream: io.FileIO | None = None
        self._lock: QLockFile | None = None

    def begin(self, capture: Capture, before: EditTree, file: Path | None = None) -> None:
        """Edits that follow belong to this capture and come on top of those before, which are safe elsewhere: in this file,
        where it is one.
        """
        self.close(keep=False)
        self._capture, self._before = capture, before
        self._file = os.path.abspath(file) if file is not None else ""

    def write(self, line: JournalLine) -> None:
        """Append a line and hand it to the operating system at once: all of it, or, with an OSError, nothing."""
        if self._stream is None:
            self._open()
        if self._stream is not None:
            self._append(line)

    def _append(self, line: JournalLine) -> None:
        assert self._stream is not None
        rest = memoryview(_ENCODER.encode(line) + b"\n")
        size = self._stream.tell()
        try:
            while rest:  # a disk that fills up takes a part
                rest = rest[self._stream.write(rest) or 0 :]
        except OSError:
            self._stream.seek(size)
            self._stream.truncate()
            raise

    def close(self, keep: bool) -> None:
        """End the journal. `keep` False: the edits are saved or given up, so the file goes too."""
        if self._stream is not None:
            self._stream.close()
        if self._lock is not None:
            self._lock.unlock()
        if self._path is not None and not keep:
            self._path.unlink(missing_ok=True)
        self._stream, self._lock, self._path = None, None, None

    def _open(self) -> None:
        if self._capture is None:
            return
        target = self._capture.spec.target
        heading = Heading(
            target.name,
            target.folder,
            fingerprint(self._capture),
            time.time(),
            tree=self._before,
            spec=self._capture.spec,
            file=self._file,
        )
        self._folder.mkdir(parents=True, exist_ok=True)
        name = "".join(letter if letter.isalnum() else "_" for letter in Path(target.name).name)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for number in range(1000):
            path = self._folder / f"{name[:60]}-{stamp}-{number}.jsonl"
            lock = QLockFile(str(_lock_path(path)))
            lock.setStaleLockTime(0)
            if not path.exists() and lock.tryLock(0):
                self._path, self._lock = path, lock
                try:
                    self._stream = io.FileIO(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w")
                    self._append(heading)
                except OSError:  # a journal without its heading says nothing
                    self.close(keep=False)
                    raise
                return
        raise OSError(f"no free name for a journal in {self._folder}")


def recoverable(folder: Path, capture: Capture, edits: tuple[Edit, ...]) -> tuple[RecoverableJournal, ...]:
    """Journals of crashed sessions that began with this capture and these edits, newest first."""
    target, graphs = capture.spec.target, ""
    found = []
    for journal in _of_crashed_sessions(folder):
        heading = journal.heading
        if (heading.target, heading.folder, heading.applied_before) != (target.name, target.folder, edits):
            continue
        graphs = graphs or fingerprint(capture)
        if heading.graphs == graphs:
            found.append(journal)
    return tuple(found)


def left_behind(folder: Path) -> tuple[RecoverableJournal, ...]:
    """Journals of crashed sessions whose file is there, or whose programs can be captured as they were then, newest first."""
    return tuple(journal for journal in _of_crashed_sessions(folder) if _can_go_on(journal.heading))


def _can_go_on(heading: Heading) -> bool:
    if heading.file and Path(heading.file).is_file():
        return True
    return heading.spec is not None and not heading.tree_before.states


def _of_crashed_sessions(folder: Path) -> list[RecoverableJournal]:
    """All that hold something which is nowhere else, newest first."""
    read = ((path, read_journal(path)) for path in folder.glob("*.jsonl"))
    found = [
        journal
        for path, journal in read
        if journal is not None and journal.tree != journal.heading.tree_before and not _in_use(path)
    ]
    return sorted(found, key=lambda journal: -journal.heading.started)


def _in_use(path: Path) -> bool:
    """Whether a living session writes this journal."""
    lock = QLockFile(str(_lock_path(path)))
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        lock.unlock()
        return False
    if lock.error() is not QLockFile.LockError.LockFailedError:
        return False  # there is no lock, only no room or no right to make one: the disk is full, the folder read-only
    pid, host, _ = lock.getLockInfo()[-3:]
    return host != socket.gethostname() or _is_alive(
        int(pid)
    )  # a dead one's lock stays in a read-only folder


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")
