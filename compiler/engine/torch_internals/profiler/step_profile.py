"""Torch's old profiler, which writes nothing to the terminal: what one step ran and allocated, and when."""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd.profiler import record_function

GIVES = "operations, guards and allocations of one step"
NEEDS = (
    "torch.autograd:_enable_profiler_legacy",
    "torch.autograd:_disable_profiler_legacy",
    "torch.autograd:ProfilerConfig",
    "torch._C._profiler:_ExperimentalConfig",
)
_BEGIN = "torch loupe: step begins"
_MARKS = 5


@dataclasses.dataclass
class StepProfile:
    """Nanoseconds since the step began."""

    ranges: list[tuple[int, int, str, int]] = dataclasses.field(default_factory=list)
    """(begin, end, name, how many ranges it is inside of), by begin."""
    memory: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    """(time, bytes allocated or, negative, freed), by time."""
    length: int = 0
    began: int = 0
    """When the step began, by ``time.perf_counter_ns``."""


def profile_step(run: Callable[[], object]) -> StepProfile:
    """Run a step under the profiler. Where this torch has no such profiler it is run without, and nothing is seen."""
    try:
        config = torch.autograd.ProfilerConfig(
            torch.autograd.ProfilerState.CPU,
            False,
            True,
            False,
            False,
            False,
            torch._C._profiler._ExperimentalConfig(),
        )
        enable, disable = torch.autograd._enable_profiler_legacy, torch.autograd._disable_profiler_legacy
    except (AttributeError, TypeError):
        run()
        return StepProfile()
    enable(config)
    clock: list[int] = []
    try:
        for _ in range(_MARKS):
            with record_function(_BEGIN):
                pass
            clock.append(time.perf_counter_ns())
        run()
    finally:
        threads = disable()
    return _read(threads, clock)


def marked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, seen by the profiler as a range of that name."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with record_function(name):
            return function(*args, **kwargs)

    return run


def _read(threads: Any, clock: list[int]) -> StepProfile:
    events = [event for thread in threads for event in thread]
    begins = [index for index, event in enumerate(events) if event.name() == _BEGIN]
    found = StepProfile()
    if len(begins) != len(clock):
        return found
    ends = [events[index + 1] for index in begins]  # of the empty ranges
    start = ends[-1]

    def at(event: Any) -> int:
        return int(start.cpu_elapsed_us(event) * 1e3)

    # The clock was read a little after each mark, sometimes a lot: the least is the nearest to the truth.
    found.began = min(read - at(end) for read, end in zip(clock, ends, strict=True))
    for thread in threads:
        open_ranges: list[tuple[int, str]] = []
        for event in thread:
            kind, time = event.kind(), at(event)
            if kind == "push" and event.name() != _BEGIN:
                open_ranges.append((time, str(event.name())))
            elif kind == "pop" and open_ranges:
                begin, name = open_ranges.pop()
                found.ranges.append((begin, time, name, len(open_ranges)))
            elif kind == "memory_alloc" and time >= 0:
                found.memory.append((time, int(event.cpu_memory_usage())))
            found.length = max(found.length, time)
    found.ranges.sort(key=lambda row: (row[0], -row[1]))
    found.memory.sort(key=lambda row: row[0])
    return found
