"""Memory as Inductor planned it: which buffers live while which kernel runs, and the most there are at once."""

import itertools

import msgspec

from compiler.analysis.timing.wrapper_buffers import Storage, WrapperReading
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import Place, StageId
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.timing.step_trace import StepTrace
from compiler.model.timing.timings import TimedKernel


class PlannedBuffer(msgspec.Struct, frozen=True):
    """One piece of memory that generated code allocates, under every name that it has in turn."""

    names: tuple[str, ...]
    """The first is the one it was allocated as; the others reuse it or are views of it."""
    wrapper: StageId
    bytes: int | None
    """None where a size is symbolic."""
    begin: int
    """Index of the first kernel of `MemoryPlan.kernels` that runs while it lives."""
    end: int
    """Index after the last."""
    role: str
    """``temporary``, ``saved`` (kept from forward to backward) or ``result`` (handed to the program)."""
    reused: int = 0
    """How many buffers took this memory over instead of allocating their own."""


class MemoryPlan(msgspec.Struct, frozen=True):
    """One step: the forward graphs in order, then the backward graphs the other way round."""

    kernels: tuple[Place, ...]
    buffers: tuple[PlannedBuffer, ...]

    def live(self, role: str = "") -> tuple[int, ...]:
        """Bytes (of one role, or all) that live while each kernel runs; buffers of unknown size are not in it."""
        changes = [0] * (len(self.kernels) + 1)
        for buffer in self.buffers:
            if not role or buffer.role == role:
                changes[buffer.begin] += buffer.bytes or 0
                changes[buffer.end] -= buffer.bytes or 0
        return tuple(itertools.accumulate(changes[:-1]))

    def at(self, kernel: int) -> tuple[PlannedBuffer, ...]:
        """The buffers that live while a kernel runs, the largest first."""
        found = [buffer for buffer in self.buffers if buffer.begin <= kernel < buffer.end]
        return tuple(sorted(found, key=lambda buffer: -(buffer.bytes or 0)))

    @property
    def unknown(self) -> int:
        """How many buffers have a symbolic size."""
        return sum(1 for buffer in self.buffers if buffer.bytes is None)

    @property
    def spared(self) -> int:
        """Bytes that would have been allocated more without reuse."""
        return sum((buffer.bytes or 0) * buffer.reused for buffer in self.buffers)


def memory_plan(capture: Capture) -> MemoryPlan:
    """The plan of a capture; empty where no wrapper was generated in Python."""
    readings = [WrapperReading(capture, wrapper) for wrapper in _in_running_order(capture)]
    kernels: list[Place] = []
    waiting: dict[tuple[str, str], Storage] = {}
    """(compile id, FX node) → what a forward returned."""
    kept_on: list[tuple[Storage, Storage]] = []
    """(memory of the forward, the same as an argument of the backward)."""
    for reading in readings:
        for storage in reading.storages:
            storage.begin += len(kernels)
            storage.end = storage.end + len(kernels) if storage.end is not None else None
        kernels += reading.kernels
        compile_id = reading.wrapper.compile_id
        for name, storage in reading.given.items():
            before = waiting.pop((compile_id, name), None)
            if before is not None:
                kept_on.append((before, storage))
        for name, storage in reading.returned:
            if name and not storage.given:
                waiting[compile_id, name] = storage
    held = {id(storage) for storage in waiting.values()}
    roles: dict[int, str] = dict.fromkeys(held, "result")
    for before, after in kept_on:
        roles.setdefault(id(before), "saved")
        before.names += after.names
        before.reused += after.reused
        if id(before) not in held:
            before.end = after.end
    storages = [storage for reading in readings for storage in reading.storages if not storage.given]
    return MemoryPlan(
        tuple(kernels),
        tuple(_buffer(storage, len(kernels), roles.get(id(storage))) for storage in storages),
    )


def _in_running_order(capture: Capture) -> list[Stage]:
    wrappers = capture.of_kind(StageKind.WRAPPER)
    forward = [stage for stage in wrappers if stage.part != "backward"]
    backward = [stage for stage in wrappers if stage.part == "backward"]
    return [*forward, *reversed(backward)]


def _buffer(storage: Storage, kernels: int, role: str | None) -> PlannedBuffer:
    end = kernels if storage.end is None else storage.end
    kind = role or ("result" if storage.end is None else "temporary")
    return PlannedBuffer(
        tuple(dict.fromkeys(storage.names)),
        storage.wrapper,
        storage.bytes,
        storage.begin,
        max(end, storage.begin),
        kind,
        storage.reused,
    )


def measured_memory(trace: StepTrace, kernels: tuple[TimedKernel, ...]) -> dict[Place, int]:
    """Bytes more than at the step's begin while each kernel ran, as the profiler saw them allocated and freed."""
    found: dict[Place, int] = {}
    live = seen = 0
    for span in sorted(trace.spans, key=lambda row: row.begin):
        if not 0 <= span.kernel < len(kernels):
            continue
        middle = (span.begin + span.end) // 2
        while seen < len(trace.memory) and trace.memory[seen][0] <= middle:
            live += trace.memory[seen][1]
            seen += 1
        found.setdefault(kernels[span.kernel].place, live)
    return found
