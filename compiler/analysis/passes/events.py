"""What can happen to a node, as rows of a history."""

import msgspec

from compiler.model.ir.ids import NodeId, Place, StageId


class HistoryEvent(msgspec.Struct, frozen=True):
    """One row of a node's history."""

    kind: str
    """``written``, ``traced``, ``created``, ``survived``, ``changed``, ``replaced``, ``merged``, ``removed``, ``became``,
    ``saved``, ``recomputed``, ``fused``, ``generated``, ``called``, ``here``."""
    text: str
    """The row in words, without the names of `nodes` where `nodes` are what it is about."""
    place: Place
    """Where to look: the nodes that it is about, in their stage."""
    proof: str = "torch"
    """A key of `lineage.PROOFS`."""
    by: str = ""
    """The pass that did it, or empty."""
    position: int | None = None
    """For a pass: where the replay of the stage stands after it."""
    title: str = ""
    """The stage in words."""

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """The nodes it is about."""
        return self.place.nodes

    @property
    def stage(self) -> StageId:
        """The stage it is about."""
        return self.place.stage
