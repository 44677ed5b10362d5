"""What stands in a journal of edits, and reading it. Needs no Qt, and believes nothing that a file says."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from compiler.analysis.edits.history_replay import Replay
from compiler.analysis.edits.history_tree import EditTree, StateId, is_whole, line_of_edits
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import UNREADABLE
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
    spec: CaptureSpec | None = None
    """How the program was captured; None: nobody noted it."""
    file: str = ""
    """The session file that holds what was there when it began; empty where none does."""

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

_MOST_LINES = 1_000_000
"""That are read; nobody makes so many steps."""
_DECODER: msgspec.json.Decoder[JournalLine] = msgspec.json.Decoder(JournalLine)


class RecoverableJournal(msgspec.Struct, frozen=True):
    """A journal that nobody closed: its session crashed."""

    path: str
    heading: Heading
    tree: EditTree
    """All states, those of the file it began with included."""

    @property
    def count(self) -> int:
        """How many edits it has that are nowhere else."""
        return len(self.tree.states) - len(self.heading.tree_before.states)


def read_journal(path: Path) -> RecoverableJournal | None:
    """What a journal says, as far as it can be read: a crash may have cut its last line short."""
    last = next(iter(deque(steps_of(path), maxlen=1)), None)
    if last is None:
        return None
    heading, replay = last
    return RecoverableJournal(str(path), heading, replay.tree())


def steps_of(path: Path) -> Iterator[tuple[Heading, Replay]]:
    """The heading and what the lines led to, after each line of a journal, as far as it can be read."""
    heading: Heading | None = None
    replay = Replay(EditTree())
    try:
        lines = read_plain(path).splitlines()
    except (OSError, TooLargeError):
        return
    for text in lines[:_MOST_LINES]:
        try:
            line = _DECODER.decode(text)
            if isinstance(line, Heading):
                replay, heading = Replay(_whole(line.tree_before)), line
            elif isinstance(line, Adopted):
                replay = Replay(_whole(line.tree))
            elif heading is not None:
                _take(replay, line)
        except (*UNREADABLE, LookupError):
            return
        if heading is None:
            return
        yield heading, replay


def replayed(tree: EditTree, line: JournalLine) -> EditTree:
    """What one line makes of the states. Raises KeyError for a line that does not fit."""
    match line:
        case Made():
            return tree.with_edit(line.edit)
        case Adopted():
            return _whole(line.tree)
        case Heading():
            return tree
    replay = Replay(tree)
    _take(replay, line)
    return replay.tree()


def _take(replay: Replay, line: Made | Undone | Redone | Went | Named | Dropped) -> None:
    """Take one step. Raises LookupError for a line that does not fit."""
    match line:
        case Made():
            replay.with_edit(line.edit)
        case Undone():
            replay.undone()
        case Redone():
            replay.redone()
        case Went():
            replay.at(line.state)
        case Named():
            replay.named(line.state, line.name)
        case Dropped():
            replay.dropped(line.state)


def _whole(tree: EditTree) -> EditTree:
    if not is_whole(tree):
        raise KeyError("states")
    return tree
