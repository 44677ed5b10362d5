"""Where the ranks are: the processes of a run that is followed, or the files of one run."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.session.running.run_follower import RunRow
from compiler.analysis.ranks.compare_ranks import distinct_names
from compiler.analysis.ranks.rank_files import rank_of
from compiler.analysis.ranks.rank_names import rank_order
from compiler.model.capture.capture import Capture


@dataclass(frozen=True)
class RankSource:
    """One rank."""

    rank: str
    capture: Capture
    lane: int | None = None
    """Index of its process in the run that is followed."""
    path: Path | None = None
    """The file that holds it."""
    running: bool = False
    """Whether it may compile more."""


def live_sources(rows: Iterable[RunRow]) -> tuple[RankSource, ...]:
    """Processes that have a rank and have compiled something."""
    found = [
        (row.story.rank, row.capture, lane, row.following)
        for lane, row in enumerate(rows)
        if row.story.rank and row.capture is not None
    ]
    names = distinct_names(rank for rank, *_ in found)
    return tuple(
        RankSource(name, capture, lane, running=running)
        for name, (_, capture, lane, running) in zip(names, found, strict=True)
    )


def file_sources(files: dict[Path, Capture]) -> tuple[RankSource, ...]:
    """Files of one run, by rank; one that does not say its rank is reported by its place."""
    known = [(rank_of(capture, path), path, capture) for path, capture in files.items()]
    taken = {rank for rank, _, _ in known if rank}
    free = (str(number) for number in range(len(known) + len(taken)) if str(number) not in taken)
    names = distinct_names(rank or next(free) for rank, _, _ in known)
    rows = [
        RankSource(name, capture, path=path) for name, (_, path, capture) in zip(names, known, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: rank_order(row.rank)))
