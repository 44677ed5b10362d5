"""The clock for steps, which on a GPU waits for what was launched."""

import time
from collections.abc import Callable

import torch


def step_clock() -> Callable[[], int]:
    """Nanoseconds. On a GPU kernels only begin when they are called, so there the clock waits for them to end: the
    times then hold launch and run together, and each kernel runs alone.
    """
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return time.perf_counter_ns

    def after_the_gpu() -> int:
        torch.cuda.synchronize()
        return time.perf_counter_ns()

    return after_the_gpu
