"""Everything that torch compiles in a running program, as a capture that grows."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch

from compiler.engine.capture.assemble import final_dynamo_graphs
from compiler.engine.capture.capture import CompiledGraphs, read_capture
from compiler.engine.capture.reading import GraphReadings
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.records.recorder import DynamoGraphRecord, FrameRecord, Recorder
from compiler.engine.records.wrapper_kernels import kernels_by_source
from compiler.engine.run_recording.edited_run import EditedRun
from compiler.engine.torch_internals.live.backward_calls import BackwardCalls, counting_backwards
from compiler.engine.torch_internals.live.editable_program import EditableGraph, EditableProgram
from compiler.engine.torch_internals.live.observed_program import ObservedProgram
from compiler.engine.torch_internals.patch.graph_caches import finding_nothing
from compiler.engine.torch_internals.registry.listening import listening
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.compile_ids import whole_of
from compiler.model.capture.compile_phases import WHOLE_BACKWARD, CompilePhase
from compiler.model.capture.run_story import GraphCalls
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.run_events import RunCounted
from compiler.processes.free_memory import resident_bytes

_SHARE = 0.03
"""Of the time that the program runs, what reading what was compiled may take; what is not read now is read later."""
_NOT_KEPT = {"": None}
"""Stands for the names of the first frame: they hold the user's tensors."""


