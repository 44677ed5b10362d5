"""The clock for steps, which on a GPU waits for what was launched, and what of a step is the program's own."""

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


class StepTime:
    """When a step's forward and backward began and ended: what is looked at between them and afterwards is not the program's time.

    On a GPU the two are one: it runs the forward while the backward is launched.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._is_one = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
        self._began: int | None = None
        self.parts: list[tuple[int, int]] = []

    def begin(self) -> None:
        """The program's own begins."""
        if self._began is None:
            self._began = self._clock()

    def end(self, goes_back: bool = False) -> None:
        """It ended; `goes_back`: a backward may follow."""
        if self._began is not None and not (goes_back and self._is_one):
            self.parts.append((self._began, self._clock()))
            self._began = None

    @property
    def nanoseconds(self) -> int:
        """Of the program's own."""
        return sum(end - begin for begin, end in self.parts)
