"""Making edits from what a person picks: a graph and a node in, an edit out. Pure; nothing here changes anything."""

from collections.abc import Callable

from app.translation.texts import tr
from compiler.analysis.transforms.activations import relus_to_gelus
from compiler.model.edits.edits import Edit, EditError, EditGroup, InsertNode, ReplaceTarget
from compiler.model.ir.argument_substitution import mapped_mapping, mapped_sequence
from compiler.model.ir.arguments import Argument, ArgumentPath, NodeArgument, SequenceArgument
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoice


def replace_target(stage: StageId, node_id: NodeId, choice: OpChoice) -> Edit:
    """Make a node call the chosen operation with the arguments the engine chose for it."""
    return ReplaceTarget(stage, node_id, choice.op, choice.target, choice.args, choice.kwargs)


def replace_every(
    stage: StageId, graph: Graph, like: NodeId, choice: OpChoice, among: tuple[NodeId, ...] = ()
) -> Edit:
    """Make every node that calls what `like` calls call the chosen operation instead; with `among`, only those named.
    Raises EditError.

    The choice's arguments are those of `like`; for another node each input is the one in the same position.
    """
    model = _node(graph, like)
    parts = tuple(
        ReplaceTarget(
            stage,
            node.id,
            choice.op,
            choice.target,
            mapped_sequence(choice.args, _translation(model, node)),
            mapped_mapping(choice.kwargs, _translation(model, node)),
        )
        for node in graph.nodes
        if (node.op, node.target) == (model.op, model.target) and (not among or node.id in among)
    )
    which = f"{len(parts)} of the nodes that call" if among else "every"
    label = f"Replace {which} {model.operation} by {choice.label}"
    return parts[0] if len(parts) == 1 else EditGroup(label, parts)


def relu_to_gelu(stage: StageId, graph: Graph, node_id: NodeId) -> Edit:
    """Make one relu a gelu. Raises EditError where it is none."""
    return relus_to_gelus(stage, graph, (node_id,)).edits[0]


Use = tuple[NodeId, ArgumentPath]


def uses_of(graph: Graph, source: NodeId) -> tuple[Use, ...]:
    """Every place where a node's result is used: (user, path of the argument)."""
    return tuple((user.id, path) for user in graph.nodes for used, path in user.uses() if used == source)


def insert_on_edge(
    stage: StageId, graph: Graph, source: NodeId, uses: tuple[Use, ...], choice: OpChoice
) -> Edit:
    """Put a unary operation between a node and some uses of it, right behind the node. Raises EditError."""
    node = _node(graph, source)
    if not uses:
        raise EditError(
            tr("Nothing uses {source}, so there is no edge to put {label} on.").format(
                source=source, label=choice.label
            )
        )
    args = SequenceArgument("tuple", (NodeArgument(source),))
    name = unused_name(graph, choice.label)
    index = graph.index(source) + 1
    while index < len(graph.nodes) and graph.nodes[index].op == "placeholder":
        index += 1
    new = Node(name, choice.op, choice.target, args, value=node.value, lane=node.lane, stack=node.stack)
    return InsertNode(stage, new, index, uses)


def _node(graph: Graph, node_id: NodeId) -> Node:
    try:
        return graph.node(node_id)
    except KeyError:
        raise EditError(tr("There is no node {node_id} in this graph.").format(node_id=node_id)) from None


def _translation(model: Node, node: Node) -> Callable[[NodeId], Argument]:
    """From an input of the model to the argument of another node that calls the same, in the same position."""
    paths = dict(reversed(tuple(model.uses())))

    def swap(used: NodeId) -> Argument:
        if model.id == node.id:
            return NodeArgument(used)
        try:
            return node.argument(paths[used])
        except (KeyError, IndexError):
            raise EditError(
                tr("{id} has other arguments than {id2}; replace it by itself.").format(
                    id=node.id, id2=model.id
                )
            ) from None

    return swap
