"""Live timings on a GPU. Steps run as they are; now and then a burst of steps is seen by CUPTI, which says how long each
kernel ran on the device. Those steps are counted nowhere else.

With CUDA graphs the kernels of a burst are launched one by one, since a replay has no calls; the steps replay.
"""

import collections
import time
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.measuring.eager_turns import EagerInterleaving
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.timing.samples import BATCH_SECONDS, Samples, Sent, report_of
from compiler.engine.timing.timed_graphs import failures_reported, wrappers_of
from compiler.engine.timing.wrapper_instrumentation import with_ranges
from compiler.engine.torch_internals.inductor.cuda_graphs import watching
from compiler.engine.torch_internals.live.live_graphs import LiveInductorGraph
from compiler.engine.torch_internals.profiler.gpu_profile import GUARDS, GpuStep, call_range, profile_steps
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.gpu_autotuning import CudaGraphNote
from compiler.model.timing.step_trace import Span, SpanKind, StepPart, StepTrace
from compiler.model.timing.timings import (
    GraphReplay,
    TimedKernel,
    TimingBatch,
    TimingReport,
    TimingSettings,
    TimingStarted,
    summarise,
)

CLOCK = (
    "Kernels: CUPTI's times on the GPU, from bursts of profiled steps that are counted nowhere else; launching is not in "
    "them. Steps: wall time until the GPU is done."
)
_BURST, _FIRST_BURST = 8, 24
_EVERY_SECONDS = 2.0
_REPLAYS, _REPLAY_SECONDS = 40, 2.0


def runs_on_gpu(capture: LiveCapture) -> bool:
    """Whether a program's kernels are Triton's, on a GPU that is here."""
    return torch.cuda.is_available() and any(
        "async_compile.triton(" in inductor_graph.wrapper_text
        for dynamo_graph in capture.live.dynamo_graphs
        for inductor_graph in dynamo_graph.record.inductor_graphs
    )


