"""What graph breaks cost at run time, as measured: the time a step spends outside compiled graphs, and where."""

import msgspec

from compiler.model.timing.timings import TimingSummary


class Gap(msgspec.Struct, frozen=True):
    """The time between two compiled graphs, in one step of the forward."""

    after: str
    """Compile id of the graph before it; empty: the step's begin."""
    before: str
    """Compile id of the graph after it; empty: the step's end."""
    time: TimingSummary
    """Nanoseconds in one step, all its occurrences together."""
    times: int = 1
    """Occurrences in one step."""
    eager_ops: int = 0
    """Operations that ran eagerly in it, counted in a step of its own."""


class BreakCosts(msgspec.Struct, frozen=True, tag="break_costs"):
    """Answer to `MeasureBreaks`."""

    step: TimingSummary
    """The whole forward as the user calls it."""
    inside: TimingSummary
    """Of that, the time in compiled graphs."""
    gaps: tuple[Gap, ...]
    eager: TimingSummary | None = None
    """The forward without torch.compile."""
    compiled_again: int = 0
    """Compiles that began while it was measured. Steps that compile are left out; what is timed after them may be other code than
    what was captured."""
