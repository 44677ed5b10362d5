"""Ranks beside each other: whether they compiled the same, and where they went apart first, which is where a program hangs."""

import re
from collections.abc import Iterable, Sequence
from difflib import unified_diff

import msgspec

from compiler.analysis.ranks.compile_facts import COMPILED, RESPECTS, Fact, compiles_of, facts_of, lines_of
from compiler.analysis.ranks.rank_names import rank_order, who
from compiler.analysis.running.compile_bars import bars_of
from compiler.analysis.running.steps import step_spread, step_times
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.timing.timings import TimingSummary

NOT_COMPILED = "not compiled"
NOT_YET = "not compiled so far"
"""Of a process that still runs: it may only be behind."""
_MOST_LINES = 20_000
_LEAST_STEPS = 4
"""Times of steps that a spread is made of, before ranks are distinguished by them."""


class RankGroup(msgspec.Struct, frozen=True):
    """Ranks that agree."""

    ranks: tuple[str, ...]
    words: str
    """What they have."""


class RespectRow(msgspec.Struct, frozen=True):
    """One respect of one compile."""

    what: str
    """One of `compile_facts.RESPECTS`."""
    groups: tuple[RankGroup, ...]
    """The most ranks first, of as many the one with the lowest rank. One group: all did the same."""

    @property
    def same(self) -> bool:
        """Whether all ranks that tell of it did the same."""
        return len(self.groups) < 2

    def group_of(self, rank: str) -> int | None:
        """The number of the group that a rank is in; None where it does not say."""
        return next((index for index, group in enumerate(self.groups) if rank in group.ranks), None)


class CompileRow(msgspec.Struct, frozen=True):
    """One compile on all ranks, matched by its compile id."""

    compile_id: str
    title: str
    """The function, as the first rank that has it names it."""
    respects: tuple[RespectRow, ...]
    """In the order in which a compile comes to them; those that no rank reports are left out."""

    @property
    def differing(self) -> tuple[RespectRow, ...]:
        """Where ranks went apart, the first first."""
        return tuple(row for row in self.respects if not row.same)

    def first_difference(self, rank: str) -> RespectRow | None:
        """The first respect in which a rank is not with the most."""
        return next((row for row in self.differing if row.group_of(rank) not in (None, 0)), None)


class RankDifference(msgspec.Struct, frozen=True):
    """One respect in which ranks did otherwise in a compile."""

    compile_id: str
    what: str
    groups: tuple[RankGroup, ...]


class AlikeRanks(msgspec.Struct, frozen=True):
    """Ranks that did the same in every respect of every compile."""

    ranks: tuple[str, ...]
    first: str = ""
    """Where they left the largest group: ``0/1, guards``; empty for that group itself."""


class RankStep(msgspec.Struct, frozen=True):
    """What a step of the program took on one rank."""

    rank: str
    step: TimingSummary
    """Nanoseconds of wall time; ranks wait for each other in collectives, so a slow one makes all slow."""


class RanksCompared(msgspec.Struct, frozen=True):
    """All of them."""

    ranks: tuple[str, ...]
    compiles: int
    """Ids that every rank compiled."""
    rows: tuple[CompileRow, ...]
    differences: tuple[RankDifference, ...]
    """In the order of compiles; the first is where they went apart."""
    groups: tuple[AlikeRanks, ...]
    """The most ranks first."""
    steps: tuple[RankStep, ...] = ()
    """Only of ranks that were seen for some steps."""

    def sentence(self) -> str:
        """Whether they did the same, and where not."""
        names = who(self.ranks).capitalize()
        if not self.differences:
            reported = [
                name
                for name in RESPECTS[2:]
                if any(row.what == name for each in self.rows for row in each.respects)
            ]
            what = f": {', '.join(reported)}" if reported else ""
            return f"{names} did the same in {counted(self.compiles, 'compile')}{what}."
        first = self.differences[0]
        reported_groups = "; ".join(f"{who(group.ranks)}: {group.words}" for group in first.groups)
        more = len(self.differences) - 1
        rest = f" ({counted(more, 'more difference')})" if more else ""
        return f"{names} go apart first at {first.compile_id}, {first.what}: {reported_groups}{rest}"

    def groups_sentence(self) -> str:
        """``Ranks 0–6, 8–63 did the same; rank 7 goes apart at 0/1, guards``."""
        parts = []
        for group in self.groups:
            if group.first:
                verb = "goes" if len(group.ranks) == 1 else "go"
                parts.append(f"{who(group.ranks)} {verb} apart at {group.first}")
            elif len(group.ranks) > 1:
                parts.append(f"{who(group.ranks)} did the same")
        text = "; ".join(parts)
        return f"{text[:1].upper()}{text[1:]}"

    def slow_ranks(self) -> tuple[RankStep, ...]:
        """Ranks whose steps took longer than those of the fastest beyond both spreads."""
        seen = [row for row in self.steps if row.step.count >= _LEAST_STEPS]
        fastest = min(seen, key=lambda row: row.step.median, default=None)
        return tuple(row for row in seen if fastest is not None and row.step.low > fastest.step.high)


