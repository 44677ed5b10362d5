"""A step of a program whose tensors are fakes, run by the code that torch.compile made of it: for what it launches and the
memory it takes. Spread over ranks where there is a plan.
"""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec
import torch
from torch.utils import _pytree as pytree

from compiler.engine.cross_compile.fake_loading import value_wanted
from compiler.engine.cross_compile.parallel.data_parallel import before_second_step
from compiler.engine.cross_compile.parallel.pipeline_stage import Given, receiving
from compiler.engine.cross_compile.parallel.spread import Spread
from compiler.engine.errors import said
from compiler.engine.held_tensors import tensors_in
from compiler.engine.records.recorder import Recorder
from compiler.engine.stage_ids import inductor_graph_id
from compiler.engine.torch_internals.dispatcher.dispatcher import next_sequence
from compiler.engine.torch_internals.distributed import fake_group, rank_queries
from compiler.engine.torch_internals.distributed.pipeline_order import pipeline_order
from compiler.engine.torch_internals.distributed.rank_queries import RankQueries
from compiler.engine.torch_internals.fake_gpu.driver import streams
from compiler.engine.torch_internals.fake_gpu.fake_backend import wants_a_value
from compiler.engine.torch_internals.inductor_kernels import unbuilt_cpp
from compiler.engine.torch_internals.simulated_step import optimizer_values
from compiler.engine.torch_internals.simulated_step.dtensor_calls import DTensorCalls
from compiler.engine.torch_internals.simulated_step.step_recorder import StepRecorder
from compiler.engine.torch_internals.simulated_step.wrappers_on_fakes import Wrappers
from compiler.engine.torch_internals.triton import unbuilt_triton
from compiler.engine.user_program.held_state.held_by_functions import tensors_of
from compiler.engine.user_program.stepper import noting_own_backward
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.ir.ids import StageId
from compiler.model.prediction.parallel_plan import PIPELINE, ParallelPlan
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    BUFFERS,
    COMMUNICATION,
    FORWARD,
    GRADIENTS,
    INPUTS,
    OPTIMIZER,
    PARAMETERS,
    STATE,
    Action,
    Moment,
    SimulatedStep,
    StageSchedule,
)


def join_world(plan: ParallelPlan) -> RankQueries:
    """Before the program is loaded: be one rank of its world, and notice what is made of that. For good."""
    fake_group.install(plan.world, plan.rank)
    return rank_queries.install()


