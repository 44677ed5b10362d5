"""Callables timed one after the other again and again, so that a noisy moment hits all."""

import time
from collections.abc import Callable, Sequence

_WARM_UP = 3
_FEWEST, _MOST = 10, 400


def by_turns(
    first: Callable[[], object], second: Callable[[], object], seconds: float
) -> tuple[list[int], list[int]]:
    """Nanoseconds of each, pair by pair; at least `_FEWEST` pairs, then as many as fit in `seconds`. Every second pair is
    taken the other way round.
    """
    one, other = time_all_interleaved((first, second), seconds)
    return one, other


def time_all_interleaved(functions: Sequence[Callable[[], object]], seconds: float) -> tuple[list[int], ...]:
    """As `by_turns`, for any number."""
    times: tuple[list[int], ...] = tuple([] for _ in functions)
    for _ in range(_WARM_UP):
        for function in functions:
            function()
    began = time.perf_counter()
    for turn in range(_MOST):
        order = range(len(functions)) if turn % 2 == 0 else reversed(range(len(functions)))
        for index in order:
            started = time.perf_counter_ns()
            functions[index]()
            times[index].append(time.perf_counter_ns() - started)
        if turn + 1 >= _FEWEST and time.perf_counter() - began > seconds:
            break
    return times
