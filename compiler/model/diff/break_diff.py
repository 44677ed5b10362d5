"""Graph breaks of two captures: gone, new, and still there, also where their lines have moved or were touched."""

import difflib
from collections.abc import Callable, Hashable

import msgspec

from compiler.model.capture.frames import GraphBreak
from compiler.model.diff.node_diff import function_name
from compiler.model.diff.sequence_alignment import match_rest

_ALIKE = 0.6
"""Share of the text of a line that must be left for it to count as the same line, edited."""


class BreakDiff(msgspec.Struct, frozen=True):
    """What became of the breaks. One that is given up with its whole frame counts like any other."""

    gone: tuple[GraphBreak, ...] = ()
    new: tuple[GraphBreak, ...] = ()
    kept: tuple[tuple[GraphBreak, GraphBreak], ...] = ()
    """(before, after), in the order after."""

    @property
    def same(self) -> bool:
        """Whether no break came or went."""
        return not (self.gone or self.new)


def compare_breaks(before: tuple[GraphBreak, ...], after: tuple[GraphBreak, ...]) -> BreakDiff:
    """Match breaks by their cause, function and the text of their line; else by a text that is alike."""
    found: dict[int, int] = {}
    for key in (_with_frame, _cause):
        match_rest(_keys(before, key), _keys(after, key), found)
    _match_edited_lines(before, after, found)
    taken = set(found.values())
    return BreakDiff(
        tuple(item for index, item in enumerate(before) if index not in found),
        tuple(item for index, item in enumerate(after) if index not in taken),
        tuple((before[a], after[b]) for a, b in sorted(found.items(), key=lambda pair: pair[1])),
    )


def break_function(item: GraphBreak) -> str:
    """The user's function that it is in; for a resume function the one that it resumes."""
    return function_name(item.where.function) if item.where is not None else ""


def _keys(items: tuple[GraphBreak, ...], key: Callable[[GraphBreak], Hashable]) -> list[Hashable]:
    return [key(item) for item in items]


def _with_frame(item: GraphBreak) -> Hashable:
    return item.frame, _cause(item)


def _cause(item: GraphBreak) -> Hashable:
    """Without a line there is only the reason to go by."""
    text = item.where.text.strip() if item.where is not None else item.reason
    return item.sort, item.kind, _file(item), break_function(item), text


def _file(item: GraphBreak) -> str:
    return item.where.path.rpartition("/")[2] if item.where is not None else ""


def _match_edited_lines(
    before: tuple[GraphBreak, ...], after: tuple[GraphBreak, ...], found: dict[int, int]
) -> None:
    taken = set(found.values())
    for a, item in enumerate(before):
        last = item.where
        if a in found or last is None:
            continue
        best, score = -1, _ALIKE
        for b, other in enumerate(after):
            there = other.where
            if b in taken or there is None or (item.sort, item.kind) != (other.sort, other.kind):
                continue
            if (_file(other), break_function(other)) != (_file(item), break_function(item)):
                continue
            alike = difflib.SequenceMatcher(None, last.text.strip(), there.text.strip()).ratio()
            if alike >= score:
                best, score = b, alike
        if best >= 0:
            found[a] = best
            taken.add(best)
