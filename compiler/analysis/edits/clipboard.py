"""A part of a graph on its own: what cut, copy and paste carry, also from one capture to another, as JSON text."""

import msgspec

from compiler.model.edits.edits import Edit, EditGroup, InsertNode, SetArgument
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.argument_substitution import mapped_node
from compiler.model.ir.arguments import NodeArgument
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue, Value


class FragmentInput(msgspec.Struct, frozen=True):
    """What a fragment uses and does not hold."""

    name: NodeId
    value: Value | None = None
    role: str = ""
    """``parameter`` for a parameter of the model, as in `Node.role`."""


class Fragment(msgspec.Struct, frozen=True, tag="torch_loupe_fragment", tag_field="kind"):
    """Nodes in the order they run."""

    nodes: tuple[Node, ...]
    inputs: tuple[FragmentInput, ...]
    outputs: tuple[NodeId, ...]
    """Nodes whose results were used outside, or by nobody."""
    aten: bool = False
    """Whether it is written in registered operators."""
    version: int = 1


def copy_fragment(graph: Graph, chosen: tuple[NodeId, ...]) -> Fragment:
    """The chosen nodes that call something, with what they use named. Raises EditError where there is none."""
    nodes = tuple(node for node in graph.nodes if node.id in chosen and node.op.startswith("call"))
    if not nodes:
        raise EditError(
            "Inputs and outputs cannot be copied on their own; select a node that calls something."
        )
    inside = {node.id for node in nodes}
    known = graph.by_id()
    used = dict.fromkeys(name for node in nodes for name in node.inputs() if name not in inside)
    inputs = tuple(FragmentInput(name, known[name].value, known[name].role) for name in used)
    users = graph.users()
    outputs = tuple(node.id for node in nodes if not users[node.id] or set(users[node.id]) - inside)
    return Fragment(nodes, inputs, outputs, speaks_aten(graph))


def fragment_text(fragment: Fragment) -> str:
    """The fragment as JSON, to be put on a clipboard or into a file."""
    return msgspec.json.format(msgspec.json.encode(fragment), indent=1).decode()


def fragment_from_text(text: str) -> Fragment:
    """The fragment that a text holds. Raises EditError for any other text."""
    try:
        fragment = msgspec.json.decode(text, type=Fragment)
    except UNREADABLE as error:
        raise EditError("The clipboard holds no nodes copied from a graph.") from error
    known = {item.name for item in fragment.inputs}
    for node in fragment.nodes:
        if node.op in ("placeholder", "output") or not set(node.inputs()) <= known:
            raise EditError("The nodes on the clipboard do not fit together.")
        known.add(node.id)
    return fragment


def counterparts(graph: Graph, item: FragmentInput) -> tuple[NodeId, ...]:
    """Nodes of a graph that may stand for an input of a fragment, the likeliest first.

    The node of the same name is first if its type is the same; then nodes of the same type; then the others.
    """
    ranked = sorted(
        (
            (_strangeness(node, item), index, node.id)
            for index, node in enumerate(graph.nodes)
            if node.op != "output"
        ),
        key=lambda row: row[:2],
    )
    return tuple(node_id for _, _, node_id in ranked)


def obvious(graph: Graph, item: FragmentInput) -> NodeId | None:
    """The one node that an input of a fragment certainly is: of the same name and type."""
    first = next(iter(counterparts(graph, item)), None)
    return first if first is not None and _strangeness(graph.node(first), item) == 0 else None


def _strangeness(node: Node, item: FragmentInput) -> int:
    same_type = _type_of(node.value) == _type_of(item.value)
    if node.id == item.name and same_type:
        return 0
    return 1 + 2 * (not same_type) + ((node.role == "parameter") != (item.role == "parameter"))


def _type_of(value: Value | None) -> object:
    return (value.shape, value.dtype, value.device) if isinstance(value, TensorValue) else value


def paste(
    stage: StageId,
    graph: Graph,
    fragment: Fragment,
    stands_for: dict[NodeId, NodeId],
    replaced: dict[NodeId, NodeId],
) -> EditGroup:
    """Put a fragment into a graph, as late as its inputs ask and as early as that allows. Raises EditError.

    `stands_for`: the graph's node for each input. `replaced`: for some outputs, the node whose users use the output
    instead.
    """
    if speaks_aten(graph) and not fragment.aten:
        raise EditError("These nodes call torch's functions; this graph is made of operators of aten.")
    missing = [item.name for item in fragment.inputs if item.name not in stands_for]
    if missing:
        raise EditError(f"Nothing stands for {missing[0]}.")
    index = max((graph.index(find_node(graph, name).id) + 1 for name in stands_for.values()), default=0)
    while index < len(graph.nodes) and graph.nodes[index].op == "placeholder":
        index += 1
    names = dict(stands_for)
    parts: list[Edit] = []
    grown = graph
    for offset, node in enumerate(fragment.nodes):
        own = _renamed(node, names)
        lanes = {grown.node(used).lane for used in own.inputs()}
        lane = "backward" if "backward" in lanes else next(iter(lanes), "")
        fresh = msgspec.structs.replace(own, id=unused_name(grown, node.id), lane=lane, origins=(), notes=())
        names[node.id] = fresh.id
        parts.append(InsertNode(stage, fresh, index + offset, ()))
        grown = Graph((*grown.nodes, fresh))
    for output, old in replaced.items():
        parts += _taken_over(stage, graph, names[output], old, index)
    return EditGroup(
        f"Paste {len(fragment.nodes)} node{'s' if len(fragment.nodes) > 1 else ''}", tuple(parts)
    )


def _taken_over(stage: StageId, graph: Graph, new: NodeId, old: NodeId, index: int) -> list[Edit]:
    found: list[Edit] = []
    for position, user in enumerate(graph.nodes):
        for used, path in user.uses():
            if used == old and position >= index:
                found.append(SetArgument(stage, user.id, path, NodeArgument(new)))
    if not found:
        raise EditError(f"Nothing behind the pasted nodes uses {old}.")
    return found


def _renamed(node: Node, names: dict[NodeId, NodeId]) -> Node:
    return mapped_node(node, lambda name: NodeArgument(names.get(name, name)))
