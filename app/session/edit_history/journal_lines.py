"""What stands in a journal of edits, and reading it. Needs no Qt, and believes nothing that a file says."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from compiler.analysis.edits.history_tree import EditTree, StateId, is_whole, line_of_edits
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