class StepOnFakes:
    """A program that is compiled as people compile it, and run step by step."""

    def __init__(self, spec: CaptureSpec, spread: Spread, wrappers: Wrappers) -> None:
        self.program = spread.program
        self._received = spread.received
        self._spec, self._wrappers = spec, wrappers
        self._device = "cuda" if spec.device is not None else "cpu"
        self._tangents: dict[tuple[int, int], torch.Tensor] = {}
        self._recorder: StepRecorder | None = None
        self._begun = 0
        self.asked: Exception | None = None
        """What ended the step that is written down, where it asked a tensor for a value."""
        self.compiled = _compiled(spread, spec.compile, self._reporting)

    def _reporting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call of a unit, which says that it is this unit that runs."""

        def unit(*args: Any, **kwargs: Any) -> Any:
            if (recorder := self._recorder) is None:
                return call(*args, **kwargs)
            outer, recorder.layer = recorder.layer, name
            try:
                return call(*args, **kwargs)
            finally:
                recorder.layer = outer

        return unit

    def run(self, recorder: StepRecorder | None = None) -> None:
        """Forward and, where gradients are wanted, backward into ``.grad``. Raises what the program raises."""
        self._backward(self._forward(), recorder, 0)

    def _forward(self) -> list[torch.Tensor]:
        """What has a gradient of its results."""
        with torch.set_grad_enabled(self._spec.run.gradients):
            self._begun = next_sequence()
            outputs = self.compiled(*self.program.args, **self.program.kwargs)
            return [value for value in tensors_in(outputs) if value.requires_grad]

    def _backward(self, ends: list[torch.Tensor], recorder: StepRecorder | None, microbatch: int) -> None:
        if not ends or self.program.goes_back_itself:
            return
        with torch.set_grad_enabled(self._spec.run.gradients):
            if recorder is not None:
                recorder.phase = BACKWARD
            with noting_own_backward(self.program, ends, self._begun):
                torch.autograd.backward(ends, [self._tangent(*row, microbatch) for row in enumerate(ends)])

    def _run_in_order(self, recorder: StepRecorder, order: tuple[Action, ...]) -> tuple[int, ...]:
        """Each microbatch forward and backward, as the schedule has it: how many moments were before each. A microbatch's
        results live from its forward to its backward; what it gets from other stages lives all the time, as torch's stages have it.
        """
        begins, waiting = [], {}
        received = receiving(self.program.module)
        kept = {action.microbatch: self._another() for action in order}
        for number, value in kept.items():
            self._note(recorder, COMMUNICATION, f"received of microbatch {number}", value, before=True)
        for action in order:
            begins.append(len(recorder.moments))
            if action.phase == FORWARD:
                recorder.phase = FORWARD
                self._receive(received, kept[action.microbatch])
                waiting[action.microbatch] = self._forward()
            else:
                self._backward(waiting.pop(action.microbatch), recorder, action.microbatch)
        return tuple(begins)

    def _another(self) -> torch.Tensor | None:
        """Memory for what comes from the stage before."""
        value = self._received
        return torch.empty_like(value).requires_grad_(value.requires_grad) if value is not None else None

    def _receive(self, modules: list[Given], value: torch.Tensor | None) -> None:
        """Let the program find it where the stage before would have been, or in its arguments."""
        for module in modules:
            module.value = value
        args = tuple(value if one is self._received else one for one in self.program.args)
        self.program = dataclasses.replace(self.program, args=args)
        self._received = value

    def simulate(self, mode: Any, compiling: Recorder) -> SimulatedStep:
        """The step after the first: nothing is compiled any more, the optimizer has its state."""
        name = self._spec.step.optimizer if self._spec.step is not None else "none"
        recorder = self._recorder = StepRecorder(self._device, self._wrappers)
        try:
            schedule = self._schedule()
            with optimizer_values.answered():
                optimizer = _optimizer(name, [value for _, value in self._parameters()], self._device)
                if optimizer is not None:
                    optimizer.step()
                self._forget_gradients()
                before_second_step(self.program.callable)
                with (
                    recorder.listening(mode),
                    streams.emitting(recorder),
                    reported_launches(recorder.launched),
                ):
                    self._note_what_is_there(recorder, optimizer)
                    if schedule is None:
                        self.run(recorder)
                    else:
                        begins = self._run_in_order(recorder, schedule.orders[schedule.stage])
                        schedule = msgspec.structs.replace(schedule, begins=begins)
                    self._note_gradients(recorder)
                    if optimizer is not None:
                        recorder.join_streams()
                        recorder.phase = OPTIMIZER
                        with DTensorCalls(recorder):
                            optimizer.step()
                    length = recorder.length
        except Exception as error:  # noqa: BLE001  the capture is whole; that its step was not run is reported
            return SimulatedStep(optimizer=name, problem=self._why_not(error))
        moments = tuple(_placed(recorder, _wrapper_ids(compiling)))
        sparse = len(recorder.storages.sparse)
        memory = recorder.allocations()
        return SimulatedStep(moments, memory, length, name, pipeline=schedule, sparse=sparse)

    def _why_not(self, error: Exception) -> str:
        if wants_a_value(error):
            self.asked = error
            return value_wanted(error, self._spec.without_values).message()
        return f"{type(error).__name__}: {said(error)}"

    def _schedule(self) -> StageSchedule | None:
        """Of the stage of a pipeline that this is, by torch."""
        plan = self._spec.parallel
        if plan is None or not plan.schedule or not self._spec.run.gradients:
            return None
        orders = pipeline_order(plan.schedule, plan.size(PIPELINE), plan.microbatches)
        value = self._received
        size = value.numel() * value.element_size() if value is not None else 0
        return StageSchedule(plan.schedule, plan.stage, orders, (), size)

    def _tangent(self, index: int, value: torch.Tensor, microbatch: int) -> torch.Tensor:
        """One, or a direction that the program's caller would have."""
        if value.dim() == 0:
            return torch.ones_like(value)
        kept = self._tangents.get((microbatch, index))
        if kept is None or kept.shape != value.shape or type(kept) is not type(value):
            kept = self._tangents[microbatch, index] = torch.empty_like(value).detach()
        return kept

    def _parameters(self) -> Iterator[tuple[str, torch.Tensor]]:
        return (row for row in tensors_of(self.program.callable) if _is_parameter(row[1]))

    def _forget_gradients(self) -> None:
        for _, parameter in self._parameters():
            parameter.grad = None

    def _note_what_is_there(self, recorder: StepRecorder, optimizer: Any) -> None:
        own = sorted(tensors_of(self.program.callable), key=lambda row: not _is_parameter(row[1]))
        rows = [(PARAMETERS if _is_parameter(value) else BUFFERS, name, value) for name, value in own]
        leaves = pytree.tree_leaves((self.program.args, self.program.kwargs))
        rows += [(INPUTS, f"input {index}", value) for index, value in enumerate(leaves)]
        rows += [
            (INPUTS, f"direction of output {index}", value) for (_, index), value in self._tangents.items()
        ]
        if optimizer is not None:
            names = {value: name for name, value in own}
            rows += [
                (STATE, f"{key} of {names.get(parameter, '?')}", value)
                for parameter, state in optimizer.state.items()
                for key, value in state.items()
            ]
        for kind, name, value in rows:
            self._note(recorder, kind, name, value, before=True)

    def _note_gradients(self, recorder: StepRecorder) -> None:
        for name, parameter in self._parameters():
            if parameter.grad is not None:
                self._note(recorder, GRADIENTS, f"gradient of {name}", parameter.grad, before=False)

    def _note(self, recorder: StepRecorder, kind: str, name: str, value: Any, before: bool) -> None:
        if not isinstance(value, torch.Tensor):
            return
        piece = recorder.storages.note(_local(value), name, before)
        if piece is not None and not piece.kind:
            piece.kind, piece.name = kind, name


