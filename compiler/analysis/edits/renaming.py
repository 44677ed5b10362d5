"""The nodes that an edit names, and the same edit with other names for them."""

from collections.abc import Mapping

import msgspec

from compiler.model.edits.edits import (
    BypassNode,
    CodeEdit,
    Edit,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    ReplaceText,
    SetArgument,
)
from compiler.model.edits.node_edits import ReorderNodes, SetArguments
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.ir.argument_substitution import mapped, mapped_mapping, mapped_node, mapped_sequence
from compiler.model.ir.arguments import NodeArgument, nodes_in
from compiler.model.ir.ids import NodeId, StageId

SingleGraphEdit = (
    ReplaceTarget
    | SetArgument
    | SetArguments
    | BypassNode
    | InsertNode
    | ReorderNodes
    | ChooseSaved
    | ChooseMemoryBudget
)


def graph_edits(edit: Edit) -> tuple[SingleGraphEdit, ...]:
    """The edits of FX graphs that an edit is, in order."""
    if isinstance(edit, EditGroup):
        return tuple(inner for part in edit.edits for inner in graph_edits(part))
    return () if isinstance(edit, CodeEdit | ReplaceText) else (edit,)


def named_nodes(edit: SingleGraphEdit) -> tuple[NodeId, ...]:
    """The nodes that must be there for an edit; not the one that it makes."""
    match edit:
        case ReplaceTarget() | SetArguments():
            return (edit.node, *nodes_in(edit.args), *nodes_in(edit.kwargs))
        case SetArgument():
            return (edit.node, *nodes_in(edit.argument))
        case BypassNode():
            return (edit.node, edit.replacement) if edit.replacement else (edit.node,)
        case ReorderNodes():
            return edit.order
        case ChooseSaved():
            return (edit.node,)
        case ChooseMemoryBudget():
            return ()
        case InsertNode():
            return (*edit.node.inputs(), *(user for user, _ in edit.uses))


def renamed(edit: SingleGraphEdit, stage: StageId, names: Mapping[NodeId, NodeId]) -> SingleGraphEdit:
    """The edit for another stage, with other names for the nodes in `names`."""

    def node(name: NodeId) -> NodeArgument:
        return NodeArgument(names.get(name, name))

    def other(name: NodeId) -> NodeId:
        return names.get(name, name)

    match edit:
        case ReplaceTarget():
            return ReplaceTarget(
                stage,
                other(edit.node),
                edit.op,
                edit.target,
                mapped_sequence(edit.args, node),
                mapped_mapping(edit.kwargs, node),
            )
        case SetArguments():
            return SetArguments(
                stage, other(edit.node), mapped_sequence(edit.args, node), mapped_mapping(edit.kwargs, node)
            )
        case SetArgument():
            return SetArgument(stage, other(edit.node), edit.path, mapped(edit.argument, node))
        case BypassNode():
            return BypassNode(stage, other(edit.node), other(edit.replacement) if edit.replacement else None)
        case ReorderNodes():
            return ReorderNodes(stage, tuple(map(other, edit.order)))
        case ChooseSaved() | ChooseMemoryBudget():
            node_id = {"node": other(edit.node)} if isinstance(edit, ChooseSaved) else {}
            return msgspec.structs.replace(edit, stage=stage, **node_id)
        case InsertNode():
            made = msgspec.structs.replace(mapped_node(edit.node, node), id=other(edit.node.id))
            return InsertNode(stage, made, edit.index, tuple((other(user), path) for user, path in edit.uses))
