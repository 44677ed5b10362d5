"""What makes the compiled step slow: the question, every trial, and the answer."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId, NodeId, StageId
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingReport, TimingSummary

SettingValue = bool | int | float | str | None


class FindSlowness(msgspec.Struct, frozen=True, tag="find_slowness"):
    """Find what makes the step of a capture slow, with these edits (compiled already). Replies with `SlownessFound`."""

    capture: CaptureId
    edits: tuple[Edit, ...] = ()
    limit: int = 0
    """Nanoseconds that a step may take; 0: as long as eager's."""
    other: CaptureSpec | None = None
    """A program whose compiled step it may take as long as, timed in turns with it; None: eager's, or `limit`."""
    other_edits: tuple[Edit, ...] = ()
    anyway: bool = False
    """Look for what makes it faster though it is not slower than that."""


class SpeedTrial(msgspec.Struct, frozen=True):
    """One thing that was tried on a copy."""

    what: str
    """``the backward of 0/0 run op by op``, ``cpp.simdlen as torch has it at first (None, not 1)``."""
    kind: str
    """``op by op``, ``setting``, ``fusion``, ``guards``, ``mode``, ``shapes``."""
    ratio: PairedRatio | None = None
    """The step's time with it, over the time of the same code compiled again with nothing changed; None: it could not be run."""
    again: PairedRatio | None = None
    """The same once more, for what seemed to help."""
    right: bool | None = None
    """Whether the results are right with it, where it helps; None where that was not judged."""
    graph: str = ""
    part: str = ""
    stage: StageId = ""
    nodes: tuple[NodeId, ...] = ()
    path: str = ""
    line: int | None = None
    problem: str = ""
    """Why it could not be run."""
    setting: tuple[str, SettingValue] | None = None
    """Of Inductor's, that was tried in all graphs."""

    @property
    def helps(self) -> bool:
        """Whether the step is faster with it, twice, beyond noise."""
        return all(row is not None and row.clear and row.high < 1 for row in (self.ratio, self.again))


class SpeedTrialDone(msgspec.Struct, frozen=True, tag="speed_trial_done"):
    """Told while the search goes on."""

    capture: CaptureId
    trial: SpeedTrial


class GuardCost(msgspec.Struct, frozen=True):
    """The guards of one compile."""

    compile_id: str
    nanoseconds: float
    """Of one check of all of them, after a step."""
    guard: str = ""
    """The costliest, or those on one container, which are counted together."""
    path: str = ""
    line: int | None = None
    """The user's line that made it."""


class SlownessFound(msgspec.Struct, frozen=True, tag="slowness_found"):
    """What was found."""

    sentence: str
    slower: bool | None
    """Than it may be; None where noise does not let that be told."""
    than: str = "eager"
    ratio: PairedRatio | None = None
    """The compiled step's time over what it may take."""
    step: TimingSummary | None = None
    trials: tuple[SpeedTrial, ...] = ()
    """What helped first, by how much; then the others as they were made."""
    guards: tuple[GuardCost, ...] = ()
    """The costliest first."""
    report: TimingReport | None = None
    """Kernels and parts of the step as it is."""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def helped(self) -> tuple[SpeedTrial, ...]:
        """What makes it faster."""
        return tuple(trial for trial in self.trials if trial.helps)
