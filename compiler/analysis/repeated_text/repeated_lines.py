"""Lines of a generated wrapper that follow one another again and again, and are equal but for names: equal layers.

Lines are first compared with every name of a variable taken out; that finds where they repeat. Whether the names fit is then proved for
each two repetitions (`same_names`). A kernel stands for its text, so that two of the same text under two names are equal.
"""

import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress, count, pairwise

import msgspec

from compiler.analysis.repeated_text.same_names import Function, Line, equal_repetitions
from compiler.analysis.repeated_text.wrapper_lines import DEFINITION, functions
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.loop_ir import WrapperCode

FEWEST = 4
"""So many equal repetitions, and no fewer, are folded: as with boxes."""
_SHORTEST = 8
"""Lines of a repetition: a few checks of sizes in a row are not worth folding."""
_WINDOW = 6
"""Lines that are looked for again to find how far apart repetitions are."""
_MOST_PERIODS = 16
_MOST_IN_TURN = 6
"""So many repetitions are tried as one: layers that use one of two masks in turn are equal in pairs."""


class RepeatedLines(msgspec.Struct, frozen=True):
    """A run of repetitions without a gap. Lines count from 1, repetitions from 0."""

    first: int
    period: int
    """Lines of each repetition."""
    repeats: int

    @property
    def last(self) -> int:
        """The last line of the last repetition."""
        return self.first + self.period * self.repeats - 1

    def repetition_of(self, line: int) -> int | None:
        """Which repetition a line is in; None for a line outside."""
        return (line - self.first) // self.period if self.first <= line <= self.last else None

    def first_of(self, repetition: int) -> int:
        """The first line of a repetition."""
        return self.first + self.period * repetition


@identity_cached
def repeated_lines(code: WrapperCode) -> tuple[RepeatedLines, ...]:
    """The runs of a wrapper, from above; none overlap. Only of Python: another wrapper's names are not read."""
    if code.language != "python":
        return ()
    return repeated_in(code.text)


def repeated_in(text: str) -> tuple[RepeatedLines, ...]:
    """The runs in the text of a wrapper."""
    found: list[RepeatedLines] = []
    for first, function in functions(text):
        if len(function.lines) >= FEWEST * _SHORTEST:
            found += (RepeatedLines(first + start, period, times) for start, period, times in _runs(function))
    return tuple(sorted(found, key=lambda run: run.first))


def _runs(function: Function) -> Iterator[tuple[int, int, int]]:
    """(place of the first line, period, repeats), none of which overlap; what hides most goes before."""
    numbers: dict[str, int] = {}
    shapes = [numbers.setdefault(line.shape, len(numbers)) for line in function.lines]
    found = [
        run
        for period in _periods(shapes)
        for start, length in _stretches(shapes, period)
        for run in _proved(function, start, length, period)
    ]
    taken: list[tuple[int, int]] = []
    for start, period, times in sorted(found, key=lambda run: (-run[1] * (run[2] - 1), run[0])):
        end = start + period * times
        if all(end <= begin or start >= stop for begin, stop in taken):
            taken.append((start, end))
            yield start, period, times


def _periods(shapes: Sequence[int]) -> list[int]:
    """How far apart the same few lines stand, the most frequent first."""
    seen: dict[tuple[int, ...], int] = {}
    distances: Counter[int] = Counter()
    for at, window in enumerate(zip(*(shapes[offset:] for offset in range(_WINDOW)), strict=False)):
        if (before := seen.get(window)) is not None:
            distances[at - before] += 1
        seen[window] = at
    return [
        period
        for period, times in distances.most_common(_MOST_PERIODS)
        if period >= _SHORTEST and times >= (FEWEST - 1) * _WINDOW // 2
    ]


def _stretches(shapes: Sequence[int], period: int) -> list[tuple[int, int]]:
    """(start, length) of lines of which each has the shape of the one a period before, where they make enough repetitions."""
    differs = map(operator.ne, shapes, shapes[period:])
    ends = [-1, *compress(count(), differs), len(shapes) - period]
    return [
        (before + 1, end - before - 1 + period)
        for before, end in pairwise(ends)
        if end - before - 1 >= period * (FEWEST - 1)
    ]


def _proved(function: Function, start: int, length: int, period: int) -> Iterator[tuple[int, int, int]]:
    """What of a stretch is equal in names too. Where single repetitions are not, two are tried as one, and so on."""
    for together in range(1, _MOST_IN_TURN + 1):
        whole = period * together
        begin = _beginning(function.lines, start, min(whole, length - whole * FEWEST))
        runs = [
            (begin + first * whole, whole, times)
            for first, times in equal_repetitions(function, begin, whole, (start + length - begin) // whole)
            if times >= FEWEST
        ]
        if runs:
            yield from runs
            return
        if length < whole * 2 * FEWEST:
            return


def _beginning(lines: Sequence[Line], start: int, most: int) -> int:
    """Where a repetition may begin without costing one: at a line that begins something, behind what was freed before, or at a
    definition.
    """
    for at in range(start, start + max(most, 0) + 1):
        if lines[at].shape.startswith(DEFINITION) or (at and lines[at - 1].frees and not lines[at].frees):
            return at
    return start
