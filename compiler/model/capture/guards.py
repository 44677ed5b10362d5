"""Guards and recompiles: what must hold for compiled code to be used again, and what did not.

A tree is kept flat, in the order torch checks it, each node naming its parent; a frame with thousands of guards stays
small in memory and in a session file.
"""

import itertools
import re
from collections.abc import Iterable, Sequence

import msgspec

from compiler.model.capture.translating import Translate, in_english
from compiler.model.ir.graph import SourceLine

RELATIONAL = ("NO_TENSOR_ALIASING", "OBJECT_ALIASING", "STORAGE_OVERLAPPING", "SYMBOLIC_SHAPE_GUARD")
"""Guards on several values at once: they remember what they saw, so they cannot be asked one by one."""
_LONG = 30
_NUMBERED = re.compile(r"(?<=__builtins_dict__)_\d+|(?:(?<=\w)|(?<=\['))_\d+_c\d+(?:/\d+)?(?!\w)")
"""The number that each compile gives to a name of its own, with an address where it names an object."""


class GuardLeaf(msgspec.Struct, frozen=True, array_like=True):
    """One check of one value."""

    kind: str
    """Torch's name of it: ``TENSOR_MATCH``, ``EQUALS_MATCH``, ``ID_MATCH``."""
    code: tuple[str, ...]
    """What it checks, as torch words it; often one part."""
    line: int = -1
    """Index into the tree's `lines`: what made it; -1 where torch does not say."""
    lines: tuple[int, ...] = ()
    """The same of each part, where several lines made them."""


def count_of(leaves: Iterable[GuardLeaf]) -> int:
    """How many guards these are: one on several values stands at each of them (in logs with its name only) and is one."""
    single, shared = 0, set()
    for leaf in leaves:
        if leaf.kind not in RELATIONAL:
            single += 1
        elif any(leaf.code):
            shared.add((leaf.kind, leaf.code))
    return single + len(shared)


class GuardNode(msgspec.Struct, frozen=True, array_like=True):
    """One value that is looked at."""

    parent: int
    """Index of the node it is reached from; -1 for the root."""
    source: str
    """How the value is reached: ``L['x']``, ``G['SCALE']``, ``L['self'].training``."""
    type: str = ""
    accessor: str = ""
    """The step from the parent, as torch spells it."""
    leaves: tuple[GuardLeaf, ...] = ()


class ShapeSymbol(msgspec.Struct, frozen=True):
    """A size that may differ from call to call."""

    name: str
    hint: str = ""
    """Its value in the call that was compiled."""
    range: str = ""
    sources: tuple[str, ...] = ()
    created: SourceLine | None = None
    created_by: str = ""
    """The place in torch that made it."""
    specialised: str = ""
    """What it was fixed to, or empty."""
    specialised_at: SourceLine | None = None
    specialised_by: str = ""


class ShapeGuard(msgspec.Struct, frozen=True):
    """Something that was assumed of symbols."""

    expression: str
    line: SourceLine | None = None
    made_by: str = ""


class GuardTree(msgspec.Struct, frozen=True):
    """All guards of one compile of one frame."""

    compile_id: str
    nodes: tuple[GuardNode, ...] = ()
    lines: tuple[SourceLine, ...] = ()
    symbols: tuple[ShapeSymbol, ...] = ()
    shape_guards: tuple[ShapeGuard, ...] = ()

    @property
    def count(self) -> int:
        """How many guards there are."""
        return count_of(leaf for node in self.nodes for leaf in node.leaves)

    def line_of(self, leaf: GuardLeaf, part: int = 0) -> SourceLine | None:
        """The line that made a guard, or one part of it."""
        line = leaf.lines[part] if part < len(leaf.lines) else leaf.line
        return self.lines[line] if 0 <= line < len(self.lines) else None


_MOST_GUARDS = 3
_OF_SIZES = re.compile(r"(size|stride) of dimension \d+: |^L\['(?!self'\])[^']*'\] == -?\d+, but now -?\d+$")


class FixedSize(msgspec.Struct, frozen=True):
    """Why a dimension may have one size only."""

    why: str
    line: SourceLine | None = None
    """The line that fixed it; None where that is no line of a program."""


class FailedGuard(msgspec.Struct, frozen=True):
    """A guard that does not hold."""

    source: str
    kind: str
    code: str
    reason: str
    """In words, where more can be said than the code says; what was expected and what came."""
    line: SourceLine | None = None
    fixed: tuple[FixedSize, ...] = ()
    """Of sizes that differ: what fixed them, as far as torch noted it."""

    @property
    def is_of_sizes(self) -> bool:
        """Whether it is of a size, or of a number that is an argument: with dynamic shapes both are symbols, and it would hold. A number
        that a module keeps is none.
        """
        return _OF_SIZES.search(self.reason) is not None


