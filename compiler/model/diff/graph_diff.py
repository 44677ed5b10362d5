"""Two FX graphs node by node: what was added, removed and changed."""

import msgspec

from compiler.model.diff.node_diff import called, differences, spell
from compiler.model.diff.node_matching import pair_nodes
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import describe


class NodeChange(msgspec.Struct, frozen=True):
    """A node that is in both graphs but not the same."""

    before: NodeId
    after: NodeId
    what: tuple[str, ...]
    """What is different, in words: ``calls torch.relu → torch.nn.functional.gelu``."""


class GraphDiff(msgspec.Struct, frozen=True):
    """How one graph differs from another; all empty where they do the same."""

    added: tuple[NodeId, ...] = ()
    """Nodes of the graph after, in its order."""
    removed: tuple[NodeId, ...] = ()
    """Nodes of the graph before, in its order."""
    changed: tuple[NodeChange, ...] = ()
    kept: tuple[tuple[NodeId, NodeId], ...] = ()
    """(before, after) of nodes that are the same but have another name."""

    @property
    def same(self) -> bool:
        """Whether both graphs compute the same in the same way."""
        return not (self.added or self.removed or self.changed)


def compare_graphs(before: Graph, after: Graph) -> GraphDiff:
    """What differs from one graph to the other. Fast enough for thousands of nodes."""
    old, new = before.nodes, after.nodes
    if same_but_for_lines(before, after):
        return GraphDiff()
    found = pair_nodes(before, after)
    partner = {old[a].id: new[b].id for a, b in found.items()}
    taken = set(found.values())
    changes = []
    kept = []
    for a, b in sorted(found.items(), key=lambda pair: pair[1]):
        what = tuple(words for _, words in differences(old[a], new[b], partner))
        if what:
            changes.append(NodeChange(old[a].id, new[b].id, what))
        elif old[a].id != new[b].id:
            kept.append((old[a].id, new[b].id))
    return GraphDiff(
        tuple(node.id for index, node in enumerate(new) if index not in taken),
        tuple(node.id for index, node in enumerate(old) if index not in found),
        tuple(changes),
        tuple(kept),
    )


def same_but_for_lines(before: Graph, after: Graph) -> bool:
    """Whether both have the same nodes in the same order; where they come from and the numbers of lines do not count."""
    old, new = before.nodes, after.nodes
    return len(old) == len(new) and all(map(_equal_but_for_lines, old, new))


def _equal_but_for_lines(old: Node, new: Node) -> bool:
    return old is new or (
        (old.id, old.op, old.target, old.role, old.lane) == (new.id, new.op, new.target, new.role, new.lane)
        and (old.args, old.kwargs, old.value, old.notes) == (new.args, new.kwargs, new.value, new.notes)
    )


def fingerprint(graph: Graph) -> int:
    """Equal for graphs that differ in names and line numbers only; for this process, not for files."""
    places = {node.id: f"%{index}" for index, node in enumerate(graph.nodes)}
    return hash(
        tuple(
            (called(node), spell(node.args, places), spell(node.kwargs, places), describe(node.value))
            for node in graph.nodes
        )
    )
