"""Trying changes on a copy: what a program was before and after them, measured side by side in one run."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import Change
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary
from compiler.model.timing.verdicts import Comparison


class SizeRun(msgspec.Struct, frozen=True):
    """One call with another size."""

    size: int
    compiled: tuple[str, ...] = ()
    """Compile ids of the frames that had to be compiled for it; empty: compiled code was reused."""
    reasons: tuple[str, ...] = ()
    """Why, as torch says."""
    problem: str = ""
    """Why the call failed, or empty."""


class TrialSide(msgspec.Struct, frozen=True):
    """The program on one side of the trial."""

    breaks: int = 0
    """Places where capturing ended, same causes on the same line once."""
    graphs: int = 0
    ops: int = 0
    """Calls in all Dynamo graphs."""
    kernels: int = 0
    compiles: int = 0
    """Frames compiled, again ones included."""
    capture_seconds: float = 0.0
    step: TimingSummary | None = None
    """One step as the user runs it; taken interleaved with the other side."""
    sizes: tuple[SizeRun, ...] = ()
    problems: tuple[Problem, ...] = ()
    printed: str = ""
    """What one call prints."""

    @property
    def compile_count(self) -> int:
        """Frames compiled in the capture and for all the sizes."""
        return self.compiles + sum(len(run.compiled) for run in self.sizes)


class Trial(msgspec.Struct, frozen=True, tag="trial"):
    """Answer to `TryChanges`."""

    changes: tuple[Change, ...]
    before: TrialSide
    after: TrialSide
    capture: Capture
    """The capture with the changes."""
    base: Capture
    """The capture without them, made for the trial."""
    ratio: PairedRatio | None = None
    eager: TimingSummary | None = None
    """The unchanged program without torch.compile."""
    comparisons: tuple[Comparison, ...] = ()
    """The changed program compiled, against the unchanged one in eager mode and in float64."""
    notes: tuple[str, ...] = ()

    @property
    def same_results(self) -> bool | None:
        """Whether results agree with float64 as well as eager does; None where that was not judged."""
        judged = [row.agrees for row in self.comparisons if row.agrees is not None]
        return all(judged) if judged else None


class DimensionTrial(msgspec.Struct, frozen=True):
    """Which argument's dimension is to be called with which sizes, on both sides."""

    argument: str
    dimension: int
    sizes: tuple[int, ...]
