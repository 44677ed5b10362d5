"""What the nodes that a pass made stand for: by what torch recorded of its pattern rewrites and replacements."""

from collections.abc import Iterable
from typing import TypeAlias

from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.model.ir.arguments import (
    Argument,
    ArgumentPath,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

StandsFor: TypeAlias = dict[NodeId, tuple[tuple[NodeId, ...], tuple[NodeId, ...]]]
"""New node → (old nodes that it certainly stands for, those that it may stand for)."""


def replaced_nodes(before: Graph, passes: PassTimeline | None) -> dict[NodeId, tuple[NodeId, ...]]:
    """Node that a pass made → nodes of `before` whose users torch gave to it, over all passes."""
    reached: dict[NodeId, tuple[NodeId, ...]] = {node.id: (node.id,) for node in before.nodes}
    found: dict[NodeId, tuple[NodeId, ...]] = {}
    for run in passes.runs if passes is not None else ():
        made = {node.id for node in run.difference.made}
        for old, new in run.replaced:
            if new in made and old in reached:
                found[new] = reached[new] = tuple(dict.fromkeys((*found.get(new, ()), *reached[old])))
    return found


def nodes_taken_over(
    before: Graph, after: Graph, passes: PassTimeline | None
) -> dict[NodeId, tuple[NodeId, ...]]:
    """Node that lived on → nodes of `before` that changed nothing (``x - 0``), whose users torch gave to it, and whose metadata torch
    wrote over its own: it says that the node is of those.
    """
    earlier = before.by_id()
    taken: dict[NodeId, tuple[NodeId, ...]] = {}
    for run in passes.runs if passes is not None else ():
        for old, new in run.replaced:
            taken[new] = tuple(dict.fromkeys((*taken.get(new, ()), old, *taken.get(old, ()))))
    return {
        node.id: olds
        for node in after.nodes
        if node.id in earlier
        and node.id in taken
        and (marks := {*node.origins} - {*earlier[node.id].origins})
        if (
            olds := tuple(old for old in taken[node.id] if old in earlier and marks & {*earlier[old].origins})
        )
    }


def rewritten_nodes(
    dynamo_graph: DynamoGraphRecord, before: Graph, after: Graph, passes: PassTimeline | None
) -> StandsFor:
    """What the nodes that patterns made stand for. One that computes what a node it matched computed stands for that one;
    any other would not be there without the whole of the match, and stands for all of it.
    """
    earlier, later = before.by_id(), after.by_id()
    reached: dict[NodeId, tuple[NodeId, ...]] = {name: (name,) for name in earlier}
    found: StandsFor = {}
    moved = {old: new for run in passes.runs for old, new in run.replaced} if passes is not None else {}
    for _, matched, fresh in dynamo_graph.rewrites:
        sources = tuple(dict.fromkeys(item for name in matched for item in reached.get(name, ())))
        equals: dict[NodeId, NodeId] = {}
        there = [name for name in fresh if name in later]
        for name in fresh if sources else ():
            reached[name] = sources
            if name not in later:
                continue
            others = [earlier[item] for item in sources if item not in equals.values()]
            equal = _equal_call(later[name], others, equals, moved)
            if equal and len(there) > 1:
                equals[name] = equal
                found[name] = (equal,), tuple(item for item in sources if item != equal)
            else:
                found[name] = sources, ()
    return found


def _equal_call(
    node: Node, candidates: Iterable[Node], equals: dict[NodeId, NodeId], moved: dict[NodeId, NodeId]
) -> NodeId:
    """The old node that called the same on the same, or "". `twins`: new nodes that compute what old ones did. `moved`:
    nodes whose place others took, as a view that changes nothing is replaced by what it views.
    """
    for other in candidates:
        if node.target == other.target and _written(node, equals, moved) == _written(other, equals, moved):
            return other.id
    return ""


def _written(
    node: Node, equals: dict[NodeId, NodeId], moved: dict[NodeId, NodeId]
) -> tuple[SequenceArgument, MappingArgument]:
    names: dict[ArgumentPath, Argument] = {}
    for used, path in node.uses():
        name, seen = equals.get(used, used), set[NodeId]()
        while name in moved and name not in seen and name not in equals.values():
            seen.add(name)
            name = moved[name]
        names[path] = NodeArgument(name)
    node = node.with_arguments(names)
    return node.args, node.kwargs
