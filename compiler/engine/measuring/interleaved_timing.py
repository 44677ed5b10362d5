"""Steps taken one after the other again and again, so that a noisy moment hits all. What every ratio here rests on."""

import os
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Self, TypeAlias

Sampler = Callable[[], int]
"""Does once what is timed, and gives its nanoseconds."""

_SETTLES = ((2, 40_000_000), (8, 2_000_000))
"""So many steps run uncounted after another program's, where they take no more nanoseconds together: the larger number."""
_UNKNOWN_NS = 10**18

SETTING = "LOUPE_MEASURING_TIME"
"""Environment variable: the share of the usual seconds that measuring may take (1 unless set)."""


def measuring_time(seconds: float) -> float:
    """How long something may be measured that usually takes so many seconds."""
    try:
        share = float(os.environ.get(SETTING, "1"))
    except ValueError:
        return seconds
    return seconds * max(share, 0.0)


class Settling:
    """Lets a program run uncounted where another one ran before it, so that it is timed as it runs in a loop of its own.

    A compiled step of 0.4 or 1 ms takes a fifth longer right after an eager one, one of 8 ms a tenth. After two of its own it takes
    what it takes in a loop, but for the shortest; a step of 30 ms does anyway (`resources/docs/measurements.md`).
    """

    def __init__(self) -> None:
        self._ran: object = None
        self._took: dict[object, int] = {}
        self._settles = [(steps, int(measuring_time(within))) for steps, within in _SETTLES]

    def time(self, program: object, sample: Sampler) -> int:
        """Nanoseconds of one step, after others where the last step was another program's."""
        if self._ran not in (None, program):
            step = max(self._took.get(program, _UNKNOWN_NS), 1)
            for _ in range(max(min(steps, within // step) for steps, within in self._settles)):
                sample()
        return self.time_as_it_comes(program, sample)

    def time_as_it_comes(self, program: object, sample: Sampler) -> int:
        """The same without others before."""
        self._ran = program
        self._took[program] = took = sample()
        return took


Around: TypeAlias = Callable[[], AbstractContextManager[object]]


class InPlace:
    """What programs need around their steps, that of one at a time: put in place once for its steps in a row, since a step right after
    it takes longer, the more so the more is changed.
    """

    def __init__(self) -> None:
        self._now: Around | None = None
        self._entered = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._now = None
        self._entered.close()

    def put(self, around: Around) -> None:
        """Leave what another program needs and enter this, unless it is what is entered."""
        if around == self._now:
            return
        self._entered.close()
        self._now = None
        self._entered.enter_context(around())
        self._now = around


def interleave(
    samplers: Sequence[Sampler], seconds: float, warm_up: int = 3, fewest: int = 10, most: int = 400
) -> list[list[int]]:
    """Nanoseconds of each, a turn at a time, those of the first `warm_up` turns left out: at least `fewest` turns, then as many
    as fit into `seconds`. Two turns go through all in an order drawn by lot, there and back: what runs after a slower or larger
    program finds its data gone from the caches, so none may follow another one more often than the rest do.
    """
    found: list[list[int]] = [[] for _ in samplers]
    allowed = measuring_time(seconds)
    began = time.perf_counter()
    settling = Settling()
    lots = random.Random()  # not the module's: the program's random numbers stay as they are
    order = list(range(len(samplers)))
    for turn in range(most):
        if turn % 2 == 0:
            lots.shuffle(order)
        else:
            order.reverse()
        for index in order:
            found[index].append(settling.time(index, samplers[index]))
        if turn + 1 >= warm_up + fewest and time.perf_counter() - began > allowed:
            break
    return [times[warm_up:] for times in found]


def sampler(run: Callable[[], object], clock: Callable[[], int] = time.perf_counter_ns) -> Sampler:
    """Times a call of something that gives no time of its own."""

    def sample() -> int:
        began = clock()
        run()
        return clock() - began

    return sample
