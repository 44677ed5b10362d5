"""The journal of edits on disk, written as they are made, so that a crash of any process loses none.

One file a session: a line with what the edits belong to, then one line for each edit, undo and redo.
"""

import hashlib
import time
from pathlib import Path
from typing import TextIO, TypeAlias

import msgspec
from PySide6.QtCore import QLockFile, QStandardPaths

from compiler.model.capture import Capture
from compiler.model.edits import Edit


class Heading(msgspec.Struct, frozen=True, tag="heading"):
    """What the edits of a journal belong to."""

    target: str
    folder: str
    graphs: str
    """Fingerprint of the graphs that the edits started from."""
    started: float
    """Seconds since 1970."""
    before: tuple[Edit, ...] = ()
    """The edits that a file held already, the last `before_undone` of them undone."""
    before_undone: int = 0

    @property
    def applied_before(self) -> tuple[Edit, ...]:
        """The edits that were in force when it began."""
        return self.before[: len(self.before) - self.before_undone]


class Made(msgspec.Struct, frozen=True, tag="made"):
    """An edit was made."""

    edit: Edit


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """The last edit was undone."""


class Redone(msgspec.Struct, frozen=True, tag="redone"):
    """The edit undone last was made again."""


JournalLine: TypeAlias = Heading | Made | Undone | Redone

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[JournalLine] = msgspec.json.Decoder(JournalLine)


class RecoverableJournal(msgspec.Struct, frozen=True):
    """A journal that nobody closed: its session crashed."""

    path: str
    heading: Heading
    edits: tuple[Edit, ...]
    """All edits, those of the file it began with included; the last `undone` are undone."""
    undone: int

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The edits in force when it ended."""
        return self.edits[: len(self.edits) - self.undone]


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
        self._before: tuple[Edit, ...] = ()
        self._before_undone = 0
        self._path: Path | None = None
        self._stream: TextIO | None = None
        self._lock: QLockFile | None = None

    def begin(self, capture: Capture, before: tuple[Edit, ...] = (), before_undone: int = 0) -> None:
        """Edits that follow belong to this capture and come on top of those before, which are safe elsewhere."""
        self.close(keep=False)
        self._capture, self._before, self._before_undone = capture, before, before_undone

    def write(self, line: JournalLine) -> None:
        """Append a line and hand it to the operating system at once. Raises OSError."""
        if self._stream is None:
            self._open()
        if self._stream is not None:
            self._stream.write(_ENCODER.encode(line).decode() + "\n")
            self._stream.flush()

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
            self._before,
            self._before_undone,
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
                self._stream = path.open("w", encoding="utf-8")
                self.write(heading)
                return
        raise OSError(f"no free name for a journal in {self._folder}")


def recoverable(folder: Path, capture: Capture, edits: tuple[Edit, ...]) -> tuple[RecoverableJournal, ...]:
    """Journals of crashed sessions that began with this capture and these edits, newest first."""
    target, graphs = capture.spec.target, ""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        journal = read_journal(path)
        if journal is None or _in_use(path):
            continue
        heading = journal.heading
        began = (heading.target, heading.folder, heading.applied_before)
        if began != (target.name, target.folder, edits) or journal.applied == edits:
            continue
        graphs = graphs or fingerprint(capture)
        if heading.graphs == graphs:
            found.append(journal)
    return tuple(sorted(found, key=lambda journal: -journal.heading.started))


def read_journal(path: Path) -> RecoverableJournal | None:
    """What a journal says, as far as it can be read: a crash may have cut its last line short."""
    edits: list[Edit] = []
    undone = 0
    heading: Heading | None = None
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return None
    for text in lines:
        try:
            line = _DECODER.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            break
        match line:
            case Heading():
                heading = line
                edits, undone = list(line.before), line.before_undone
            case Made():
                del edits[len(edits) - undone :]
                edits.append(line.edit)
                undone = 0
            case Undone():
                undone = min(undone + 1, len(edits))
            case Redone():
                undone = max(undone - 1, 0)
    return RecoverableJournal(str(path), heading, tuple(edits), undone) if heading else None


def _in_use(path: Path) -> bool:
    """Whether a living session writes this journal."""
    lock = QLockFile(str(_lock_path(path)))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return True
    lock.unlock()
    return False


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")
