"""Ranks beside each other: where they did not do the same, which is where a distributed program hangs."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec

from compiler.analysis.torch_logs.rank_facts import NO_COMPILE, GraphFacts, RankFacts


class RankGroup(msgspec.Struct, frozen=True):
    """Ranks that did the same in one respect, in which others did otherwise."""

    what: str
    """``compile ids``, ``caches``, ``collectives``, ``tensors``."""
    ranks: tuple[str, ...]
    value: str


class GraphDelta(msgspec.Struct, frozen=True):
    """The same graph by number on every rank: how far torch's estimates of its time are apart."""

    number: int
    graph: str
    milliseconds: float
    fastest: str
    slowest: str


class RanksReport(msgspec.Struct, frozen=True):
    """All ranks."""

    ranks: tuple[str, ...]
    groups: tuple[RankGroup, ...] = ()
    """Only where ranks differ."""
    order_differs: bool | None = None
    """Of the graphs that ran; None where fewer than two ranks recorded it."""
    schedule_mismatch: tuple[str, ...] = ()
    """Ranks that ran graphs with other collectives at the same time."""
    cache_mismatch: tuple[str, ...] = ()
    deltas: tuple[GraphDelta, ...] = ()
    graph_counts_differ: bool = False
    """Ranks have estimates of other numbers of graphs, so that nothing can be compared."""

    def differ(self, what: str) -> bool:
        """Whether ranks did otherwise in that."""
        return any(group.what == what for group in self.groups)


def compare_ranks(rows: Iterable[RankFacts]) -> RanksReport | None:
    """Every respect, rank beside rank; None where there are not two ranks. Processes without a rank are no part of it."""
    rows = tuple(row for row in rows if row.rank)
    if len({row.rank for row in rows}) < 2:
        return None
    ranks = sorted(rows, key=lambda row: (int(row.rank[:18]) if row.rank.isdecimal() else 1 << 30, row.rank))
    said: dict[str, Callable[[RankFacts], str]] = {
        "compile ids": lambda row: " ".join(sorted({*row.attempts} - {NO_COMPILE})),
        "caches": lambda row: row.cache_order,
        "collectives": lambda row: ",".join(name for graph in row.graphs for name in graph.collectives),
        "tensors": lambda row: ",".join(graph.tensors for graph in _sorted(row) if graph.tensors),
    }
    groups: list[RankGroup] = []
    for what, word in said.items():
        found: dict[str, list[str]] = defaultdict(list)
        for row in ranks:
            found[word(row)].append(row.rank)
        if len(found) > 1:
            groups += [RankGroup(what, tuple(members), value) for value, members in found.items()]
    differs, schedules, caches = _execution(ranks)
    deltas, counts_differ = _deltas(ranks)
    names = tuple(row.rank for row in ranks)
    return RanksReport(names, tuple(groups), differs, schedules, caches, deltas, counts_differ)


def _sorted(row: RankFacts) -> list[GraphFacts]:
    return sorted(row.graphs, key=lambda graph: graph.graph)


def _execution(ranks: list[RankFacts]) -> tuple[bool | None, tuple[str, ...], tuple[str, ...]]:
    ran = [row for row in ranks if row.executed is not None]
    if len(ran) < 2:
        return None, (), ()
    graphs = {(row.rank, graph.graph): graph for row in ran for graph in row.graphs}
    differs = False
    schedules: set[str] = set()
    caches: set[str] = set()
    for index in range(max(len(row.executed or ()) for row in ran)):
        here = {row.rank: row.executed[index] for row in ran if row.executed and index < len(row.executed)}
        differs |= len(set(here.values())) > 1
        found = [graph for key in here.items() if (graph := graphs.get(key)) is not None]
        planned = {graph.collectives for graph in found if graph.collectives}
        if len(planned) > 1:
            schedules |= here.keys()
        if len({graph.cache for graph in found if graph.cache}) > 1:
            caches |= here.keys()
    return differs, tuple(sorted(schedules)), tuple(sorted(caches))


def _deltas(ranks: list[RankFacts]) -> tuple[tuple[GraphDelta, ...], bool]:
    timed = {
        row.rank: [
            (graph.graph, graph.nanoseconds) for graph in _sorted(row) if graph.nanoseconds is not None
        ]
        for row in ranks
    }
    timed = {rank: graphs for rank, graphs in timed.items() if graphs}
    counts = {len(graphs) for graphs in timed.values()}
    if len(counts) != 1:
        return (), len(counts) > 1
    found = []
    for index in range(counts.pop()):
        times = {rank: graphs[index][1] for rank, graphs in timed.items()}
        fastest, slowest = min(times, key=times.__getitem__), max(times, key=times.__getitem__)
        spread = (times[slowest] - times[fastest]) / 1e6
        found.append(
            GraphDelta(index, next(iter(timed.values()))[index][0], round(spread, 3), fastest, slowest)
        )
    return tuple(found), False
