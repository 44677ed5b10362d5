"""Edits of single nodes and edges, made from what a person picks. Pure; nothing here changes anything."""

from app.session.edit_builders.from_selection import Use, uses_of
from app.translation.texts import tr
from compiler.model.edits.edits import Edit, EditGroup, InsertNode, ReplaceTarget, SetArgument
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    constant_from_text,
)
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import ScalarValue, TensorValue
from compiler.model.operators.op_candidates import OpChoice


def insert_before(
    stage: StageId, graph: Graph, user: NodeId, uses: tuple[Use, ...], choice: OpChoice
) -> Edit:
    """Put a unary operation on what a node uses, right before the node. Raises EditError."""
    node = find_node(graph, user)
    used = {node.argument(path) for _, path in uses}
    if len(used) != 1 or not isinstance(source := used.pop(), NodeArgument):
        raise EditError(tr("{user} uses no single node there.").format(user=user))
    name = unused_name(graph, choice.label)
    args = SequenceArgument("tuple", (source,))
    value = find_node(graph, source.node).value
    new = Node(name, choice.op, choice.target, args, value=value, lane=node.lane, stack=node.stack)
    return InsertNode(stage, new, graph.index(user), uses)


def set_constant(stage: StageId, graph: Graph, node_id: NodeId, text: str) -> Edit:
    """Let a node give a constant: a tensor of the same type filled with it, or the number itself. Raises EditError."""
    node = find_node(graph, node_id)
    try:
        constant = constant_from_text(text)
    except ValueError as error:
        raise EditError(str(error)) from error
    label = f"Set {node_id} to {constant.text}"
    if isinstance(node.value, ScalarValue):
        parts = tuple(SetArgument(stage, user, path, constant) for user, path in uses_of(graph, node_id))
        if not parts:
            raise EditError(tr("Nothing uses {node_id}.").format(node_id=node_id))
        return EditGroup(label, parts)
    if not isinstance(node.value, TensorValue):
        raise EditError(
            tr("{node_id} gives no tensor and no number, so there is nothing to fill.").format(
                node_id=node_id
            )
        )
    if all(size.isdigit() for size in node.value.shape):
        return EditGroup(label, (_filled(stage, node, node.value, constant, speaks_aten(graph)),))
    return EditGroup(label, (_filled_alike(stage, graph, node, constant),))


def _filled(stage: StageId, node: Node, value: TensorValue, constant: Argument, aten: bool) -> Edit:
    sizes = SequenceArgument("list", tuple(ConstantArgument("int", size) for size in value.shape))
    facts: list[tuple[str, Argument]] = [
        ("dtype", ConstantArgument("dtype", f"torch.{value.dtype}")),
        ("device", ConstantArgument("device", f"device({value.device!r})")),
    ]
    if aten:
        facts.insert(1, ("layout", ConstantArgument("layout", "torch.strided")))
        facts.append(("pin_memory", ConstantArgument("bool", "False")))
    target = "aten.full.default" if aten else "torch.full"
    args = SequenceArgument("tuple", (sizes, constant))
    return ReplaceTarget(stage, node.id, "call_function", target, args, MappingArgument(tuple(facts)))


def _filled_alike(stage: StageId, graph: Graph, node: Node, constant: Argument) -> Edit:
    """For symbolic sizes: a node behind it that takes its sizes from it."""
    target = "aten.full_like.default" if speaks_aten(graph) else "torch.full_like"
    args = SequenceArgument("tuple", (NodeArgument(node.id), constant))
    name = unused_name(graph, "full_like")
    new = Node(name, "call_function", target, args, value=node.value, lane=node.lane, stack=node.stack)
    return InsertNode(stage, new, graph.index(node.id) + 1, uses_of(graph, node.id))
