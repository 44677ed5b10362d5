"""Passes over a graph: what each one made, changed and removed, kept as differences so that a capture stays small."""

import msgspec

from compiler.model.graph import Graph, Node
from compiler.model.ids import NodeId, StageId


class PassRun(msgspec.Struct, frozen=True):
    """One run of one pass over one graph."""

    id: str
    """Unique in the capture and in running order: ``"0/0:pre_grad:3"``."""
    name: str
    """Torch's name of the pass: ``remove_noop_ops``, ``decompose_mm_pass``."""
    phase: str
    """``pre_grad``, ``joint``, ``post_grad`` or ``fusion``."""
    stage: StageId
    """The stage that the phase ends in: the graph after the phase's last pass."""
    seconds: float = 0.0
    made: tuple[Node, ...] = ()
    """Nodes that were not there before."""
    changed: tuple[Node, ...] = ()
    """Nodes that stayed but have other arguments, target or result; as they are after the pass."""
    removed: tuple[NodeId, ...] = ()
    order: tuple[NodeId, ...] = ()
    """All nodes in their order after the pass, where that is not the old order with new nodes added; else empty."""
    origins: tuple[tuple[NodeId, tuple[NodeId, ...]], ...] = ()
    """(node made, nodes it stands for), where torch or our mark says."""
    note: str = ""
    """What it did, in words, where there is more to say: which pattern, why two nodes were fused."""

    @property
    def changed_anything(self) -> bool:
        """Whether the graph is another one after it."""
        return bool(self.made or self.changed or self.removed or self.order)


class PassStart(msgspec.Struct, frozen=True):
    """The graph that a phase began with."""

    stage: StageId
    """As in `PassRun.stage`."""
    phase: str
    graph: Graph
