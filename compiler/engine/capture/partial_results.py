"""Telling what was generated before it is built, at a bounded cost."""

import copy
import time
from collections.abc import Callable, Iterable

from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.stage_ids import inductor_graph_id
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
        inductor_graphs: Iterable[tuple[str, InductorGraphRecord]],
        read: Callable[[], Capture],
    ) -> None:
        """`sources` are built now; `units`, with the compile ids of their graphs, are where kernels were generated."""
        started = time.perf_counter()
        if self._tell is None or started < self._not_before or (self._told and not sources):
            return
        self._told = True
        self._tell(StagesGenerated(read(), *_names(sources, inductor_graphs)))
        now = time.perf_counter()
        self._not_before = now + (now - started) / _SHARE


def copied(
    dynamo_graph: DynamoGraphRecord, inductor_graphs: Iterable[InductorGraphRecord]
) -> DynamoGraphRecord:
    """A region as it is now, to be read without leaving anything in what is still being recorded."""
    record = copy.copy(dynamo_graph)
    record.inductor_graphs = [copy.copy(inductor_graph) for inductor_graph in inductor_graphs]
    return record


def _names(
    sources: tuple[str, ...], inductor_graphs: Iterable[tuple[str, InductorGraphRecord]]
) -> tuple[tuple[KernelBuild, ...], int]:
    """(the kernels of these sources, how many others the graphs have)."""
    wanted = {source.strip("\n") for source in sources}
    found, others = [], 0
    for name, inductor_graph in inductor_graphs:
        for kernel, source in kernel_sources(inductor_graph.wrapper_text).items():
            if source in wanted:
                found.append(KernelBuild(inductor_graph_id(name, inductor_graph.part, "kernels"), kernel))
            else:
                others += 1
    return tuple(found), others
