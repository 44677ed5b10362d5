"""What stands behind the graphs of a running program that may be edited: calls are counted, and the latest graphs are held."""

import contextlib
from collections.abc import Callable
from typing import Any

from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveProgram
from compiler.engine.torch_internals.live.observed_program import ObservedGraph, ObservedProgram

_MOST_HELD = 16
"""Graphs whose torch objects are held; of those that were compiled before them only what was read is kept."""


class EditableGraph(ObservedGraph):
    """Counts the calls of a graph, and runs what it was last compiled to."""

    def __init__(self, record: DynamoGraphRecord, program: "EditableProgram", live: LiveDynamoGraph) -> None:
        self._live: LiveDynamoGraph | None = live
        super().__init__(record, program)
        self._editable = program
        self.on_trial: Callable[[Exception | None], None] | None = None
        """Told how the first call of what was just compiled ended, if somebody waits for that; an Exception: it was put back
        what ran before, which is called now."""

    @property
    def live(self) -> LiveDynamoGraph | None:
        """What edits work on, as long as it is held."""
        return self._live

    @property
    def keeps_graph(self) -> bool:
        """Whether the program asked for gradients so that it may ask again."""
        return self._live.keeps_graph if self._live is not None else False

    @keeps_graph.setter
    def keeps_graph(self, keeps: bool) -> None:
        if self._live is not None:
            self._live.keeps_graph = keeps

    def handed_over(self, output: Any) -> contextlib.AbstractContextManager[None]:
        """While Dynamo hands the graph to the backend."""
        return self._live.handed_over(output) if self._live is not None else contextlib.nullcontext()

    def holding(self, compiled: Callable[..., Any]) -> "EditableGraph":
        """Stand in for what the backend gave."""
        assert self._live is not None
        self._live.holding(compiled)
        self._function = self._live
        return self

    def let_go(self) -> None:
        """Run on with what runs now; nothing of it can be edited from now on."""
        if self._live is not None:
            self._function, self._live = self._live.function or self._function, None

    def __call__(self, *args: Any) -> Any:
        if self._editable.at_call is not None:
            self._editable.at_call(self)
        reported, self.on_trial = self.on_trial, None
        if reported is None:
            return super().__call__(*args)
        try:
            result = super().__call__(*args)
        except Exception as error:  # noqa: BLE001  what was edited fails, and the program shall not
            reported(error)
            return super().__call__(*args)
        reported(None)
        return result


class EditableProgram(ObservedProgram):
    """Every graph of a running program, the latest of which can be compiled again."""

    def __init__(self, report_counts: Callable[[], None]) -> None:
        super().__init__(report_counts)
        self._current: LiveDynamoGraph | None = None
        self.at_call: Callable[[EditableGraph], None] | None = None
        """Called before each call of a graph, while somebody waits for one."""
        self.pinned: Callable[[str], bool] = lambda compile_id: False
        """Whether the graph of a compile id runs with edits, and is held however old it is."""

    @property
    def current_dynamo_graph(self) -> Any:
        """What the backend works on, unless its objects are not held."""
        return self._current

    @current_dynamo_graph.setter
    def current_dynamo_graph(self, graph: object) -> None:
        self._current = graph if isinstance(graph, LiveDynamoGraph) else None

    def begin(self, module: Any, output: Any, record: DynamoGraphRecord) -> Any:
        """Dynamo hands a graph to the backend."""
        live = LiveDynamoGraph(module, output, record)
        graph = EditableGraph(record, self, live)
        self.counted.append(graph)
        self._current = live
        self._let_old_ones_go()
        return graph

    def join_part(self, whole: DynamoGraphRecord, only: DynamoGraphRecord) -> None:
        """What is held of the only part of a graph is held of the graph, and the part is not counted beside it."""
        LiveProgram.join_part(self, whole, only)
        super().join_part(whole, only)

    @property
    def dynamo_graphs(self) -> list[Any]:
        """Those whose backward may still be compiled: what is held of them, or what counts their calls."""
        rows = (graph for graph in self.counted if graph.tracing is not None)
        return [getattr(graph, "live", None) or graph for graph in rows]

    @dynamo_graphs.setter
    def dynamo_graphs(self, _: object) -> None:
        pass

    def live_graph(self, compile_id: str) -> LiveDynamoGraph | None:
        """The graph of a compile id, if it is still held."""
        graph = self.editable_graph(compile_id)
        return graph.live if graph is not None else None

    def editable_graph(self, compile_id: str) -> EditableGraph | None:
        """What counts the calls of the graph of a compile id."""
        rows = (graph for graph in reversed(self.counted) if graph.record.compile_id == compile_id)
        found = next(rows, None)
        return found if isinstance(found, EditableGraph) else None

    def inner_compile(
        self, original: Callable[..., Any], part: str, record: InductorGraphRecord
    ) -> Callable[..., Any]:
        """Inductor's compile of one graph, kept so that it can be done again."""
        return LiveProgram.inner_compile(self, original, part, record)

    def _let_old_ones_go(self) -> None:
        holding = [graph for graph in self.counted if isinstance(graph, EditableGraph) and graph.live]
        for graph in holding[:-_MOST_HELD]:
            if not self.pinned(graph.record.compile_id):
                graph.let_go()