class TriedEntry(msgspec.Struct, frozen=True):
    """Earlier compiled code that was tried and did not fit."""

    compile_id: str
    failed: tuple[FailedGuard, ...] = ()
    """Every guard that fails, not only the first."""
    note: str = ""
    """Torch's own words, or, where no guard fails, what can be proven."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, never empty."""
        return tuple(item.reason for item in self.failed) or (self.note or "Torch gives no reason.",)


class RecompileRecord(msgspec.Struct, frozen=True):
    """One compile of a frame that had been compiled before."""

    compile_id: str
    name: str = ""
    entries: tuple[TriedEntry, ...] = ()
    note: str = ""
    """Why, where no earlier code was there to be tried."""


def first_reason(records: Iterable[RecompileRecord]) -> str:
    """The first guard that the code tried last failed by, in torch's words; empty where none is reported."""
    return next((why.reason for row in records for entry in row.entries[-1:] for why in entry.failed), "")


def format_guard(guards: Sequence[str], translate: Translate = in_english) -> str:
    """The sentence that names those, in torch's words, for which a step is not run by the code that was captured."""
    return translate(
        "Torch names the guard that does not hold: {guards}", guards="; ".join(guards[:_MOST_GUARDS])
    )


class MeasuredGuards(msgspec.Struct, frozen=True, tag="measured_guards"):
    """Answer to `MeasureGuards`: what checking costs."""

    compile_id: str
    total: float
    """Nanoseconds of one check of the whole tree, called again and again."""
    cold: float = 0.0
    """The same with the processor's caches emptied before, as torch itself measures."""
    leaves: tuple[tuple[int, int, float], ...] = ()
    """(node, leaf, nanoseconds): one leaf alone, less the cost of calling it from Python; those that keep state between
    values (aliasing, symbolic shapes) are not there."""
    note: str = ""


class GuardDifference(msgspec.Struct, frozen=True):
    """One guard that two compiles do not share."""

    id: str
    before: str
    """Code, or empty where it is new."""
    after: str


def compare_trees(before: GuardTree, after: GuardTree) -> tuple[GuardDifference, ...]:
    """Guards removed, added and changed from one compile to another, in the order of the trees."""
    old, new = _spelled_leaves(before), _spelled_leaves(after)
    found = []
    for name in dict.fromkeys((*old, *new)):
        gone, come = list(old.get(name, ())), list(new.get(name, ()))
        for text in old.get(name, ()):
            if (
                text in come
            ):  # several of one kind on one value: those that both have are no difference, in any order
                gone.remove(text)
                come.remove(text)
        for number, (left, right) in enumerate(itertools.zip_longest(gone, come, fillvalue=""), 1):
            found.append(GuardDifference(name if number == 1 else f"{name} #{number}", left, right))
    return tuple(found)


def compare_symbols(before: GuardTree, after: GuardTree) -> tuple[GuardDifference, ...]:
    """Symbols and what is assumed of them, where two compiles differ."""
    old, new = _spelled_symbols(before), _spelled_symbols(after)
    return tuple(
        GuardDifference(key, old.get(key, ""), new.get(key, ""))
        for key in dict.fromkeys((*old, *new))
        if old.get(key) != new.get(key)
    )


def _spelled_leaves(tree: GuardTree) -> dict[str, list[str]]:
    """Value and kind → what each check of that kind says of it."""
    found: dict[str, list[str]] = {}
    for node in tree.nodes:
        for leaf in node.leaves:
            found.setdefault(_unnumbered(f"{node.source} {leaf.kind}"), []).append(
                _unnumbered("; ".join(leaf.code))
            )
    return found


def _unnumbered(text: str) -> str:
    return _NUMBERED.sub("", text)


def _spelled_symbols(tree: GuardTree) -> dict[str, str]:
    spelled = {}
    for symbol in tree.symbols:
        fixed = f", fixed to {symbol.specialised}" if symbol.specialised else ""
        spelled[symbol.name] = f"{', '.join(symbol.sources)} = {symbol.hint}, {symbol.range}{fixed}"
    for guard in tree.shape_guards:
        line = guard.line
        spelled[guard.expression] = f"assumed at {line.short}" if line else "assumed"
    return spelled


def without_same_start(before: str, after: str) -> tuple[str, str]:
    """Both texts from the part on in which they differ, since long ones are cut off at their end."""
    start, end = 0, min(len(before), len(after))
    while start < end:
        middle = (start + end + 1) // 2
        start, end = (middle, end) if before[:middle] == after[:middle] else (start, middle - 1)
    start = before.rfind(",", 0, start) + 1
    rest = before[start:].lstrip(), after[start:].lstrip()
    return (f"… {rest[0]}", f"… {rest[1]}") if start > _LONG else (before, after)
