"""Letting nodes use other nodes: what an edge can be moved to, and the edit that moves it. Pure."""

import msgspec

from app.session.edit_builders.from_selection import Use
from app.translation.texts import tr
from compiler.model.edits.edits import Edit, EditGroup, InsertNode, SetArgument
from compiler.model.edits.node_edits import ReorderNodes
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.arguments import ArgumentPath, NodeArgument
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId


def downstream(graph: Graph, node_id: NodeId) -> frozenset[NodeId]:
    """A node and all that depend on it: what it can never use."""
    reached = {node_id}
    for node in graph.nodes:
        if node.id not in reached and not reached.isdisjoint(node.inputs()):
            reached.add(node.id)
    return frozenset(reached)


def possible_sources(graph: Graph, user: NodeId) -> tuple[NodeId, ...]:
    """The nodes that a node could use, in the graph's order."""
    never = downstream(graph, user)
    return tuple(node.id for node in graph.nodes if node.id not in never and node.op != "output")


def possible_users(graph: Graph, source: NodeId) -> tuple[NodeId, ...]:
    """The nodes that could use a node instead of something they use now."""
    needed = _upstream(graph, source)
    return tuple(node.id for node in graph.nodes if node.id not in needed and node.inputs())


def _upstream(graph: Graph, node_id: NodeId) -> frozenset[NodeId]:
    nodes = graph.by_id()
    reached: set[NodeId] = set()
    left = [node_id]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += nodes[name].inputs() if name in nodes else ()
    return frozenset(reached)


def rewire(
    stage: StageId, graph: Graph, user: NodeId, paths: tuple[ArgumentPath, ...], source: NodeId
) -> Edit:
    """Let a node use another one at these arguments. One that stands later is moved before it. Raises EditError."""
    node = find_node(graph, user)
    find_node(graph, source)
    if source in downstream(graph, user):
        raise EditError(
            tr("{source} needs {user}, so {user} cannot use it.").format(source=source, user=user)
        )
    new = NodeArgument(source)
    paths = tuple(path for path in paths if node.argument(path) != new)
    if not paths:
        raise EditError(tr("{user} uses {source} there already.").format(user=user, source=source))
    parts: list[Edit] = [SetArgument(stage, user, path, new) for path in paths]
    if graph.index(source) > graph.index(user):
        parts.insert(0, _moved_before(stage, graph, source, user))
    return parts[0] if len(parts) == 1 else EditGroup(f"Let {user} use {source}", tuple(parts))


def _moved_before(stage: StageId, graph: Graph, source: NodeId, user: NodeId) -> ReorderNodes:
    """A node, and all it needs that stands behind another, moved before that one."""
    first, last = graph.index(user), graph.index(source)
    needed = _upstream(graph, source)
    span = [node.id for node in graph.nodes[first : last + 1] if node.op != "placeholder"]
    return ReorderNodes(stage, (*(n for n in span if n in needed), *(n for n in span if n not in needed)))


def duplicate(stage: StageId, graph: Graph, node_id: NodeId, uses: tuple[Use, ...]) -> Edit:
    """A second node that does the same, right behind the first, and the uses it takes over. Raises EditError."""
    node = find_node(graph, node_id)
    if not node.op.startswith("call") and node.op != "get_attr":
        raise EditError(
            tr("{node_id} is no call ({op}); only calls can be duplicated.").format(
                node_id=node_id, op=node.op
            )
        )
    copy = msgspec.structs.replace(node, id=unused_name(graph, node_id), notes=())
    return InsertNode(stage, copy, graph.index(node_id) + 1, uses)


def edges_into(graph: Graph, user: NodeId, source: NodeId) -> tuple[ArgumentPath, ...]:
    """The arguments of a node that are another node's result."""
    return tuple(path for used, path in find_node(graph, user).uses() if used == source)
