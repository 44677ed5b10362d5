"""Telling what was generated before it is built, at a bounded cost."""

import copy
import time
from collections.abc import Callable, Iterable

from compiler.engine.records.recorder import RegionRecord, UnitRecord
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.stage_ids import unit_id
from compiler.model.capture.capture import Capture
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated

Tell = Callable[[StagesGenerated], None]
_SHARE = 0.05
"""Of the time that goes by, what telling may take: a program of hundreds of graphs is not read again for each."""


class EarlyTelling:
    """Tells each time when kernels are about to be built, unless it was told a moment ago."""

    def __init__(self, tell: Tell | None) -> None:
        self._tell = tell
        self._not_before = 0.0
        self._told = False

    def tell(
        self,
        sources: tuple[str, ...],
        units: Iterable[tuple[str, UnitRecord]],
        read: Callable[[], Capture],
    ) -> None:
        """`sources` are built now; `units`, with the compile ids of their graphs, are where kernels were generated."""
        started = time.perf_counter()
        if self._tell is None or started < self._not_before or (self._told and not sources):
            return
        self._told = True
        self._tell(StagesGenerated(read(), *_names(sources, units)))
        now = time.perf_counter()
        self._not_before = now + (now - started) / _SHARE


def copied(region: RegionRecord, units: Iterable[UnitRecord]) -> RegionRecord:
    """A region as it is now, to be read without leaving anything in what is still being recorded."""
    record = copy.copy(region)
    record.units = [copy.copy(unit) for unit in units]
    return record


def _names(
    sources: tuple[str, ...], units: Iterable[tuple[str, UnitRecord]]
) -> tuple[tuple[KernelBuild, ...], int]:
    """(the kernels of these sources, how many others the graphs have)."""
    wanted = {source.strip("\n") for source in sources}
    found, others = [], 0
    for name, unit in units:
        for kernel, source in kernel_sources(unit.wrapper_text).items():
            if source in wanted:
                found.append(KernelBuild(unit_id(name, unit.part, "kernels"), kernel))
            else:
                others += 1
    return tuple(found), others
