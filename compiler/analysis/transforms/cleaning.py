"""Leaving out calls whose results nobody uses, and making equal calls once."""

from collections.abc import Hashable

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.purity import draws_random_numbers, is_pure, written_in
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId


def dead_code(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Take out every pure call that nobody uses, and what only such calls use. Raises EditError."""
    builder = EditBuilder(stage, graph)
    for node in reversed(graph.nodes):
        if (not chosen or node.id in chosen) and is_pure(node) and not builder.is_used(node.id):
            builder.bypass(node.id, None)
    return builder.group("Remove dead code", "Every result is used: there is no dead code.")


def common_subexpressions(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Make equal calls once. A call that works in place ends what was known before it, and what it writes to stays by itself. Raises EditError."""
    builder = EditBuilder(stage, graph)
    written = written_in(graph)
    known: dict[Hashable, NodeId] = {}
    for original in graph.nodes:
        node = builder.node(original.id)
        if node.op.startswith("call") and not is_pure(node):
            known.clear()
            continue
        if not node.op.startswith(("call", "get_attr")) or draws_random_numbers(node) or node.id in written:
            continue
        first = known.setdefault(_key(node), node.id)
        if first != node.id and (not chosen or node.id in chosen):
            builder.bypass(node.id, first)
    return builder.group("Make common subexpressions once", "No two calls are equal.")


def _key(node: Node) -> Hashable:
    return node.op, node.target, node.args, node.kwargs
