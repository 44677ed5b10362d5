"""Memory against recomputation: what torch's partitioner would do at each memory budget."""

import msgspec

from compiler.model.ir.ids import StageId


class CurvePoint(msgspec.Struct, frozen=True):
    """The partition at one budget."""

    budget: float
    bytes: int | None
    """Kept from forward to backward, storages counted once, without inputs; None where a size is symbolic."""
    flops: float
    """Floating-point operations that the backward repeats, by the partitioner's own estimate (at least 1 a node)."""
    recomputed: int
    """Forward nodes that the backward runs again."""
    saved: tuple[str, ...] = ()
    """Names of what is kept, inputs included."""


class MeasuredPoint(msgspec.Struct, frozen=True):
    """The program compiled with one budget, and run."""

    budget: float
    bytes: int | None
    median: float
    """Nanoseconds of one step, forward and backward."""
    low: float
    high: float
    """Quartiles."""


class PartitionCurve(msgspec.Struct, frozen=True, tag="partition_curve"):
    """Answer to `ExplorePartition` and `MeasurePartition`."""

    stage: StageId
    points: tuple[CurvePoint, ...] = ()
    measured: tuple[MeasuredPoint, ...] = ()
