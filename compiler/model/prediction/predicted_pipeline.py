"""What is predicted of a pipeline's step: when each stage does what, and how long it waits. Nothing of it was measured."""

import msgspec

from compiler.model.prediction.simulated_step import Action


class Slot(msgspec.Struct, frozen=True, array_like=True):
    """One forward or backward of a microbatch in a stage."""

    action: Action
    begin: float
    end: float
    """Seconds from the step's begin."""


class PredictedStage(msgspec.Struct, frozen=True):
    """One stage."""

    stage: int
    forward: float
    """Seconds that a microbatch takes at the median."""
    backward: float
    optimizer: float
    busy: float
    """Seconds of the step in which it works."""
    sent: int
    """Bytes to the next stage for a microbatch; their gradient comes back."""
    sending: float
    """Seconds that they take on the link."""
    in_flight: int
    """The most microbatches that wait for their backward at a time."""
    peak: int
    """Bytes, with those in flight."""
    fits: bool
    slots: tuple[Slot, ...]


class PredictedPipeline(msgspec.Struct, frozen=True):
    """All stages of a step."""

    schedule: str
    microbatches: int
    seconds: float
    stages: tuple[PredictedStage, ...]
    link: str
    """What joins neighbouring stages."""

    @property
    def bubble(self) -> float:
        """The share of all stages' time in which they wait."""
        whole = self.seconds * len(self.stages)
        return 1 - sum(stage.busy for stage in self.stages) / whole if whole else 0.0

    @property
    def bound_by(self) -> PredictedStage:
        """The stage that works longest."""
        return max(self.stages, key=lambda stage: stage.busy)

    @property
    def largest(self) -> PredictedStage:
        """The stage that needs most memory."""
        return max(self.stages, key=lambda stage: stage.peak)
