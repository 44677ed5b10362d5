"""Measuring what breaks cost: clocks at the edges of every compiled graph tell what a step spends between them."""

import contextlib
import io
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.autograd.profiler import record_function

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import EngineError, failing_as
from compiler.engine.measuring.interleaved_timing import measuring_time
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.torch_internals.dynamo.compiles_begun import compiles_begun
from compiler.engine.torch_internals.profiler.eager_operations import operations_of
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.timing.graph_break_cost import BreakCosts, Gap
from compiler.model.timing.timings import summarise

_SECONDS = 1.5
_WARM_UP = 5
_MOST_STEPS = 300
_MARK = "torch loupe: graph "
_Key = tuple[str, str]


def measure_breaks(capture: LiveCapture) -> BreakCosts:
    """Run the forward again and again, compiled and eager interleaved. Raises EngineError."""
    with (
        failing_as("The program failed while it was measured"),
        unchanged_state(capture.program),
        torch.random.fork_rng(devices=[]),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        return _measured(capture)


def _measured(capture: LiveCapture) -> BreakCosts:
    clock = step_clock()
    events: list[tuple[str, int, int]] = []
    steps: list[int] = []
    inside: list[int] = []
    eager: list[int] = []
    gaps: dict[_Key, list[int]] = defaultdict(list)
    times: dict[_Key, int] = {}

    def forward(function: Callable[..., Any]) -> tuple[int, int]:
        events.clear()
        begin = clock()
        _forward(capture, function)
        return begin, clock()

    with _clocks(capture, clock, events), compiles_begun() as begun:
        started = time.perf_counter()
        turn = 0
        for _ in range(_MOST_STEPS):
            before = begun.count
            begin, end = forward(capture.compiled)
            if begun.count > before:
                continue  # it guards on what its own step changes
            found = _gaps(events, begin, end)
            spent = sum(done - at for _, at, done in events)
            eager_begin, eager_end = forward(capture.program.callable)
            turn += 1
            if turn <= _WARM_UP:
                continue
            steps.append(end - begin)
            inside.append(spent)
            eager.append(eager_end - eager_begin)
            for key, pieces in found.items():
                gaps[key].append(sum(pieces))
                times[key] = len(pieces)
            if turn > 2 * _WARM_UP and time.perf_counter() - started > measuring_time(_SECONDS):
                break
    step, within = summarise(steps), summarise(inside)
    if step is None or within is None:
        raise EngineError(
            "No step was measured, since each compiled something again.",
            "loupe recompiles says what and why.",
        )
    ops = _eager_ops(capture)
    rows = [
        Gap(after, before, summary, times[after, before], ops.get((after, before), 0))
        for (after, before), samples in gaps.items()
        if (summary := summarise(samples)) is not None
    ]
    return BreakCosts(step, within, tuple(rows), summarise(eager), begun.count)


def _forward(capture: LiveCapture, function: Callable[..., Any]) -> None:
    with torch.set_grad_enabled(capture.stepper.options.gradients):
        function(*capture.program.args, **capture.program.kwargs)


@contextlib.contextmanager
def _clocks(
    capture: LiveCapture, clock: Callable[[], int], events: list[tuple[str, int, int]]
) -> Iterator[None]:
    """While this is entered, each graph notes when it began and ended."""

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            begin = clock()
            try:
                return function(*args)
            finally:
                events.append((name, begin, clock()))

        return run

    with contextlib.ExitStack() as stack:
        for dynamo_graph in capture.live.dynamo_graphs:
            if dynamo_graph.function is not None:
                stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
                dynamo_graph.function = watched(dynamo_graph.record.compile_id, dynamo_graph.function)
        yield


def _gaps(events: list[tuple[str, int, int]], begin: int, end: int) -> dict[_Key, list[int]]:
    """(graph before, graph after) → the times between them, in one step. A graph inside another is part of that one."""
    found: dict[_Key, list[int]] = defaultdict(list)
    last, at = "", begin
    for name, start, done in sorted(events, key=lambda event: event[1]):
        if start >= at:
            found[last, name].append(start - at)
        last, at = name, max(at, done)
    found[last, ""].append(end - at)
    return found


def _eager_ops(capture: LiveCapture) -> dict[_Key, int]:
    """(graph before, graph after) → operations that ran between them, in one profiled step."""
    with contextlib.ExitStack() as stack:
        for dynamo_graph in capture.live.dynamo_graphs:
            if dynamo_graph.function is not None:
                stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
                dynamo_graph.function = _marked(dynamo_graph.record.compile_id, dynamo_graph.function)
        found_ops = operations_of(lambda: _forward(capture, capture.compiled))
    spans = []
    ops = []
    for name, begin, end, outermost in found_ops:
        if name.startswith(_MARK):
            spans.append((begin, end, name.removeprefix(_MARK)))
        elif name.startswith("aten::") and outermost:
            ops.append(begin)
    spans.sort()
    found: dict[_Key, int] = defaultdict(int)
    for start in ops:
        earlier = [name for _, end, name in spans if end <= start]
        later = [name for begin, _, name in spans if begin >= start]
        if len(earlier) + len(later) == len(spans):  # else it ran inside a graph
            found[earlier[-1] if earlier else "", later[0] if later else ""] += 1
    return found


def _marked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        with record_function(f"{_MARK}{name}"):
            return function(*args)

    return run
