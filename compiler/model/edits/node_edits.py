"""Edits of whole nodes: all arguments at once, and the order in which nodes run."""

import msgspec

from compiler.model.edits.graph_draft import AnyGraph
from compiler.model.edits.validation import FIXED, EditError, find_node, require_defined_before
from compiler.model.ir.arguments import MappingArgument, SequenceArgument, text_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId


class SetArguments(msgspec.Struct, frozen=True, tag="set_arguments"):
    """Give a node other arguments, all of them; what it calls stays."""

    stage: StageId
    node: NodeId
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())


class ReorderNodes(msgspec.Struct, frozen=True, tag="reorder_nodes"):
    """Let some nodes change places: they take the positions they have together, in this order."""

    stage: StageId
    order: tuple[NodeId, ...]


def set_arguments(graph: AnyGraph, edit: SetArguments) -> tuple[AnyGraph, SetArguments]:
    """The graph with other arguments, and the inverse. Raises EditError."""
    old = find_node(graph, edit.node)
    if old.op == "placeholder":
        raise EditError(f"{old.id} is an input; it has no arguments to change.")
    index = graph.index(old.id)
    new = msgspec.structs.replace(old, args=edit.args, kwargs=edit.kwargs)
    require_defined_before(graph, index, new)
    return graph.with_node(index, new), SetArguments(edit.stage, old.id, old.args, old.kwargs)


def reorder(graph: Graph, edit: ReorderNodes) -> tuple[Graph, ReorderNodes]:
    """The graph in another order, and the inverse. Raises EditError where a node would run before what it uses."""
    if len(set(edit.order)) != len(edit.order):
        raise EditError("A node is named twice in the new order.")
    moved = {node_id: find_node(graph, node_id) for node_id in edit.order}
    fixed = next((node for node in moved.values() if node.op in FIXED), None)
    if fixed is not None:
        raise EditError(
            f"{fixed.id} is a{'n' if fixed.op == 'output' else ''} {fixed.op}, which keeps its place."
        )
    places = [index for index, node in enumerate(graph.nodes) if node.id in moved]
    nodes = list(graph.nodes)
    for index, node_id in zip(places, edit.order, strict=True):
        nodes[index] = moved[node_id]
    seen: set[NodeId] = set()
    for node in nodes:
        for used in node.inputs():
            if used not in seen:
                raise EditError(f"{node.id} uses {used}, so it cannot run before it.")
        seen.add(node.id)
    return Graph(tuple(nodes)), ReorderNodes(edit.stage, tuple(graph.nodes[index].id for index in places))


def describe_node_edit(edit: SetArguments | ReorderNodes) -> str:
    """One line for the history."""
    if isinstance(edit, SetArguments):
        parts = [text_of(item) for item in edit.args.items]
        parts += [f"{key}={text_of(item)}" for key, item in edit.kwargs.items]
        return f"{edit.node}: arguments ({', '.join(parts)})"
    if len(edit.order) > 4:
        return f"Move {edit.order[0]} … {edit.order[-1]} ({len(edit.order)} nodes)"
    return f"Run {', '.join(edit.order)} in this order"
