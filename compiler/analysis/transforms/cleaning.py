"""Leaving out calls whose results nobody uses, and making equal calls once."""

from collections.abc import Hashable

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.edits.edits import EditGroup
from compiler.model.effects.memory import Memory, memory_of
from compiler.model.effects.purity import draws_random_numbers, is_pure, written_by
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId


def dead_code(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Take out every pure call that nobody uses, and what only such calls use. What draws random numbers stays, since others are
    drawn after it. Raises EditError.
    """
    builder = EditBuilder(stage, graph)
    for node in reversed(graph.nodes):
        can_go = is_pure(node) and not draws_random_numbers(node) and (not chosen or node.id in chosen)
        if can_go and not builder.is_used(node.id):
            builder.bypass(node.id, None)
    return builder.group("Remove dead code", "Every result is used: there is no dead code.")


def common_subexpressions(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Make equal calls once. A call that works in place ends what was known of its memory. Raises EditError."""
    builder, memory = EditBuilder(stage, graph), memory_of(graph)
    known: dict[Hashable, NodeId] = {}
    for original in graph.nodes:
        node = builder.node(original.id)
        if node.op.startswith("call") and not is_pure(node):
            known = _still_known(known, builder, memory, written_by(node))
            continue
        if not node.op.startswith(("call", "get_attr")) or draws_random_numbers(node):
            continue
        first = known.setdefault(_key(node), node.id)
        wanted = first != node.id and (not chosen or node.id in chosen)
        if first != node.id and not memory.may_be_made_once(first, node.id):
            known[_key(node)] = node.id
        elif wanted:
            builder.bypass(node.id, first)
    return builder.group("Make common subexpressions once", "No two calls are equal.")


def _still_known(
    known: dict[Hashable, NodeId], builder: EditBuilder, memory: Memory, written: tuple[NodeId, ...]
) -> dict[Hashable, NodeId]:
    """Without the calls whose result, or what it was made of, may be another now; nothing of a call that does something else."""

    def is_touched(node: NodeId) -> bool:
        return any(
            memory.share(part, other) for part in (node, *builder.node(node).inputs()) for other in written
        )

    return {key: node for key, node in known.items() if not is_touched(node)} if written else {}


def _key(node: Node) -> Hashable:
    return node.op, node.target, node.args, node.kwargs
