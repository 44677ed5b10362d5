"""What every edit of a graph asks of it first, in words for the person who made the edit."""

from typing import Protocol

from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId

FIXED = ("placeholder", "output")
"""Operations that are the graph's own ends: they call nothing, and can be neither removed nor inserted."""


class EditError(ValueError):
    """The edit does not fit the graph. The message says why, in words for the person who made it."""


class Nodes(Protocol):
    """A graph, or the draft of one."""

    def node(self, node_id: NodeId, /) -> Node: ...

    def holds(self, node_id: NodeId, /) -> bool: ...

    def index(self, node_id: NodeId, /) -> int: ...


def find_node(graph: Nodes, node_id: NodeId) -> Node:
    """The node of that id. Raises EditError."""
    try:
        return graph.node(node_id)
    except KeyError:
        raise EditError(f"There is no node {node_id} in this graph.") from None


def require_defined_before(graph: Nodes, index: int, node: Node) -> None:
    """A node may only use nodes that stand before it. Raises EditError."""
    for used in node.inputs():
        if used == node.id:
            raise EditError(f"{node.id} cannot use its own result.")
        if not (graph.holds(used) and graph.index(used) < index):
            raise EditError(f"{node.id} cannot use {used}, which does not come before it.")
