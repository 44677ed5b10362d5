"""Steps on a GPU as CUPTI saw them, through torch.profiler: how long each kernel ran, and in which call it was launched."""

import bisect
import dataclasses
import logging
from collections.abc import Callable
from typing import Any

import torch

GIVES = "kernel times on a GPU"
NEEDS = (
    "torch.profiler:profile",
    "torch._C._profiler:_RecordFunctionFast",
    "torch._C._autograd:_KinetoEvent",
)
_STEP, _CALL = "loupe step", "loupe call "
GUARDS = "TorchDynamo Cache Lookup"
"""What torch calls the range in which it looks for compiled code."""


@dataclasses.dataclass(frozen=True)
class GpuKernel:
    """One kernel, copy or fill on the device; nanoseconds since its step began."""

    call: int
    """The number of the call that launched it; -1: another part of the step."""
    begin: int
    end: int
    name: str


@dataclasses.dataclass(frozen=True)
class GpuStep:
    """One step, everything it launched included."""

    length: int
    calls: tuple[tuple[int, int, int], ...]
    """(call, begin, end) on the host: what calling took there."""
    kernels: tuple[GpuKernel, ...]
    guards: tuple[tuple[int, int], ...] = ()
    """(begin, end) on the host: looking for compiled code whose guards hold."""


def call_range(number: int) -> Any:
    """A context around one kernel call, which the profiler sees. Costs about 0.2 µs while nothing profiles."""
    return torch._C._profiler._RecordFunctionFast(f"{_CALL}{number}")


def profile_steps(run: Callable[[], object], count: int) -> list[GpuStep]:
    """Run so many steps under the profiler, each until the GPU is done."""
    logging.getLogger("torch.profiler").setLevel(logging.ERROR)
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=activities, acc_events=True) as profile:
        for _ in range(count):
            with torch._C._profiler._RecordFunctionFast(_STEP):
                run()
                torch.cuda.synchronize()
    results = profile.profiler.kineto_results
    return _read(results.events())


def _read(events: Any) -> list[GpuStep]:
    steps: list[tuple[int, int]] = []
    calls: list[tuple[int, int, int]] = []
    launches: dict[int, int] = {}
    ran: list[tuple[int, int, int, str]] = []
    lookups: list[tuple[int, int]] = []
    for event in events:
        name = event.name()
        begin = event.start_ns()
        if event.device_type() != torch.autograd.DeviceType.CPU:
            if not name.startswith("loupe "):
                ran.append((begin, begin + event.duration_ns(), event.correlation_id(), name))
        elif name == _STEP:
            steps.append((begin, begin + event.duration_ns()))
        elif name.startswith(_CALL):
            calls.append((begin, begin + event.duration_ns(), int(name.removeprefix(_CALL))))
        elif name == GUARDS:
            lookups.append((begin, begin + event.duration_ns()))
        elif name.startswith("cu"):
            launches[event.correlation_id()] = begin
    steps.sort()
    calls.sort()
    starts = [begin for begin, _, _ in calls]
    step_starts = [begin for begin, _ in steps]
    kernels: list[list[GpuKernel]] = [[] for _ in steps]
    called: list[list[tuple[int, int, int]]] = [[] for _ in steps]
    for begin, end, number in calls:
        index = bisect.bisect_right(step_starts, begin) - 1
        if index >= 0:
            zero = step_starts[index]
            called[index].append((number, begin - zero, end - zero))
    for begin, end, correlation, name in sorted(ran):
        launched = launches.get(correlation, begin)
        index = bisect.bisect_right(step_starts, launched) - 1
        if index < 0 or launched > steps[index][1]:
            continue
        place = bisect.bisect_right(starts, launched) - 1
        inside = place >= 0 and launched <= calls[place][1]
        zero = step_starts[index]
        kernels[index].append(GpuKernel(calls[place][2] if inside else -1, begin - zero, end - zero, name))
    guards: list[list[tuple[int, int]]] = [[] for _ in steps]
    for begin, end in sorted(lookups):
        index = bisect.bisect_right(step_starts, begin) - 1
        if index >= 0:
            guards[index].append((begin - step_starts[index], end - step_starts[index]))
    return [
        GpuStep(end - begin, tuple(called[index]), tuple(kernels[index]), tuple(guards[index]))
        for index, (begin, end) in enumerate(steps)
    ]
