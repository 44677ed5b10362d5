"""Passes over a graph: what each one made, changed and removed, kept as differences so that a capture stays small."""

import msgspec

from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId

OTHER_CHANGES = "other changes"
"""Name of what changed between two passes that torch names, or before the first or after the last of them."""
LINES = "line"
"""The phase of steps that are no passes but lines of the user's, as a graph grew while they ran."""
YOUR_EDIT = "your edit"
"""Name of the difference between what the passes left and the graph that was compiled after an edit."""


class PassRun(msgspec.Struct, frozen=True):
    """One run of one pass over one graph."""

    id: str
    """Unique in the capture and in running order: ``"0/0:pre_grad:3"``."""
    name: str
    """Torch's name of the pass: ``remove_noop_ops``, ``decompose_mm_pass``."""
    phase: str
    """``pre_grad``, ``joint``, ``post_grad``, or `LINES`."""
    stage: StageId
    """The stage that the run belongs to: the graph after the last of its runs."""
    seconds: float = 0.0
    """Wall time of the pass itself, measured in this run; 0 for changes outside of passes."""
    made: tuple[Node, ...] = ()
    """Nodes that were not there before, in their order."""
    changed: tuple[Node, ...] = ()
    """Nodes that stayed but have other arguments, target or result; as they are after the pass."""
    removed: tuple[NodeId, ...] = ()
    order: tuple[NodeId, ...] = ()
    """All nodes in their order after the pass, where nodes that stayed changed places; else empty."""
    origins: tuple[tuple[NodeId, tuple[NodeId, ...]], ...] = ()
    """(node made, nodes whose place it took), as torch replaced them or as its pattern matcher matched them."""
    note: str = ""
    """What it did, in words, where there is more to say: which patterns."""
    after: tuple[NodeId, ...] = ()
    """For each node of `made` the node that stands before it, or empty for the first."""
    replaced: tuple[tuple[NodeId, NodeId], ...] = ()
    """(node, node that its users use instead), as torch replaced them."""

    @property
    def changed_anything(self) -> bool:
        """Whether the graph is another one after it."""
        return bool(self.made or self.changed or self.removed or self.order)


class PassStart(msgspec.Struct, frozen=True):
    """The graph that the runs of a stage began with: one that is a stage itself, or one that is kept here."""

    stage: StageId
    """As in `PassRun.stage`."""
    phase: str
    """The phase of the first run."""
    began_as: StageId = ""
    """The stage that holds the graph."""
    graph: Graph | None = None
    """The graph, where no stage holds it."""


class FusionStep(msgspec.Struct, frozen=True):
    """One thing Inductor's scheduler did between the loop IR and the fused loop IR."""

    id: str
    """Unique in the capture and in running order: ``"0/0:forward:fusion:3"``."""
    stage: StageId
    """The fused loop IR that it led to."""
    name: str
    """``fuse``, or torch's name of the step: ``create_foreach_nodes``, ``merge_loops``, ``reorder_for_peak_memory``."""
    round: int = 0
    """For a fusion: the round of the scheduler, from 1."""
    parts: tuple[NodeId, ...] = ()
    """The nodes that became one; empty if none did."""
    result: NodeId = ""
    """The node they became."""
    changed: tuple[NodeId, ...] = ()
    """Nodes whose loops were changed."""
    order: tuple[NodeId, ...] = ()
    """All nodes in their order afterwards, where the step changed it."""
    saved_bytes: int | None = None
    """Memory traffic that the fusion saves by torch's own score; None where torch gave none."""
    relation: str = ""
    """``producer and consumer`` or ``side by side``."""
    seconds: float = 0.0
    note: str = ""

    @property
    def changed_anything(self) -> bool:
        """Whether the loop IR is another one after it."""
        return bool(self.parts or self.changed or self.order)


class Difference(msgspec.Struct, frozen=True):
    """What turns one graph into another. The fields mean what those of `PassRun` mean."""

    made: tuple[Node, ...]
    after: tuple[NodeId, ...]
    changed: tuple[Node, ...]
    removed: tuple[NodeId, ...]
    order: tuple[NodeId, ...]

    def __bool__(self) -> bool:
        return bool(self.made or self.changed or self.removed or self.order)


def difference(before: Graph, after: Graph) -> Difference:
    """What turns `before` into `after`."""
    old = before.by_id()
    kept: list[NodeId] = []
    made: list[Node] = []
    predecessors: list[NodeId] = []
    changed: list[Node] = []
    last = ""
    for node in after.nodes:
        earlier = old.get(node.id)
        if earlier is None:
            made.append(node)
            predecessors.append(last)
        else:
            kept.append(node.id)
            if earlier is not node and earlier != node:
                changed.append(node)
        last = node.id
    stay = set(kept)
    removed = tuple(node_id for node_id in old if node_id not in stay)
    same_order = kept == [node_id for node_id in old if node_id in stay]
    order = () if same_order else tuple(node.id for node in after.nodes)
    return Difference(tuple(made), tuple(predecessors), tuple(changed), removed, order)


def after_run(graph: Graph, run: PassRun) -> Graph:
    """The graph after a run. Raises ValueError where the run does not fit the graph."""
    if not run.changed_anything:
        return graph
    nodes = graph.by_id()
    removed = set(run.removed)
    if len(run.after) != len(run.made) or len(removed) < len(run.removed) or not removed <= nodes.keys():
        raise ValueError(f"{run.id} does not fit the graph it ran on")
    for node_id in removed:
        del nodes[node_id]
    fresh = {node.id for node in run.made}
    if (
        len(fresh) < len(run.made)
        or fresh & nodes.keys()
        or not all(node.id in nodes for node in run.changed)
    ):
        raise ValueError(f"{run.id} does not fit the graph it ran on")
    order = list(run.order) or _with_made(list(nodes), run)
    nodes.update((node.id, node) for node in (*run.made, *run.changed))
    if len(order) != len(nodes) or set(order) != set(nodes):
        raise ValueError(f"{run.id} orders other nodes than it leaves")
    return Graph(tuple(nodes[node_id] for node_id in order))


def _with_made(order: list[NodeId], run: PassRun) -> list[NodeId]:
    behind: dict[NodeId, list[NodeId]] = {}
    for node, predecessor in zip(run.made, run.after, strict=True):
        behind.setdefault(predecessor, []).append(node.id)
    if not behind:
        return order
    placed: list[NodeId] = []
    waiting = list(reversed(behind.get("", ())))
    rest = iter(order)
    while True:
        if waiting:
            node_id = waiting.pop()
        elif (following := next(rest, None)) is not None:
            node_id = following
        else:
            return placed
        placed.append(node_id)
        waiting += reversed(behind.get(node_id, ()))
