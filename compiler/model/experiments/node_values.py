"""What values the nodes of compiled graphs had in one step: where the first NaN, infinity or overflow comes from."""

import msgspec

from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId, NodeId, StageId


class MeasureValues(msgspec.Struct, frozen=True, tag="measure_values"):
    """Run a step and look at every value of its post-grad graphs, with these edits (compiled already). Replies with
    `ValuesMeasured`.
    """

    capture: CaptureId
    edits: tuple[Edit, ...] = ()


class ValueSummary(msgspec.Struct, frozen=True):
    """One tensor. Extremes and mean are those of its finite values; None where there are none."""

    elements: int
    dtype: str
    least: float | None
    most: float | None
    mean: float | None
    zeros: int = 0
    nans: int = 0
    infinities: int = 0
    subnormals: int = 0
    """Not zero, and smaller than the least normal number of its dtype."""
    beyond_half: int = 0
    """Finite, but beyond what float16 can hold (65,504)."""

    @property
    def finite(self) -> bool:
        """Whether every value is a number."""
        return not self.nans and not self.infinities


class NodeValue(msgspec.Struct, frozen=True):
    """A node's value, run op by op with the inputs that its compiled graph was called with."""

    stage: StageId
    node: NodeId
    value: ValueSummary
    compiled: ValueSummary | None = None
    """The buffer that compiled code made for it; None where it stands in none."""
    made_nan: bool = False
    """It holds a NaN, and nothing that the node reads does."""
    made_infinity: bool = False
    """It holds an infinity, and all the tensors that it reads are finite; not so of constants, which are meant (masks)."""


class ValuesMeasured(msgspec.Struct, frozen=True, tag="values_measured"):
    """In the order of the step: graphs as they ran, nodes as they stand."""

    rows: tuple[NodeValue, ...]
    not_run: tuple[StageId, ...] = ()
    """Graphs that the step did not come to."""

    def first(self, nan: bool) -> NodeValue | None:
        """Where a NaN (or an infinity) first comes about."""
        return next((row for row in self.rows if (row.made_nan if nan else row.made_infinity)), None)
