"""What one log comes to in numbers."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.run_summary import RunSummary, summary_of
from compiler.analysis.torch_logs.rank_facts import RankFacts, rank_facts
from compiler.model.capture.capture import Capture


class LogSummary(msgspec.Struct, frozen=True):
    """One process."""

    log: str
    rank: str
    process: int
    torch: str
    lines: int
    bytes: int
    records: tuple[tuple[str, int], ...]
    """By torch's name of the record."""
    broken: tuple[tuple[str, int], ...]
    other_rank: int
    run: RunSummary
    statuses: tuple[tuple[str, int], ...]
    """ok, empty, break, error, missing: compiles of each."""
    failures_and_restarts: int
    caches: tuple[tuple[str, int], ...]
    """``fx_graph_cache_hit`` and the like, how often."""
    rank_facts: RankFacts
    artifacts: tuple[tuple[str, int], ...]
    """By name, how often."""
    left_out: int
    stages: int
    file: str = ""
    """The session it was written to."""


def summary_of_log(capture: Capture, file: Path | None = None) -> LogSummary:
    """The numbers of one capture that was read from a log."""
    facts = capture.log
    run = summary_of(Lane(capture=capture))
    assert facts is not None
    assert run is not None
    failures = sum(len(row.restarts) + len(row.failures) for row in facts.statuses)
    return LogSummary(
        facts.path,
        facts.rank,
        facts.process,
        capture.environment.torch,
        facts.lines,
        facts.bytes,
        facts.kinds,
        facts.broken,
        facts.other_rank,
        run,
        _counted(row.status for row in facts.statuses),
        failures,
        _counted(f"{row.cache}_{row.outcome}" for row in facts.lookups),
        rank_facts(capture),
        _counted(row.name for row in facts.artifacts),
        facts.left_out,
        len(capture.stages),
        str(file) if file is not None else "",
    )


def _counted(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(values).items()))