class RankCompiles(msgspec.Struct, frozen=True):
    """What is compared of one rank: small, so that the captures of many need not be held."""

    rank: str
    compiles: dict[str, dict[str, Fact]]
    """Compile id → respect → what it has."""
    titles: dict[str, str]
    """Compile id → its function."""
    step: TimingSummary | None


def reported_by(rank: str, capture: Capture) -> RankCompiles:
    """Of one process."""
    return RankCompiles(
        rank,
        {key: facts_of(parts) for key, parts in compiles_of(capture).items()},
        {
            frame.id: f"{frame.name} ({frame.path.rpartition('/')[2]}:{frame.line})"
            for frame in capture.frames
        },
        _step(capture),
    )


def compare_ranks(rows: Sequence[tuple[str, Capture]]) -> RanksCompared | None:
    """Rank and capture of each process; None where there are not two."""
    return compare_reported([reported_by(rank, capture) for rank, capture in rows])


def compare_reported(
    reported: Sequence[RankCompiles], running: frozenset[str] = frozenset()
) -> RanksCompared | None:
    """The same of what was read of each before. Every rank stands there once (`named_apart`); those that run may compile
    more.
    """
    if len(reported) < 2:
        return None
    rows = sorted(reported, key=lambda row: rank_order(row.rank))
    titles = {key: title for row in reversed(rows) for key, title in row.titles.items()}
    ids = sorted({key for row in rows for key in row.compiles}, key=_order)
    compiled = tuple(
        CompileRow(
            key, titles[key], tuple(_respects({row.rank: row.compiles.get(key) for row in rows}, running))
        )
        for key in ids
    )
    differences = tuple(
        RankDifference(row.compile_id, respect.what, respect.groups)
        for row in compiled
        for respect in row.differing
    )
    common = sum(all(key in row.compiles for row in rows) for key in ids)
    ranks = tuple(row.rank for row in rows)
    steps = tuple(RankStep(row.rank, row.step) for row in rows if row.step is not None)
    return RanksCompared(ranks, common, compiled, differences, _alike(ranks, compiled), steps)


def distinct_names(names: Iterable[str]) -> list[str]:
    """A second process of the same rank is reported as another."""
    found: list[str] = []
    for rank in names:
        name, number = rank, 1
        while name in found:
            number += 1
            name = f"{rank} ({number})"
        found.append(name)
    return found


def difference_lines(
    compile_id: str, what: str, before: tuple[str, Capture], after: tuple[str, Capture]
) -> list[str]:
    """What two ranks have in one respect of one compile, as a unified diff; empty where they have the same."""
    texts = []
    for _, capture in (before, after):
        parts = compiles_of(capture).get(compile_id)
        lines = lines_of(parts, what) if parts is not None else [NOT_COMPILED] if what == COMPILED else None
        texts.append(lines if lines is not None else ["not told"])
    old, new = texts
    diff = unified_diff(old, new, f"rank {before[0]}", f"rank {after[0]}", lineterm="", n=4)
    return [line for line, _ in zip(diff, range(_MOST_LINES), strict=False)]


def _respects(by_rank: dict[str, dict[str, Fact] | None], running: frozenset[str]) -> Iterable[RespectRow]:
    for what in RESPECTS:
        values: dict[str, Fact] = {}
        for rank, found in by_rank.items():
            if found is None:
                if what == COMPILED:
                    words = NOT_YET if rank in running else NOT_COMPILED
                    values[rank] = Fact(words, words)
            elif what in found:
                values[rank] = found[what]
        if values:
            yield RespectRow(what, _groups(values))


def _groups(values: dict[str, Fact]) -> tuple[RankGroup, ...]:
    members: dict[str, list[str]] = {}
    reported: dict[str, str] = {}
    for rank, fact in values.items():
        members.setdefault(fact.digest, []).append(rank)
        reported[fact.digest] = fact.words
    rows = sorted(members.items(), key=lambda row: -len(row[1]))
    alike = len(set(reported.values())) < len(reported)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return tuple(
        RankGroup(tuple(ranks), f"{reported[key]} ({letters[index % 26]})" if alike else reported[key])
        for index, (key, ranks) in enumerate(rows)
    )


def _alike(ranks: tuple[str, ...], rows: tuple[CompileRow, ...]) -> tuple[AlikeRanks, ...]:
    """By what each has in every respect in which any differ."""
    differing = [(row, respect) for row in rows for respect in row.differing]
    members: dict[tuple[int | None, ...], list[str]] = {}
    for rank in ranks:
        members.setdefault(tuple(respect.group_of(rank) for _, respect in differing), []).append(rank)
    found = sorted(members.items(), key=lambda item: -len(item[1]))
    largest = found[0][0]
    groups = []
    for key, members_of in found:
        at_first = next(
            (at for at, (own, most) in enumerate(zip(key, largest, strict=True)) if own != most), None
        )
        first = (
            "" if at_first is None else f"{differing[at_first][0].compile_id}, {differing[at_first][1].what}"
        )
        groups.append(AlikeRanks(tuple(members_of), first))
    return tuple(groups)


def _step(capture: Capture) -> TimingSummary | None:
    if capture.run is None:
        return None
    return step_spread(
        step_times(capture.run, ((bar.begin, bar.begin + bar.seconds) for bar in bars_of(capture)))
    )


def _order(compile_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", compile_id))
