"""The journal of edits on disk, written as they are made, so that a crash of any process loses none.

One file a session: a line with what the edits belong to, then one line for each edit, undo and redo.
"""

import hashlib
import io
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec
from PySide6.QtCore import QLockFile, QStandardPaths

from compiler.analysis.edits.history_tree import EditTree, StateId, is_whole, line_of_edits
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit
from compiler.model.ir.unreadable import UNREADABLE
from compiler.model.session_file.reading_limits import TooLargeError, read_plain


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
    tree: EditTree | None = None
    """All states that were there already; None: those of `before`, without branches."""

    @property
    def tree_before(self) -> EditTree:
        """The states that were there when it began."""
        return self.tree if self.tree is not None else line_of_edits(self.before, self.before_undone)

    @property
    def applied_before(self) -> tuple[Edit, ...]:
        """The edits that were active when it began."""
        tree = self.tree_before
        return tree.edits(tree.current)


class Made(msgspec.Struct, frozen=True, tag="made"):
    """An edit was made."""

    edit: Edit


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """The last edit was undone."""


class Redone(msgspec.Struct, frozen=True, tag="redone"):
    """The edit undone last was made again."""


class Went(msgspec.Struct, frozen=True, tag="went"):
    """Another state was gone to."""

    state: StateId


class Named(msgspec.Struct, frozen=True, tag="named"):
    """A state was given a name."""

    state: StateId
    name: str


class Dropped(msgspec.Struct, frozen=True, tag="dropped"):
    """A state and all on top of it were given up."""

    state: StateId


class Adopted(msgspec.Struct, frozen=True, tag="adopted"):
    """The states of another journal were taken over."""

    tree: EditTree


JournalLine: TypeAlias = Heading | Made | Undone | Redone | Went | Named | Dropped | Adopted

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[JournalLine] = msgspec.json.Decoder(JournalLine)


class RecoverableJournal(msgspec.Struct, frozen=True):
    """A journal that nobody closed: its session crashed."""

    path: str
    heading: Heading
    tree: EditTree
    """All states, those of the file it began with included."""

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The active edits when it ended."""
        return self.tree.edits(self.tree.current)


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
        self._path: Path | None = None
        self._stream: io.FileIO | None = None
        self._lock: QLockFile | None = None

    def begin(self, capture: Capture, before: EditTree) -> None:
        """Edits that follow belong to this capture and come on top of those before, which are safe elsewhere."""
        self.close(keep=False)
        self._capture, self._before = capture, before

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
    for path in sorted(folder.glob("*.jsonl")):
        journal = read_journal(path)
        if journal is None or _in_use(path):
            continue
        heading = journal.heading
        began = (heading.target, heading.folder, heading.applied_before)
        if began != (target.name, target.folder, edits) or journal.tree == heading.tree_before:
            continue
        graphs = graphs or fingerprint(capture)
        if heading.graphs == graphs:
            found.append(journal)
    return tuple(sorted(found, key=lambda journal: -journal.heading.started))


def read_journal(path: Path) -> RecoverableJournal | None:
    """What a journal says, as far as it can be read: a crash may have cut its last line short."""
    found: RecoverableJournal | None = None
    for heading, tree in states_of(path):
        found = RecoverableJournal(str(path), heading, tree)
    return found


def states_of(path: Path) -> Iterator[tuple[Heading, EditTree]]:
    """The heading and the tree after each line of a journal, as far as it can be read. Each tree has all states in it, so
    that a caller who needs the last one keeps no other.
    """
    heading: Heading | None = None
    tree = EditTree()
    try:
        lines = read_plain(path).splitlines()
    except (OSError, TooLargeError):
        return
    for text in lines:
        try:
            line = _DECODER.decode(text)
            if isinstance(line, Heading):
                tree, heading = _whole(line.tree_before), line
            elif heading is not None:
                tree = replayed(tree, line)
        except (*UNREADABLE, LookupError):
            return
        if heading is None:
            return
        yield heading, tree


def replayed(tree: EditTree, line: JournalLine) -> EditTree:
    """What one line makes of the states. Raises KeyError for a line that does not fit."""
    match line:
        case Made():
            return tree.with_edit(line.edit)
        case Undone():
            return tree.undone()
        case Redone():
            return tree.redone()
        case Went():
            return tree.at(line.state)
        case Named():
            return tree.named(line.state, line.name)
        case Dropped():
            return tree.dropped(line.state)
        case Adopted():
            return _whole(line.tree)
        case _:
            return tree


def _whole(tree: EditTree) -> EditTree:
    if not is_whole(tree):
        raise KeyError("states")
    return tree


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