@contextlib.contextmanager
def reported_launches(listener: Callable[[str, Sequence[Any]], None]) -> Iterator[None]:
    """While this is entered, each kernel that a wrapper calls is reported, with what it is given."""
    for listeners in (unbuilt_triton.launched, unbuilt_cpp.launched):
        listeners.append(listener)
    try:
        yield
    finally:
        for listeners in (unbuilt_triton.launched, unbuilt_cpp.launched):
            listeners.remove(listener)


def first_step(step: StepOnFakes, fail: Callable[[Exception], None]) -> float:
    """Run the step that compiles, and give its seconds; what it raises goes to `fail`."""
    started = time.perf_counter()
    try:
        step.run()
    except Exception as error:  # noqa: BLE001  reported as a problem of the capture, which keeps what it has
        fail(error)
    return time.perf_counter() - started


def _compiled(
    spread: Spread, options: CompileOptions, reported: Callable[[str, Callable[..., Any]], Callable[..., Any]]
) -> Callable[..., Any]:
    arguments: dict[str, Any] = {
        "fullgraph": options.fullgraph,
        "dynamic": options.dynamic,
        "mode": options.mode,
        "options": cast("dict[str, Any]", dict(options.options)) or None,
    }
    if not spread.units:
        compiled: Callable[..., Any] = torch.compile(spread.program.callable, **arguments)
        return compiled
    for name, unit in spread.units.items():
        unit.compile(**arguments)
        called: Any = unit._compiled_call_impl  # noqa: SLF001  where nn.Module itself keeps it
        unit._compiled_call_impl = reported(name, called)  # noqa: SLF001
    return spread.program.callable


def _optimizer(name: str, own: list[torch.Tensor], device: str) -> Any:
    """As people make it; None where none is wanted or nothing has a gradient.

    On a GPU torch takes many tensors at once, which it does not know of fakes; but not of some that are distributed and some
    that are not: that raises, so people switch it off there.
    """
    parameters = [value for value in own if value.grad is not None]
    if name == "none" or not parameters:
        return None
    mixed = len({_local(value) is value for value in parameters}) > 1
    many = device == "cuda" and not mixed
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=1e-3, foreach=many)
    if name == "adamw-fused":
        return torch.optim.AdamW(parameters, lr=1e-3, fused=True)
    return torch.optim.AdamW(parameters, lr=1e-3, foreach=many)


def _is_parameter(value: torch.Tensor) -> bool:
    """A tensor of a function's own that asks for a gradient is one in all but name."""
    return isinstance(value, torch.nn.Parameter) or value.requires_grad


def _local(value: torch.Tensor) -> torch.Tensor:
    """What of a distributed tensor lies on this rank."""
    local = getattr(value, "_local_tensor", None)
    return local if isinstance(local, torch.Tensor) else value


def _wrapper_ids(compiling: Recorder) -> Mapping[str, StageId]:
    """Path of a wrapper's module → its stage; the same text has the same path, and its first stage stands for all."""
    found: dict[str, StageId] = {}
    for dynamo_graph in compiling.dynamo_graphs:
        for graph in dynamo_graph.inductor_graphs:
            if graph.wrapper_path:
                name = inductor_graph_id(dynamo_graph.compile_id, graph.part, "wrapper")
                found.setdefault(graph.wrapper_path, name)
    return found


def _placed(recorder: StepRecorder, ids: Mapping[str, StageId]) -> Iterator[Moment]:
    for moment in recorder.moments:
        yield (
            msgspec.structs.replace(moment, wrapper=ids.get(moment.wrapper, "")) if moment.wrapper else moment
        )
