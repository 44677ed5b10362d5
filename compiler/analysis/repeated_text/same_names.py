"""Whether repetitions of equal lines are equal in their names too: one name in the one is one name in the other, and where a repetition
has something from the one before, the next has the same from it.

A name is known by where it is met first: so many repetitions before, at that place. What is met first in the repetition itself is made
there, or is an input of its own. One and the same name in both, a mask that all layers use, is the same. What the first repetition has
from before the run may stand for what others have from a repetition before. The order in which values are freed side by side does not
count: generated code sorts them by name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_FREED = -1
"""The place of a name that is met first where it is freed: which of several is not known."""


class Line(NamedTuple):
    """One line."""

    shape: str
    """Its text without names of variables."""
    names: tuple[str, ...]
    """Those names, in their order."""
    frees: bool
    """Whether it does nothing but end a value's life."""
    makes: int = 0
    """So many of the names, the first ones, are given their values here."""


class Function(NamedTuple):
    """The lines of a function, and what kind of thing each name is that comes from outside."""

    lines: list[Line]
    kinds: Mapping[str, str]


class _Home(NamedTuple):
    """Where a name is met first in a run."""

    repetition: int
    place: int
    kind: str
    """What it is there: made there, or of which kind from outside; empty for what was made before the run."""


_MADE = "made here"


class _Repetition:
    """The names of one repetition, what is freed apart."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.names: list[str] = []
        self.made: set[int] = set()
        """Places in `names` that give a name its value."""
        self.freed: list[list[str]] = []
        """For each group of lines that free, the names."""
        frees = False
        for line in lines:
            if line.makes:
                self.made.update(range(len(self.names), len(self.names) + line.makes))
            if not line.frees:
                self.names += line.names
            elif frees:
                self.freed[-1] += line.names
            else:
                self.freed.append(list(line.names))
            frees = line.frees


def equal_repetitions(function: Function, start: int, period: int, times: int) -> Iterator[tuple[int, int]]:
    """(the first, how many) of repetitions that are equal one by one, of `times` that have the same shapes."""
    first, chain = 0, _Chain(function.kinds)
    for number in range(times):
        begin = start + number * period
        repetition = _Repetition(function.lines[begin : begin + period])
        if not chain.goes_on_with(repetition):
            yield first, number - first
            first, chain = number, _Chain(function.kinds)
            chain.goes_on_with(repetition)
    if times:
        yield first, times - first


class _Chain:
    """Repetitions that are equal so far."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = kinds
        self._count = 0
        self._homes: dict[str, _Home] = {}
        self._last: _Repetition | None = None

    def goes_on_with(self, row: _Repetition) -> bool:
        """Whether a repetition is equal to the one before; if so it is the last now. The first always is."""
        homes, number = self._homes, self._count
        for place, name in enumerate(row.names):
            if name not in homes:
                homes[name] = _Home(number, place, _MADE if place in row.made else self._kind(name))
        if self._last is not None and not self._equal(self._last, row):
            return False
        for name in (name for group in row.freed for name in group):
            if name not in homes:
                homes[name] = _Home(number, _FREED, self._kind(name))
        self._last, self._count = row, number + 1
        return True

    def _kind(self, name: str) -> str:
        return self._kinds.get(name, "seed" if name.startswith("seed ") else "")

    def _equal(self, one: _Repetition, other: _Repetition) -> bool:
        # of a text that is no program what frees in one may make in the other
        if len(one.names) != len(other.names):
            return False
        pairs = dict(zip(one.names, other.names, strict=True))
        if list(map(pairs.__getitem__, one.names)) != other.names or len(set(pairs.values())) != len(pairs):
            return False
        homes = self._homes
        if not all(
            self._fits(homes[name], homes[name_too], name == name_too) for name, name_too in pairs.items()
        ):
            return False
        known = set(pairs.values())
        return len(one.freed) == len(other.freed) and all(
            self._equally_freed(group, group_too, pairs, known)
            for group, group_too in zip(one.freed, other.freed, strict=True)
        )

    def _fits(self, home: _Home, home_too: _Home, same: bool) -> bool:
        """Whether a name of the last repetition stands where one of the next does."""
        if home_too.repetition == home.repetition + 1 and home_too.place == home.place != _FREED:
            return home.kind == home_too.kind != ""
        if same:
            return home.repetition == 0  # all use it
        return self._enters(home, home_too)

    def _enters(self, home: _Home, home_too: _Home) -> bool:
        """Whether the one was there before the run, and the other is what the first repetition has in its place."""
        return home_too.repetition == 0 and home.repetition == self._count - 1 and home.kind != _MADE

    def _equally_freed(
        self, group: Sequence[str], other: Sequence[str], pairs: Mapping[str, str], known: set[str]
    ) -> bool:
        """Whether the same is freed side by side, in any order. What is only freed here has no place: each stands for one that was met
        first at the same place of the repetition before, or is of its kind.
        """
        there = {name for name in other if name in known}
        if {pairs[name] for name in group if name in pairs} != there or len(set(other)) != len(other):
            return False
        free = Counter(self._code(name, self._count - 1) for name in group if name not in pairs)
        free_too = Counter(self._code(name, self._count) for name in other if name not in known)
        left, left_too = free - free_too, free_too - free
        return (
            left.total() == left_too.total()
            and all(isinstance(code, str) for code in left)
            and all(isinstance(code, tuple) and code[0] == self._count for code in left_too)
        )

    def _code(self, name: str, number: int) -> tuple[int, int] | str:
        """How a name is known that a repetition only frees."""
        home = self._homes.get(name)
        if home is None or home.repetition == number:
            return self._kind(name)
        return number - home.repetition, home.place
