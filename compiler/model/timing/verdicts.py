"""The verdict on an edit: is it right, and is it faster."""

import math

import msgspec

from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary

SAME_INPUTS = "kernels before, same inputs"
"""What kernels with another text are compared with, one by one, where what a step gives cannot be judged."""

SAME_NUMBERS = "unedited, same random numbers"
"""What edited code is compared with where both draw the same random numbers, and eager others."""

NOT_JUDGED = "Not judged: "
"""How the note of a comparison begins that says why there is no verdict."""


def not_judged(why: str) -> str:
    """Such a note; `why` is a clause."""
    return f"{NOT_JUDGED}{why}."


class Difference(msgspec.Struct, frozen=True):
    """How far one result is from another, over all elements of one tensor."""

    tensor: str
    """``output 0``, ``grad of fc1.weight``."""
    max_absolute: float
    max_relative: float
    """Largest absolute error over the largest absolute value of the reference."""
    rms_relative: float | None = None
    """Root mean square of the error over that of the reference; None where it was not looked at."""
    unlike: str = ""
    """What it is, where no number says how far off: ``missing``, ``NaN where the reference is not``."""

    @property
    def relative_text(self) -> str:
        """``2.8e-07``, or what it is."""
        return self._format_error(self.max_relative)

    @property
    def absolute_text(self) -> str:
        """The same of the largest absolute error."""
        return self._format_error(self.max_absolute)

    @property
    def sentence(self) -> str:
        """``output 0 is off by 2.8e-07``; without a full stop."""
        off = "off by " if math.isfinite(self.max_relative) or not self.unlike else ""
        return f"{self.tensor} is {off}{self.relative_text}"

    def _format_error(self, error: float) -> str:
        return f"{error:.1e}" if math.isfinite(error) else self.unlike or "inf"


def format_worst(worst: Difference | None) -> str:
    """``: output 0 is off by 2.8e-07``, behind a clause; empty where nothing was compared."""
    return f": {worst.sentence}" if worst is not None else ""


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
    difference too, and asks how far rounding alone takes float64, so that they may differ."""
    wrong: tuple[str, ...] = ()
    """The tensors that make it wrong; what is far off and explained is none of them."""
    rounding: tuple[str, ...] = ()
    """The tensors whose terms cancel to next to nothing on both sides, so that all of them is rounding: that they are far off, relatively,
    says nothing."""

    @property
    def worst(self) -> Difference | None:
        """The tensor that is farthest off, relatively, of those that make it wrong, or of all that have a value."""
        rows = (
            [row for row in self.differences if row.tensor in self.wrong] or self.valued or self.differences
        )
        return max(rows, key=lambda difference: difference.max_relative, default=None)

    @property
    def valued(self) -> tuple[Difference, ...]:
        """Those of tensors that are more than rounding."""
        return tuple(row for row in self.differences if row.tensor not in self.rounding)

    def unjudged(self, note: str) -> "Comparison":
        """Without a verdict, for the reason that the note gives."""
        return msgspec.structs.replace(self, agrees=None, note=note, wrong=())


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

    @property
    def edited(self) -> bool:
        """Whether it is of an edit, and not of what torch made by itself."""
        return any(row.what == "edited" for row in self.comparisons)

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """What it rests on: of an edit, what was judged of the edited program; else all that was judged."""
        edited = self.edited
        return tuple(
            row for row in self.comparisons if row.agrees is not None and (row.what == "edited" or not edited)
        )

    @property
    def right(self) -> bool | None:
        """Whether all of that is right; None where nothing was judged."""
        judged = self.judged
        return all(row.agrees for row in judged) if judged else None
