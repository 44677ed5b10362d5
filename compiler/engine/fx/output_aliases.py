"""Which results of a graph share memory with its inputs or with one another, as far as its views say."""

import torch

from compiler.engine.fx.resolve_target import find_target
from compiler.model.ir.graph import Graph, Node


def aliases(graph: Graph) -> tuple[str, ...]:
    """For each result what it is a view of: an input by name, or the first result that shares its memory by number."""
    nodes = graph.by_id()
    output = next((node for node in reversed(graph.nodes) if node.op == "output"), None)
    if output is None:
        return ()
    first: dict[str, int] = {}
    found = []
    for index, (name, _) in enumerate(output.uses()):
        root = _root(nodes[name], nodes)
        found.append(root.id if root.op == "placeholder" else str(first.setdefault(root.id, index)))
    return tuple(found)


def _root(node: Node, nodes: dict[str, Node]) -> Node:
    """What a chain of views begins with."""
    while node.op == "call_function" and _is_view(node.target) and node.inputs():
        node = nodes[node.inputs()[0]]
    return node


def _is_view(target: str) -> bool:
    try:
        operator = find_target("call_function", target)
    except KeyError:
        return False
    # a reshape may be a view
    return bool(getattr(operator, "is_view", False)) or operator is torch.ops.aten.reshape.default
