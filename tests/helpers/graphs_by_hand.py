"""Graphs that a test writes by hand."""

import msgspec

from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph


def arguments(*given: str | float) -> SequenceArgument:
    """Nodes by their names, and numbers."""
    items = (
        NodeArgument(item) if isinstance(item, str) else ConstantArgument("float", repr(item))
        for item in given
    )
    return SequenceArgument("tuple", tuple(items))


def changed(graph: Graph, name: str, **fields: object) -> Graph:
    """The graph with one node that is otherwise."""
    index = graph.index(name)
    return graph.with_node(index, msgspec.structs.replace(graph.nodes[index], **fields))
