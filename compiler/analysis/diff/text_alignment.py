"""Two programs beside each other, line by line; lines of nodes go by which node is which, all others by their text."""

import difflib
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

import msgspec

from compiler.analysis.diff.graph_matching import CHANGED, KEPT, GraphMatch
from compiler.analysis.diff.merged_diagram import ADDED, REMOVED
from compiler.analysis.text_format.printer import CodeText
from compiler.model.diff.sequence_alignment import align
from compiler.model.ir.ids import NodeId

_PLACE = re.compile(r"(?<=:)\d+(?=  )|, \d+ ms$|made by .*")
"""What differs in comments of equal programs: numbers of lines, and times."""
_WORD = re.compile(r"\w+|\s+|.")
_LEAST_ALIKE = 0.45


class TextRow(msgspec.Struct, frozen=True):
    """A line of either program, or one of each that belong together. Lines count from 1; 0: none."""

    before: int
    after: int
    state: str
    """``kept``, ``changed``, ``moved``, ``added`` or ``removed``."""


def align_texts(before: CodeText, after: CodeText, match: GraphMatch | None = None) -> tuple[TextRow, ...]:
    """All lines of both programs, those of each in order. `match` says which nodes of their stages are the same."""
    keys_old, keys_new = _Keys(before, match, is_before=True), _Keys(after, match, is_before=False)
    found = align(keys_old.levels, keys_new.levels, ((0, 0), (1, 1)))
    rows: list[TextRow] = []
    a = b = 0
    for old, new in (*sorted(found.items()), (len(keys_old.lines), len(keys_new.lines))):
        rows += _gap(keys_old, keys_new, range(a, old), range(b, new))
        if old < len(keys_old.lines):
            rows.append(TextRow(old + 1, new + 1, _state(keys_old, keys_new, old, new)))
        a, b = old + 1, new + 1
    return tuple(rows)


class _Keys:
    """Lines of one program with what they are matched by."""

    def __init__(self, code: CodeText, match: GraphMatch | None, is_before: bool) -> None:
        self.lines = code.text.split("\n")
        self.plain = [_PLACE.sub("", line) if line.lstrip().startswith("#") else line for line in self.lines]
        self.states: dict[NodeId, str] = {}
        name: dict[NodeId, NodeId] = {}
        if match is not None:
            for pair in match.pairs:
                own = pair.before if is_before else pair.after
                name[own], self.states[own] = pair.after, pair.kind
            self.states.update(
                dict.fromkeys(match.removed if is_before else match.added, REMOVED if is_before else ADDED)
            )
        counts = Counter(nodes[0] for nodes in code.line_nodes if nodes)
        self.owner = [
            nodes[0] if nodes and counts[nodes[0]] == 1 and nodes[0] in self.states else ""
            for nodes in code.line_nodes
        ]
        """The node whose only line it is."""
        exact: list[Hashable] = []
        loose: list[Hashable] = []
        for line, owner, nodes in zip(self.plain, self.owner, code.line_nodes, strict=True):
            if owner:
                key: Hashable = ("node", name.get(owner, f"-{owner}" if is_before else f"+{owner}"))
                exact.append(key)
                loose.append(key)
            else:
                exact.append((name.get(nodes[0], nodes[0]) if nodes and match is not None else "", line))
                loose.append(("line", line.strip()))
        self.levels = exact, loose


def _state(old: _Keys, new: _Keys, a: int, b: int) -> str:
    if new.owner[b]:
        return new.states[new.owner[b]]
    return KEPT if old.plain[a].strip() == new.plain[b].strip() else CHANGED


def _gap(old: _Keys, new: _Keys, left: range, right: range) -> Iterator[TextRow]:
    """Lines between two that belong together: beside each other where they read alike, else below one another."""
    if len(left) == len(right) and all(
        not old.owner[a] and not new.owner[b] and _alike(old.lines[a], new.lines[b])
        for a, b in zip(left, right, strict=True)
    ):
        yield from (TextRow(a + 1, b + 1, CHANGED) for a, b in zip(left, right, strict=True))
        return
    yield from (TextRow(a + 1, 0, old.states.get(old.owner[a], REMOVED)) for a in left)
    yield from (TextRow(0, b + 1, new.states.get(new.owner[b], ADDED)) for b in right)


def _alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= _LEAST_ALIKE


Span = tuple[int, int]
"""(first letter, letter behind the last)."""


def changed_spans(
    before: str, after: str, names: Mapping[str, str]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The parts of two lines that differ, in letters. `names` leads from names before to the same ones after: another
    name for the same node is no difference.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    behind = ["", *old]
    spoken = [
        word if before_it == "." else names.get(word, word)  # behind a dot it is a part of a call's name
        for word, before_it in zip(old, behind, strict=False)
    ]
    left: list[Span] = []
    right: list[Span] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, spoken, new, autojunk=False).get_opcodes():
        if tag != "equal":
            left += [(len("".join(old[:a])), len("".join(old[:b])))] if b > a else []
            right += [(len("".join(new[:c])), len("".join(new[:d])))] if d > c else []
    return tuple(left), tuple(right)
