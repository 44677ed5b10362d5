"""What is predicted of a step: memory over it, and time. Nothing of it was measured."""

import msgspec

from compiler.model.prediction.other_ranks import AlikeRanks
from compiler.model.prediction.predicted_pipeline import PredictedPipeline

COMPUTE, MEMORY, NETWORK, LAUNCH = "compute", "memory", "network", "launch"
"""What the time of a layer is bound by; `LAUNCH` is the host, which cannot keep up."""


class MemoryPoint(msgspec.Struct, frozen=True, array_like=True):
    """The most memory there is around one moment."""

    at: int
    """Index of the moment."""
    bytes: tuple[int, ...]
    """By kind, in the order of `MemoryCurve.kinds`."""

    @property
    def total(self) -> int:
        """Of all kinds."""
        return sum(self.bytes)


class MemoryCurve(msgspec.Struct, frozen=True):
    """Memory over a step, at most some hundred points of it; the peak is one of them."""

    kinds: tuple[str, ...]
    points: tuple[MemoryPoint, ...]
    peak: MemoryPoint
    phases: tuple[tuple[str, int], ...]
    """(phase, index of its first moment)."""
    peaks: tuple[tuple[str, int], ...] = ()
    """(phase, most bytes in it)."""
    where: str = ""
    """What is launched at the peak, in words."""

    def by_kind(self) -> tuple[tuple[str, int], ...]:
        """What the peak consists of, the largest first."""
        rows = [(kind, size) for kind, size in zip(self.kinds, self.peak.bytes, strict=True) if size]
        return tuple(sorted(rows, key=lambda row: -row[1]))


class LayerTime(msgspec.Struct, frozen=True):
    """What a layer takes in one phase."""

    layer: str
    phase: str
    seconds: float
    """From its first launch's begin to its last one's end on the program's stream."""
    compute: float
    memory: float
    network: float
    """Seconds that each ceiling alone would ask for."""
    bound: str
    """One of `BOUNDS`: what most of its time goes to."""
    launches: int


_SHOWS = 1.02


class PredictedTime(msgspec.Struct, frozen=True):
    """A step as the machine's figures allow it, with what its streams can do side by side."""

    seconds: float
    phases: tuple[tuple[str, float], ...]
    busy: float
    """Seconds in which kernels run."""
    sending: float
    """Seconds in which collectives run."""
    exposed: float
    """Seconds of those in which nothing is computed."""
    idle: float
    """Seconds in which the GPU waits for the host."""
    layers: tuple[LayerTime, ...]
    unknown: int = 0
    """Kernels of which no work is known; they count as the shortest there are."""
    slower: float = 1.0
    """How many times as long the host takes at most in real steps of such a machine."""
    slowest: float = 0.0
    """Seconds of the step where it does."""

    @property
    def depends_on_host(self) -> bool:
        """Whether a slow host shows."""
        return self.slowest > _SHOWS * self.seconds


class Remedy(msgspec.Struct, frozen=True):
    """A change that makes the step smaller, as computed."""

    what: str
    peak: int
    """Bytes at the peak with it."""
    seconds: float | None = None
    """What the step takes then; None where that was not computed."""
    how: str = ""
    """What to write."""
    problem: str = ""
    """Why it could not be tried; then `peak` says nothing."""


class RankPeak(msgspec.Struct, frozen=True):
    """Ranks of the same program, and the memory that one of them needs."""

    group: AlikeRanks
    peak: int | None
    """Bytes; None: not derived, capture one of them."""
    at_most: bool = False
    """The peak is in the optimizer, whose temporaries have the captured rank's sizes."""


class PredictedRanks(msgspec.Struct, frozen=True):
    """All ranks of a world."""

    captured: int
    rows: tuple[RankPeak, ...]
    problem: str = ""
    """Why nothing is derived of other ranks."""

    @property
    def most(self) -> RankPeak | None:
        """The ranks that need most, of those that are known."""
        return max(
            (row for row in self.rows if row.peak is not None), key=lambda row: row.peak or 0, default=None
        )

    @property
    def least(self) -> RankPeak | None:
        """The ranks that need least, of those that are known."""
        return min(
            (row for row in self.rows if row.peak is not None), key=lambda row: row.peak or 0, default=None
        )

    @property
    def unknown(self) -> int:
        """Ranks of which it is not derived."""
        return sum(row.group.count for row in self.rows if row.peak is None)

    @property
    def count(self) -> int:
        """All that are reported."""
        return sum(row.group.count for row in self.rows)


class PredictedStep(msgspec.Struct, frozen=True):
    """The whole answer."""

    machine: str
    gpu: str
    limit: int
    """Bytes of one GPU's memory that tensors can have."""
    memory: MemoryCurve
    time: PredictedTime
    optimizer: str
    remedies: tuple[Remedy, ...] = ()
    notes: tuple[str, ...] = ()
    """What is not in it."""
    ranks: PredictedRanks | None = None
    """Of one of many processes: the others."""
    pipeline: PredictedPipeline | None = None
    """Of a stage with a schedule, where the others were captured too: the step of all."""

    @property
    def largest(self) -> int:
        """Bytes at the peak of the rank that needs most, of those that are known."""
        most = self.ranks.most if self.ranks is not None else None
        return max(self.memory.peak.total, (most.peak or 0) if most is not None else 0)

    @property
    def fits(self) -> bool:
        """Whether the largest rank's peak is below the limit."""
        return self.largest <= self.limit
