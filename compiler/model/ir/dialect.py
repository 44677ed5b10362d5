"""Which operations a graph is written in: torch's functions and methods, or aten's operators."""

from compiler.model.ir.graph import Graph, Node

_OPERATORS = ("aten.", "prims.", "inductor.", "quantized.", "mkldnn.")


def speaks_aten(graph: Graph) -> bool:
    """Whether a graph is made of registered operators (after AOTAutograd), not of what people write in Python."""
    return any(is_operator_call(node) for node in graph.nodes)


def is_operator_call(node: Node) -> bool:
    """Whether a node calls an overload of a registered operator, ``aten.relu.default``."""
    return node.op == "call_function" and node.target.startswith(_OPERATORS)
