"""Edits of many nodes at once, and which nodes are like one another. Pure; nothing here changes anything."""

from collections.abc import Callable

import msgspec

from app.translation.texts import tr
from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.edits.edits import Edit, EditGroup
from compiler.model.edits.node_edits import SetArguments
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.arguments import Argument, ConstantArgument, children
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_schemas import OpSignature, bind, unbind

Likeness = Callable[[Graph, NodeId], tuple[NodeId, ...]]


def same_operation(graph: Graph, node_id: NodeId) -> tuple[NodeId, ...]:
    """Every node that calls what a node calls."""
    model = find_node(graph, node_id)
    return tuple(node.id for node in graph.nodes if (node.op, node.target) == (model.op, model.target))


def same_call(graph: Graph, node_id: NodeId) -> tuple[NodeId, ...]:
    """Every node that calls the same with the same constants, on other nodes or not."""
    model = find_node(graph, node_id)
    alike = same_operation(graph, node_id)
    return tuple(name for name in alike if _constants(graph.node(name)) == _constants(model))


def same_module(graph: Graph, node_id: NodeId) -> tuple[NodeId, ...]:
    """Every node that was made in the same module or in one inside it."""
    path = find_node(graph, node_id).module_path
    if not path:
        return (node_id,)
    return tuple(
        node.id for node in graph.nodes if node.module_path == path or node.module_path.startswith(f"{path}.")
    )


def _constants(node: Node) -> tuple[object, ...]:
    def shape(argument: Argument) -> object:
        if isinstance(argument, ConstantArgument):
            return argument
        return type(argument).__name__, tuple((step, shape(child)) for step, child in children(argument))

    return shape(node.args), shape(node.kwargs)


def remove_nodes(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> Edit:
    """Remove many nodes, the last first; where one is still used, its first input takes its place. Raises EditError."""
    calls = [node.id for node in graph.nodes if node.id in chosen and node.op.startswith("call")]
    if not calls:
        raise EditError(tr("Inputs and outputs cannot be removed; select nodes that call something."))
    builder = EditBuilder(stage, graph)
    for node_id in reversed(calls):
        inputs = builder.node(node_id).inputs()
        if builder.uses_of(node_id) and not inputs:
            raise EditError(tr("{node_id} has no input that could take its place.").format(node_id=node_id))
        builder.bypass(node_id, inputs[0] if inputs else None)
    group = builder.group(f"Remove {len(calls)} nodes", tr("There is nothing to remove."))
    return group.edits[0] if len(calls) == 1 else group


def arguments_of_all(
    edit: SetArguments, graph: Graph, signature: OpSignature, others: tuple[NodeId, ...]
) -> Edit:
    """What was changed of one node's arguments, changed of others that call the same too. Raises EditError."""
    model = find_node(graph, edit.node)
    before, after = bind(signature, model), bind(signature, _with(model, edit))
    if before is None or after is None:
        raise EditError(tr("{node} is not called as {text}.").format(node=edit.node, text=signature.text))
    old, new = dict(before.values), dict(after.values)
    changed = {name: new.get(name) for name in {*old, *new} if old.get(name) != new.get(name)}
    parts: list[Edit] = [edit]
    for name in others:
        node = find_node(graph, name)
        bound = bind(signature, node)
        if bound is None:
            raise EditError(
                tr("{name} is called in another way than {node}.").format(name=name, node=edit.node)
            )
        values = dict(bound.values) | {key: value for key, value in changed.items() if value is not None}
        values = {key: value for key, value in values.items() if changed.get(key, value) is not None}
        try:
            parts.append(SetArguments(edit.stage, name, *unbind(signature, node, bound, values)))
        except ValueError as error:
            raise EditError(f"{name}: {error}") from error
    return EditGroup(f"{', '.join(sorted(changed))} of {len(parts)} nodes", tuple(parts))


def _with(node: Node, edit: SetArguments) -> Node:
    return msgspec.structs.replace(node, args=edit.args, kwargs=edit.kwargs)
