"""Two callables timed one after the other again and again, so that a noisy moment hits both."""

import time
from collections.abc import Callable

_WARM_UP = 3
_FEWEST, _MOST = 10, 400


def by_turns(
    first: Callable[[], object], second: Callable[[], object], seconds: float
) -> tuple[list[int], list[int]]:
    """Nanoseconds of each, pair by pair; at least `_FEWEST` pairs, then as many as fit in `seconds`. Every second pair is
    taken the other way round.
    """
    times: dict[bool, list[int]] = {False: [], True: []}
    for _ in range(_WARM_UP):
        first()
        second()
    began = time.perf_counter()
    for turn in range(_MOST):
        for is_second in (bool(turn % 2), not turn % 2):
            function = second if is_second else first
            started = time.perf_counter_ns()
            function()
            times[is_second].append(time.perf_counter_ns() - started)
        if turn + 1 >= _FEWEST and time.perf_counter() - began > seconds:
            break
    return times[False], times[True]