class RunRecorder:
    """Filled by hooks; `read` gives what there is."""

    def __init__(
        self,
        spec: CaptureSpec,
        report_progress: Callable[[str], None],
        settled: Callable[[], None],
        counted: Callable[[], None],
        caches_off: bool = True,
        editable: bool = False,
    ) -> None:
        """`editable`: torch's objects of the latest graphs are held, so that these can be compiled again."""
        self.recorder = Recorder(report_progress)
        self.recorder.settled = settled
        self._editable = EditableProgram(counted) if editable else None
        self._observed = self._editable or ObservedProgram(counted)
        self._edited: EditedRun | None = None
        self._compiling_again: BackwardCalls | None = None
        self._listening = contextlib.ExitStack()
        self._latest: Capture | None = None
        self._caches_off = caches_off
        self.recorder.live = self._observed
        self.recorder.top_locals = dict(_NOT_KEPT)
        self._spec = spec
        self._readings = GraphReadings()
        self._read_seconds = 0.0
        self._began = time.perf_counter()
        self._load = MachineLoad()

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """While this is entered, what torch compiles is recorded."""
        with contextlib.ExitStack() as stack:
            if self._caches_off:
                stack.enter_context(finding_nothing())
            stack.enter_context(counting_backwards(self._backward_now, lambda: self._observed.check_values))
            self._listening.enter_context(listening(self.recorder))
            stack.callback(lambda: self._listening.close())
            yield

    def affordable(self) -> bool:
        """Whether what was read so far took no noticeable part of the program's time."""
        return self._read_seconds <= _SHARE * (time.perf_counter() - self._began)

    def read(self, capture_id: CaptureId = "run") -> Capture:
        """Everything so far."""
        began = time.perf_counter()
        recorder = self.recorder
        recorder.faults = list(dict.fromkeys(recorder.faults))
        capture = read_capture(self._spec, capture_id, recorder, self._readings)
        phases = self._observed.phases.phases(kernels_by_source(recorder.dynamo_graphs))
        capture = msgspec.structs.replace(
            capture,
            seconds=self._compile_seconds(phases),
            problems=tuple(_fault(fault) for fault in recorder.faults),
            phases=phases,
            measured=tuple(recorder.measured),
        )
        self._latest = capture
        self._let_go()
        self._read_seconds += time.perf_counter() - began
        return capture

    def counted(self, seconds: float) -> RunCounted:
        """How far the program is, so long after it began to be recorded."""
        on_gpu = bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]
        device = torch.cuda.memory_allocated() if on_gpu else 0
        others, self._load = self._load.others(), MachineLoad()
        return RunCounted(self._calls(), seconds, resident_bytes() or 0, device, others)

    def _calls(self) -> tuple[GraphCalls, ...]:
        """How often each compiled graph was called, and how long that took. Parts of a graph are called by the graph; their
        backwards are not.
        """
        backward: dict[str, tuple[int, int]] = {}
        for graph in self._observed.counted:
            name, (calls, spent) = (
                whole_of(graph.record.compile_id),
                (graph.backward.calls, graph.backward.nanoseconds),
            )
            most, total = backward.get(name, (0, 0))
            backward[name] = max(most, calls), total + spent
        return tuple(
            GraphCalls(
                graph.record.compile_id,
                graph.calls,
                graph.nanoseconds,
                graph.first_nanoseconds,
                *backward[graph.record.compile_id],
            )
            for graph in self._observed.counted
            if graph.calls and graph.record.part_of is None
        )

    def _backward_now(self) -> BackwardCalls | None:
        """Of the graph whose backward is being compiled."""
        if self._compiling_again is not None:
            return self._compiling_again
        record = self.recorder.dynamo_graph
        found = (graph for graph in reversed(self._observed.counted) if graph.record is record)
        graph = next(found, None)
        return graph.backward if graph is not None else None

    # -- edits ---------------------------------------------------------------------------------------------------

    @property
    def editable(self) -> bool:
        """Whether graphs are held so that they can be compiled again."""
        return self._editable is not None

    def at_call(self, do: Callable[[EditableGraph], None] | None) -> None:
        """Call this before each call of a graph that can be edited, or no longer."""
        if self._editable is not None:
            self._editable.at_call = do

    def edited(self) -> EditedRun | None:
        """The graphs as they can be edited; None where nothing is held for that, or nothing was compiled."""
        if self._editable is None or (self._latest is None and not self.recorder.dynamo_graphs):
            return None
        capture = self._latest or self.read()
        if self._edited is None:
            base = CompiledGraphs(capture=capture, live=self._editable, recorder=self.recorder)
            self._edited = EditedRun(base, self._editable)
        self._edited.base.capture = capture
        return self._edited

    @contextlib.contextmanager
    def compiling_again(self, graph: EditableGraph) -> Iterator[None]:
        """While an edited graph is compiled: it is no compile of the program's."""
        self._listening.close()
        self._compiling_again = graph.backward
        try:
            yield
        finally:
            self._compiling_again = None
            self._listening.enter_context(listening(self.recorder))

    def waited(self, seconds: float) -> None:
        """So long the program waited because somebody had stopped it: that is no time of a compile."""
        self._began += seconds
        self.recorder.waited += seconds
        self._observed.phases.waited(seconds)

    def watch_values(self, check: Callable[[str, Any], None] | None) -> None:
        """Look at what each compiled graph returns, or no longer."""
        self._observed.check_values = check

    def forget(self) -> None:
        """Begin again with nothing: in a process that was forked, all of this belongs to its parent."""
        self.recorder.forget()
        self._observed.counted.clear()
        self._observed.phases.restart()
        self._edited = self._latest = None
        self._readings, self._read_seconds, self._began = GraphReadings(), 0.0, time.perf_counter()

    def _compile_seconds(self, phases: tuple[CompilePhase, ...]) -> float:
        """Of all frames, and of backwards that were compiled later: as torch's own clock has them, AOTAutograd's part too."""
        later: defaultdict[str, float] = defaultdict(float)
        for phase in phases:
            if phase.name == WHOLE_BACKWARD and phase.parent == -1:
                later[phase.detail] += phase.seconds
        for recorded in final_dynamo_graphs(self.recorder):
            if (
                whole_of(recorded.compile_id) not in later
            ):  # it was compiled on another thread, of which there are no phases
                later[recorded.compile_id] += sum(
                    graph.seconds.get("whole", 0.0) for graph in recorded.inductor_graphs if graph.lazily
                )
        return sum(later.values()) + sum(frame.seconds for frame in self.recorder.frames)

    def _let_go(self) -> None:
        """Of what is read, the objects of torch that records still hold: graphs, tracers, buffers."""
        for frame in self.recorder.frames:
            _let_frame_go(frame)
        for recorded in self.recorder.dynamo_graphs:
            if self._editable is None or self._editable.live_graph(recorded.compile_id) is None:
                _let_graph_go(recorded)


def _let_frame_go(frame: FrameRecord) -> None:
    for attempt in frame.attempts:
        attempt.tracers.clear()


def _let_graph_go(recorded: DynamoGraphRecord) -> None:
    timelines: list[Any] = [recorded.pre_grad_passes, recorded.joint_passes]
    for inductor_graph in recorded.inductor_graphs:
        timelines.append(inductor_graph.passes)
        inductor_graph.written.clear()
    for timeline in timelines:
        if timeline is not None:
            timeline.let_go()


def _fault(fault: str) -> Problem:
    return Problem(
        f"Something could not be read: {fault}",
        "The rest of the capture is whole. Please report it.",
        severity=Severity.NOTE,
    )
