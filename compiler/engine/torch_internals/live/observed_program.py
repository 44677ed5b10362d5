"""What stands behind the graphs of a program that is only watched: calls are counted, and nothing is kept for recompiling."""

import contextlib
import time
import weakref
from collections.abc import Callable
from typing import Any

import torch._guards

from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.torch_internals.live.backward_calls import BackwardCalls
from compiler.engine.torch_internals.live.live_graphs import LiveProgram
from compiler.engine.torch_internals.live.stand_in import StandIn

_REPORT_NS = 500_000_000
"""Counts are reported at most so often."""


class ObservedGraph(StandIn):
    """Stands in for the function that a backend gave for one Dynamo graph, and counts its calls."""

    _FUNCTION = "_function"

    def __init__(self, record: DynamoGraphRecord, program: "ObservedProgram") -> None:
        self.record = record
        self.keeps_graph = False
        self.calls = 0
        self.nanoseconds = 0
        """In calls that ended, kernels and wrapper; a backward runs elsewhere."""
        self.first_nanoseconds = 0
        """In the first call, which may compile a kernel or a graph inside."""
        self.backward = BackwardCalls(record.compile_id)
        self._program = program
        tracing = torch._guards.TracingContext.try_get()
        self._tracing = weakref.ref(tracing) if tracing is not None else None
        self._function: Callable[..., Any] | None = None

    @property
    def tracing(self) -> Any:
        """What the graph was compiled under, as long as torch needs it: until its backward is compiled."""
        return self._tracing() if self._tracing is not None else None

    def handed_over(self, _: Any) -> contextlib.AbstractContextManager[None]:
        """While Dynamo hands the graph to the backend."""
        return contextlib.nullcontext()

    def holding(self, compiled: Callable[..., Any]) -> "ObservedGraph":
        """Stand in for what the backend gave."""
        self._function = compiled
        return self

    def __call__(self, *args: Any) -> Any:
        began = time.perf_counter_ns()
        try:
            result = self._function(*args)  # type: ignore[misc]
        finally:
            now = time.perf_counter_ns()
            if not self.calls:
                self.first_nanoseconds = now - began
            self.calls += 1
            self.nanoseconds += now - began
            if now > self._program.due:
                self._program.due = now + _REPORT_NS
                self._program.report_counts()
        if self._program.check_values is not None:
            self._program.check_values(self.record.compile_id, result)
        return result


class ObservedProgram(LiveProgram):
    """Every graph of a running program. Nothing is ever the graph that is worked on, so that no hook keeps its sources."""

    def __init__(self, report_counts: Callable[[], None]) -> None:
        super().__init__()
        self.caches_off = contextlib.nullcontext
        """Where nothing is to be found in caches, that is so on all threads, around the whole run."""
        self.report_counts = report_counts
        self.due = 0
        self.counted: list[ObservedGraph] = []
        self.check_values: Callable[[str, Any], None] | None = None
        """Asked of what each graph returns, while somebody wants to stop at NaN or Inf."""

    @property
    def current_dynamo_graph(self) -> None:
        return None

    @current_dynamo_graph.setter
    def current_dynamo_graph(self, _: object) -> None:
        pass

    def begin(self, module: Any, output: Any, record: DynamoGraphRecord) -> Any:
        """Dynamo hands a graph to the backend."""
        graph = ObservedGraph(record, self)
        self.counted.append(graph)
        return graph

    def join_part(self, whole: DynamoGraphRecord, only: DynamoGraphRecord) -> None:
        """The only part of a graph is not counted beside the graph."""
        self.counted = [graph for graph in self.counted if graph.record is not only]

    @property  # type: ignore[override]
    def dynamo_graphs(self) -> list[ObservedGraph]:
        """Those whose backward may still be compiled."""
        return [graph for graph in self.counted if graph.tracing is not None]

    @dynamo_graphs.setter
    def dynamo_graphs(self, _: object) -> None:
        pass

    def inner_compile(
        self, original: Callable[..., Any], part: str, record: InductorGraphRecord
    ) -> Callable[..., Any]:
        """Inductor's compile of one graph, as it is."""
        return original
