"""Live timings: the generated wrapper runs with a clock before and after each kernel call; nothing is compiled again.

What is compared with eager is the program without these clocks: each turn runs one step as it is and one with clocks.

Only the function that calls the kernels is made again, from the wrapper's own text, in the wrapper's own names. The
lines to time are those that Inductor was seen to write for kernel calls.
"""

import dataclasses
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.measuring.eager_turns import EagerInterleaving
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.timing.samples import BATCH_SECONDS, Samples, Sent, report_of
from compiler.engine.timing.step_log import StepLog
from compiler.engine.timing.step_profile import profiled_trace
from compiler.engine.timing.timed_graphs import failures_reported, wrappers_of
from compiler.engine.timing.wrapper_instrumentation import with_clocks
from compiler.engine.torch_internals.live.live_graphs import LiveDynamoGraph, LiveInductorGraph
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.timing.step_trace import SpanKind, StepTrace
from compiler.model.timing.timings import TimingBatch, TimingReport, TimingSettings, TimingStarted

_PROFILE_SECONDS = 5.0
"""How often the profiler looks at a step of either program; steps that it sees are counted nowhere."""


@dataclasses.dataclass
class _TimedUnit:
    inductor_graph: LiveInductorGraph
    plain: Callable[..., Any]
    clocked: Callable[..., Any]


@dataclasses.dataclass
class _TimedGraph:
    dynamo_graph: LiveDynamoGraph
    plain: Callable[..., Any]
    clocked: Callable[..., Any]


class TimingRun:
    """Times a live capture until told to stop."""

    def __init__(self, capture: LiveCapture, settings: TimingSettings, shown: str) -> None:
        self._capture = capture
        self._settings = settings
        self._shown = shown
        self._inductor_graphs: list[_TimedUnit] = []
        self._dynamo_graphs: list[_TimedGraph] = []
        self.log = StepLog(step_clock())
        """What the clocks write into."""

    def run(
        self, emit: Callable[[TimingStarted | TimingBatch], None], stop: Callable[[], bool]
    ) -> TimingReport:
        """Time; `emit` gets what happens, `stop` is asked after each iteration. Raises EngineError."""
        try:
            with failures_reported(), unchanged_state(self._capture.program):
                program = self.put_clocks_in()
                started = TimingStarted(self._shown, tuple(self.log.kernels), torch.get_num_threads())
                emit(started)
                return report_of(self._loop(program, emit, stop), started)
        finally:
            self.take_clocks_out()

    def take_clocks_out(self) -> None:
        """Let every graph run its plain wrapper again."""
        self._run_with_clocks(False)
        self._inductor_graphs, self._dynamo_graphs = [], []
        self.log.forget()

    def put_clocks_in(self) -> Callable[..., Any]:
        """Let every graph run its wrapper with clocks; gives the program to call, with a clock where its forward ends."""
        log = self.log
        for dynamo_graph in self._capture.live.dynamo_graphs:
            if dynamo_graph.function is not None:
                plain = dynamo_graph.function
                watched = log.watched(SpanKind.GRAPH, dynamo_graph.record.compile_id, plain)
                self._dynamo_graphs.append(_TimedGraph(dynamo_graph, plain, watched))
            for found in wrappers_of(dynamo_graph):
                call = with_clocks(found.text, found.kernels, found.names, log, len(log.kernels))
                watched = log.watched(SpanKind.WRAPPER, found.title, call)
                before = found.inductor_graph.output.current_callable
                self._inductor_graphs.append(_TimedUnit(found.inductor_graph, before, watched))
                log.kernels += found.timed
        self._run_with_clocks(True)
        return log.forward_watched(self._capture.compiled)

    def _run_with_clocks(self, clocked: bool) -> None:
        """Let every graph run with clocks, or as it is."""
        for timed in self._inductor_graphs:
            timed.inductor_graph.swap(timed.clocked if clocked else timed.plain)
        for graph in self._dynamo_graphs:
            graph.dynamo_graph.function = graph.clocked if clocked else graph.plain

    def _loop(
        self,
        clocked: Callable[..., Any],
        emit: Callable[[TimingStarted | TimingBatch], None],
        stop: Callable[[], bool],
    ) -> Samples:
        log = self.log
        found, sent = Samples(not self._settings.iterations), Sent()
        sent_at, profiled_at = time.perf_counter(), 0.0
        turn = self._interleaving(clocked)
        iteration = -self._settings.warm_up
        while not stop():
            if iteration >= 0 and time.perf_counter() - profiled_at > _PROFILE_SECONDS:
                found.traces += self._profiled()
                profiled_at = time.perf_counter()
            spent, eager, begin, dissected = turn(iteration)
            finished = bool(self._settings.iterations) and iteration + 1 >= self._settings.iterations
            due = finished or time.perf_counter() - sent_at > BATCH_SECONDS
            if iteration >= 0:
                found.compiled.append(spent)
                found.clocked.append(dissected)
                found.kernels.append(log.row())
                found.parts.append(log.parts(dissected))
                found.traces += [log.trace(begin, dissected)] if due else []
                found.take_eager(spent, eager)
            iteration += 1
            if due:
                emit(found.batch(self._shown, sent))
                sent_at = time.perf_counter()
            if finished:
                break
        return found

    def _interleaving(self, clocked: Callable[..., Any]) -> Callable[[int], tuple[int, int, int, int]]:
        """What runs a turn of that number: (nanoseconds of a compiled step without clocks, of an eager step or 0 where none is
        due, when the step with clocks began, its nanoseconds).
        """
        stepper, backward = self._capture.stepper, self._settings.backward
        clock, log = self.log.clock, self.log

        def step_of(program: Callable[..., Any]) -> int:
            return stepper.timed(program, clock, backward).nanoseconds

        began = 0

        def clocked_step() -> int:
            nonlocal began
            log.clear()
            took = stepper.timed(clocked, clock, backward)
            began = took.parts[0][0]
            log.close_gaps(took.parts)
            return took.nanoseconds

        interleaving = EagerInterleaving(
            self._settings.eager_every,
            partial(step_of, self._capture.compiled),
            partial(step_of, self._capture.program.callable),
        )

        def turn(iteration: int) -> tuple[int, int, int, int]:
            # The clocked step is at the outer end of each turn, so that either program follows itself as often as the other.
            dissected = interleaving.clocked(clocked_step) if iteration % 2 == 0 else 0
            self._run_with_clocks(False)
            spent, eager = interleaving.turn(iteration)
            self._run_with_clocks(True)
            if iteration % 2:
                dissected = interleaving.clocked(clocked_step)
            return spent, eager, began, dissected

        return turn

    def _profiled(self) -> list[StepTrace]:
        """A step of each program as the profiler sees it, and one more of each, to leave the caches as they were."""
        stepper, backward = self._capture.stepper, self._settings.backward
        seen = [profiled_trace(stepper, self._capture.compiled, backward, self.log)]
        if self._settings.eager_every:
            seen.append(profiled_trace(stepper, self._capture.program.callable, backward, None))
        stepper.step(self._capture.compiled, backward)
        return [trace for trace in seen if trace is not None]
