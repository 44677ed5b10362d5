"""Two states of the edited program timed interleaved."""

import msgspec

from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary


class StateTimes(msgspec.Struct, frozen=True, tag="state_times"):
    """Answer to `TimeStates`. Steps of both, and of the eager program, were taken one after the other."""

    first: TimingSummary
    second: TimingSummary
    eager: TimingSummary
    ratio: PairedRatio | None
    """Second over first."""
    first_eager: PairedRatio | None = None
    """Eager over first."""
    second_eager: PairedRatio | None = None
    """Eager over second."""
    threads: int = 1