class GpuTimingRun:
    """Times a live capture on a GPU until told to stop."""

    def __init__(self, capture: LiveCapture, settings: TimingSettings, shown: str) -> None:
        self._capture = capture
        self._settings = settings
        self._shown = shown
        self._kernels: list[TimedKernel] = []
        self._ranged: list[tuple[LiveInductorGraph, Callable[..., Any]]] = []
        self._launched: list[tuple[LiveInductorGraph, Callable[..., Any]]] = []
        self._graphs: list[CudaGraphNote] = []
        self._clock = step_clock()
        self._sums = (0, 0)
        """Of the last profiled step: nanoseconds in generated kernels, and in others."""

    def run(
        self, emit: Callable[[TimingStarted | TimingBatch], None], stop: Callable[[], bool]
    ) -> TimingReport:
        """Time; `emit` gets what happens, `stop` is asked after each iteration. Raises EngineError."""
        with failures_reported():
            with unchanged_state(self._capture.program), watching(self._graphs):
                self._prepare()
                started = TimingStarted(self._shown, tuple(self._kernels), torch.get_num_threads(), CLOCK)
                emit(started)
                samples = self._loop(emit, stop)
                replay = self._replay() if any(note.recorded for note in self._graphs) else None
            notes = tuple(dict.fromkeys(self._graphs))
            if notes:
                emit(TimingBatch(self._shown, (), (), cuda_graphs=notes, replay=replay))
            return report_of(samples, started, notes, replay)

    def _prepare(self) -> None:
        """Wrappers with a range around each kernel call, for bursts; and without, made again, since torch puts its CUDA graphs
        into the wrapper that it loaded.
        """
        for dynamo_graph in self._capture.live.dynamo_graphs:
            for found in wrappers_of(dynamo_graph):
                call = with_ranges(found.text, found.kernels, found.names, call_range, len(self._kernels))
                self._ranged.append((found.inductor_graph, call))
                plain = with_ranges(found.text, (), found.names, call_range, 0)
                self._launched.append((found.inductor_graph, plain))
                self._kernels += found.timed

    def _step(self) -> int:
        """Nanoseconds of one step, until the GPU is done."""
        return self._timed(self._capture.compiled)

    def _timed(self, program: Callable[..., Any]) -> int:
        return self._capture.stepper.timed(program, self._clock, self._settings.backward).nanoseconds

    def _with(self, calls: list[tuple[LiveInductorGraph, Callable[..., Any]]], run: Callable[[], Any]) -> Any:
        """Let the graphs run these wrappers meanwhile."""
        before = [(inductor_graph, inductor_graph.swap(call)) for inductor_graph, call in calls]
        try:
            return run()
        finally:
            for inductor_graph, plain in before:
                inductor_graph.swap(plain)

    def _burst(self, steps: int) -> list[GpuStep]:
        def step() -> None:
            self._capture.stepper.step(self._capture.compiled, self._settings.backward)

        def run() -> list[GpuStep]:
            step()
            return profile_steps(step, steps)

        found: list[GpuStep] = self._with(self._ranged, run)
        step()
        return found

    def _loop(self, emit: Callable[[TimingStarted | TimingBatch], None], stop: Callable[[], bool]) -> Samples:
        settings, found, sent = self._settings, Samples(not self._settings.iterations), Sent()
        pending: collections.deque[tuple[int, ...]] = collections.deque()
        nothing = (-1,) * len(self._kernels)
        interleaving = EagerInterleaving(
            settings.eager_every, self._step, lambda: self._timed(self._capture.program.callable)
        )
        sent_at, burst_at = time.perf_counter(), 0.0
        iteration = -settings.warm_up
        while not stop():
            if iteration >= 0 and not pending and time.perf_counter() - burst_at > _EVERY_SECONDS:
                steps = self._burst(_FIRST_BURST if not burst_at else _BURST)
                pending.extend(map(self._row, steps))
                if steps:
                    found.traces.append(self._trace(steps[-1]))
                burst_at = time.perf_counter()
            spent, eager = interleaving.turn(iteration)
            if iteration >= 0:
                found.compiled.append(spent)
                found.kernels.append(pending.popleft() if pending else nothing)
                found.parts.append(self._parts(spent))
                found.take_eager(spent, eager)
            iteration += 1
            finished = bool(settings.iterations) and iteration >= settings.iterations
            if (finished or time.perf_counter() - sent_at > BATCH_SECONDS) and iteration > 0:
                emit(found.batch(self._shown, sent))
                sent_at = time.perf_counter()
            if finished:
                break
        return found

    def _row(self, step: GpuStep) -> tuple[int, ...]:
        spent = [-1] * len(self._kernels)
        for kernel in step.kernels:
            if kernel.call >= 0:
                spent[kernel.call] = max(spent[kernel.call], 0) + kernel.end - kernel.begin
        languages = [kernel.language for kernel in self._kernels]
        sums = [0, 0]
        for number, value in enumerate(spent):
            sums[languages[number] == "extern"] += max(value, 0)
        self._sums = (sums[0], sums[1])
        return tuple(spent)

    def _parts(self, step: int) -> tuple[int, ...]:
        """The step less what its kernels took in the last burst; no wrapper or runtime is distinguished on a GPU (-1)."""
        generated = min(self._sums[0], step)
        extern = min(self._sums[1], step - generated)
        rows = {
            StepPart.GENERATED: generated,
            StepPart.EXTERN: extern,
            StepPart.OUTSIDE: step - generated - extern,
        }
        return tuple(rows.get(part, -1) for part in StepPart)

    def _trace(self, step: GpuStep) -> StepTrace:
        spans = [Span(0, step.length, SpanKind.FORWARD)]
        spans += [Span(begin, end, SpanKind.GUARDS, GUARDS) for begin, end in step.guards]
        for kernel in step.kernels:
            known = self._kernels[kernel.call] if kernel.call >= 0 else None
            kind = SpanKind.GENERATED if known is not None and known.language != "extern" else SpanKind.EXTERN
            name = known.name if known is not None else kernel.name
            spans.append(Span(kernel.begin, kernel.end, kind, name, kernel.call))
        return StepTrace(True, True, max(step.length, *(span.end for span in spans)), tuple(spans))

    def _replay(self) -> GraphReplay | None:
        """Steps that replay CUDA graphs interleaved with steps that launch each kernel."""
        replayed: list[int] = []
        launched: list[int] = []
        began = time.perf_counter()
        while len(launched) < _REPLAYS and time.perf_counter() - began < _REPLAY_SECONDS:
            self._step()
            replayed.append(self._step())
            self._with(self._launched, self._step)
            launched.append(self._with(self._launched, self._step))
        first, second = summarise(replayed), summarise(launched)
        return GraphReplay(first, second) if first is not None and second is not None else None
