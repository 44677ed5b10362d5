"""The verdict on an edit: is it right, and is it faster."""

import msgspec

from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary


class Difference(msgspec.Struct, frozen=True):
    """How far one result is from another, over all elements of one tensor."""

    tensor: str
    """``output 0``, ``grad of fc1.weight``."""
    max_absolute: float
    max_relative: float
    """Largest absolute error over the largest absolute value of the reference."""


class Comparison(msgspec.Struct, frozen=True):
    """One set of results against one reference."""

    what: str
    """``unedited``, ``edited``."""
    reference: str
    """``eager``, ``float64``, ``edited graph, eager``, ``edited graph, float64``."""
    differences: tuple[Difference, ...]
    agrees: bool | None = None
    """Whether it is as close to float64 as eager is, within a small factor; None where that was not judged."""
    note: str = ""
    torch_agrees: bool | None = None
    """What torch's own check says (`torch._dynamo.utils.same` with `fp64_ref`), where it was asked. Ours is by the largest
    difference, torch's by the mean square, so that they may differ."""

    @property
    def worst(self) -> Difference | None:
        """The tensor that is farthest off, relatively."""
        return max(self.differences, key=lambda difference: difference.max_relative, default=None)


class Verdict(msgspec.Struct, frozen=True):
    """What an edit did to results and to time, measured in this run."""

    comparisons: tuple[Comparison, ...]
    before: TimingSummary | None = None
    """Time of one step before the edit."""
    after: TimingSummary | None = None
    eager: TimingSummary | None = None
    recompile_seconds: float = 0.0
    cold_seconds: float = 0.0
    """Wall time of the capture the edit started from, for comparison."""
    summary: str = ""
    """One sentence."""
    notes: tuple[str, ...] = ()
    ratio: PairedRatio | None = None
    """After over before, of steps taken interleaved."""
    eager_ratio: PairedRatio | None = None
    """Eager over after."""
