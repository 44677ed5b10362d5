"""What was generated is reported before it is built, at a bounded cost."""

import copy
import time
from collections.abc import Callable, Iterable

from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord, Recorder
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.stage_ids import inductor_graph_id
from compiler.model.capture.capture import Capture
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated

Emit = Callable[[StagesGenerated], None]
_SHARE = 0.05
"""Of the time that goes by, what reporting may take: a program of hundreds of graphs is not read again for each."""
_CREDIT_S = 0.5
"""What reporting may take beyond that in all, so that the first stages need not wait for time to go by."""


class EarlyStages:
    """Reports each time when a stage was made, or kernels are about to be built, as long as that costs little."""

    def __init__(self, emit: Emit | None, credit: float = _CREDIT_S) -> None:
        """`credit`, in seconds, is for stages: without any, the first one is reported, and the next when time for it went by."""
        self._emit = emit
        self._credit = credit
        self._began = time.perf_counter()
        self._building: tuple[tuple[KernelBuild, ...], int] = ((), 0)
        self._reported = False
        self._minor = 0.0
        self.spent = 0.0
        """Seconds that reporting took, which are no part of the compile."""

    def _may(self, credit: float) -> bool:
        """Whether reporting has cost little so far."""
        return self.spent <= credit + _SHARE * (time.perf_counter() - self._began)

    def _say(self, read: Callable[[], Capture]) -> None:
        started = time.perf_counter()
        try:
            if self._emit is not None:
                self._emit(StagesGenerated(read(), *self._building))
        finally:
            self.spent += time.perf_counter() - started

    def emit_made(self, read: Callable[[], Capture]) -> None:
        """A stage was made; no kernel is being built now. One that may cost no more is seen with the next that may."""
        self._building = (), 0
        if self._emit is not None and self._may(self._credit):
            self._say(read)

    def emit_while_reading(self, read: Callable[[], Capture]) -> None:
        """Dynamo met more code and goes on; what it makes comes first, so this has no more than its share of the time."""
        now = time.perf_counter()
        if self._emit is not None and self._minor <= _SHARE * (now - self._began):
            self._say(read)
            self._minor += time.perf_counter() - now

    def emit(
        self,
        sources: tuple[str, ...],
        inductor_graphs: Iterable[tuple[str, InductorGraphRecord]],
        read: Callable[[], Capture],
    ) -> None:
        """`sources` are built now; `inductor_graphs`, with the compile ids of their graphs, are where kernels were generated."""
        if self._emit is None or (self._reported and not (sources and self._may(_CREDIT_S))):
            return
        self._reported = True
        self._building = _names(sources, inductor_graphs)
        self._say(read)


class GraphCopies:
    """Graphs as they are, to be read while the recorder goes on: one that is finished is copied once."""

    def __init__(self) -> None:
        self._finished: dict[int, tuple[object, DynamoGraphRecord, DynamoGraphRecord]] = {}

    def of(self, recorded: DynamoGraphRecord, recorder: Recorder) -> DynamoGraphRecord:
        """The copy of a graph."""
        if recorded in recorder.current_dynamo_graphs:
            return copied(recorded, recorded.inductor_graphs)
        state = tuple((graph.part, "whole" in graph.seconds) for graph in recorded.inductor_graphs)
        known = self._finished.get(id(recorded))
        if known is None or known[0] != state:
            made = copied(recorded, recorded.inductor_graphs)
            known = self._finished[id(recorded)] = state, recorded, made
        return known[2]


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
