"""Making link tables, and the one rule for graphs that torch transforms: by name where the name lived on, else by the
pattern that rewrote it or the replacement that torch recorded, else by our mark from Dynamo's graph.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from compiler.engine.provenance.pass_replacements import (
    StandsFor,
    nodes_taken_over,
    replaced_nodes,
    rewritten_nodes,
)
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import body_id, dynamo_graph_id
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable


def table(
    source: StageId,
    target: StageId,
    kind: str,
    proof: str,
    pairs: Iterable[tuple[NodeId, NodeId]],
    ends: bool = False,
) -> tuple[LinkTable, ...]:
    """One table without repeats, or none if there are no pairs."""
    unique = tuple(dict.fromkeys(pairs))
    return (LinkTable(source, target, kind, proof, unique, ends),) if unique else ()


def graph_links(
    dynamo_graph: DynamoGraphRecord,
    before: Graph,
    before_id: StageId,
    after: Graph,
    after_id: StageId,
    kind: str,
    passes: PassTimeline | None = None,
) -> tuple[LinkTable, ...]:
    """Links from a graph to what a step made of it. `passes` lead from the one to the other."""
    earlier = {node.id for node in before.nodes}
    rewritten: StandsFor = {name: (olds, ()) for name, olds in replaced_nodes(before, passes).items()}
    rewritten |= rewritten_nodes(dynamo_graph, before, after, passes)
    same, likely, marked = [], [], []
    changed = [(old, new) for new, olds in nodes_taken_over(before, after, passes).items() for old in olds]
    for node in _with_seeds_marked(after).nodes:
        if node.op == "output":
            continue
        if node.id in earlier:
            same.append((node.id, node.id))
        elif node.id in rewritten:
            certain, guessed = rewritten[node.id]
            changed += [(name, node.id) for name in certain]
            likely += [(name, node.id) for name in guessed]
        else:
            marked.append(node)
    return (
        *table(before_id, after_id, kind, "name", same),
        *table(before_id, after_id, "rewritten", "torch", changed),
        *table(before_id, after_id, "rewritten", "guess", likely),
        *_remade_links(dynamo_graph, before, before_id, after, after_id, marked),
    )


_SEEDS = ("prims.inductor_seeds.default", "prims.inductor_lookup_seed.default")


def _with_seeds_marked(graph: Graph) -> Graph:
    """Inductor draws the seeds of all random operations at once: a seed is of the operations that use it."""
    marks = {node.id: node.origins for node in graph.nodes}
    users = graph.users()
    for node in reversed(graph.nodes):
        if node.target in _SEEDS:
            marks[node.id] = tuple(dict.fromkeys(mark for user in users[node.id] for mark in marks[user]))
    return Graph(
        tuple(
            msgspec.structs.replace(node, origins=marks[node.id]) if node.target in _SEEDS else node
            for node in graph.nodes
        )
    )


def _remade_links(
    dynamo_graph: DynamoGraphRecord,
    before: Graph,
    before_id: StageId,
    after: Graph,
    after_id: StageId,
    nodes: list[Node],
) -> tuple[LinkTable, ...]:
    """Nodes that a pass made outside of the pattern matcher: from Dynamo's graph by mark; and from the one node before
    that bears the mark, calls the same and is no longer there. Where several may be meant, those links are guesses.
    """
    gone = {node.id for node in before.nodes} - {node.id for node in after.nodes}
    bearers: dict[str, list[Node]] = {}
    for node in before.nodes:
        for mark in node.origins:
            bearers.setdefault(mark, []).append(node)
    certain: list[tuple[NodeId, NodeId]] = []
    likely: list[tuple[NodeId, NodeId]] = []
    for node in nodes:
        known = list({item.id: item for mark in node.origins for item in bearers.get(mark, ())}.values())
        known = [item for item in known if item.id in gone] or known
        known = [item for item in known if item.target == node.target] or known
        (certain if len(known) == 1 else likely).extend((item.id, node.id) for item in known)
    return (
        *traced_links(dynamo_graph, nodes, after_id),
        *table(before_id, after_id, "remade", "tag", certain),
        *table(before_id, after_id, "remade", "guess", likely),
    )


_COPY = "aten.clone.default"


def with_own_marked(before: Graph, after: Graph) -> Graph:
    """AOTAutograd writes calls of its own, which bear neither mark nor stack: the copy of an input that the graph writes on is of
    what uses it; views of what was written on, looked at once more to be returned, are of those that the graph before returns,
    else of what they look at.
    """
    marks = {node.id: node.origins for node in after.nodes}
    own = [node for node in after.nodes if _is_own(node)]
    if not own:
        return after
    users, inputs = after.users(), {node.id for node in after.nodes if node.op == "placeholder"}
    ends = {name for node in before.nodes if node.op == "output" for name in node.inputs()}
    returned = [node for node in before.nodes if node.id in ends]
    for node in own:
        same = [item for item in returned if item.operation == node.operation]
        if node.target == _COPY and inputs.issuperset(node.inputs()):
            found = [mark for user in users[node.id] for mark in marks[user]]
        elif same:
            found = [mark for item in same for mark in item.origins]
        else:
            found = [mark for name in node.inputs() for mark in marks[name]]
        marks[node.id] = tuple(dict.fromkeys(found))
    named = {node.id for node in own}
    return Graph(
        tuple(
            msgspec.structs.replace(node, origins=marks[node.id]) if node.id in named else node
            for node in after.nodes
        )
    )


def _is_own(node: Node) -> bool:
    return node.op == "call_function" and not node.origins and not node.stack and node.target not in _SEEDS


def joint_links(
    dynamo_graph: DynamoGraphRecord, traced: Graph, after: Graph, after_id: StageId
) -> tuple[LinkTable, ...]:
    """Links to the joint graph after its passes. A node that a pattern made bears the marks of all that it matched: it is
    linked by the marks of those nodes of the graph as it was traced that it stands for.
    """
    earlier = traced.by_id()
    rewritten: StandsFor = {
        name: (olds, ()) for name, olds in replaced_nodes(traced, dynamo_graph.joint_passes).items()
    }
    rewritten |= rewritten_nodes(dynamo_graph, traced, after, dynamo_graph.joint_passes)

    def marked(names: Iterable[NodeId]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mark for name in names for mark in earlier[name].origins))

    certain, likely = [], []
    for node in with_own_marked(traced_graph(dynamo_graph)[0], _without_inherited(earlier, after)).nodes:
        sources, guessed = rewritten.get(node.id, ((), ())) if node.id not in earlier else ((), ())
        if sources or guessed:
            certain.append(msgspec.structs.replace(node, origins=marked(sources)))
            likely.append(msgspec.structs.replace(node, origins=marked(guessed)))
        else:
            certain.append(node)
    guesses = mark_links(dynamo_graph, Graph(tuple(likely)), after_id)
    return (
        *mark_links(dynamo_graph, _with_seeds_marked(Graph(tuple(certain))), after_id),
        *(msgspec.structs.replace(row, proof="guess") for row in guesses),
    )


def _without_inherited(earlier: Mapping[NodeId, Node], after: Graph) -> Graph:
    """A pass that takes a node out may hand its notes to the node in its place. What torch traced with a stack and without a mark,
    a sum of gradients, is still of that stack only.
    """
    own = {name for name, node in earlier.items() if node.stack and not node.origins}
    return Graph(
        tuple(
            msgspec.structs.replace(node, origins=()) if node.id in own and node.origins else node
            for node in after.nodes
        )
    )


def mark_links(dynamo_graph: DynamoGraphRecord, after: Graph, after_id: StageId) -> tuple[LinkTable, ...]:
    """Links from what AOTAutograd received to a graph of which it made every node again, by our mark.

    Pre-grad passes may have made nodes that bear no mark of their own; those of Dynamo's graph are then joined directly.
    """
    before, before_id = traced_graph(dynamo_graph)
    bearing: dict[str, list[NodeId]] = {}
    for node in before.nodes:
        for mark in node.origins:
            bearing.setdefault(mark, []).append(node.id)
    pairs = [
        (name, node.id) for node in after.nodes for mark in node.origins for name in bearing.get(mark, ())
    ]
    return (
        *table(before_id, after_id, "decomposed", "tag", pairs),
        *traced_links(dynamo_graph, after.nodes, after_id, lambda mark: mark not in bearing),
    )


def traced_graph(dynamo_graph: DynamoGraphRecord) -> tuple[Graph, StageId]:
    """The graph that AOTAutograd traced: after the pre-grad passes, or Dynamo's where the backend has none."""
    if dynamo_graph.pre_grad is not None:
        return dynamo_graph.pre_grad, dynamo_graph_id(dynamo_graph.compile_id, "pre_grad")
    return dynamo_graph.dynamo, dynamo_graph_id(dynamo_graph.compile_id, "dynamo")


def marked_nodes(dynamo_graph: DynamoGraphRecord) -> dict[str, NodeId]:
    """Mark → node of Dynamo's graph. Dynamo may rename a node after it was marked, so the mark tells, not the name."""
    return {mark: node.id for node in reversed(dynamo_graph.dynamo.nodes) for mark in node.origins}


def marked_places(dynamo_graph: DynamoGraphRecord) -> dict[str, tuple[StageId, NodeId]]:
    """Mark → stage and node, of Dynamo's graph and of the bodies that its higher-order operators call."""
    dynamo = dynamo_graph_id(dynamo_graph.compile_id, "dynamo")
    graphs = {
        dynamo: dynamo_graph.dynamo,
        **{body_id(dynamo, name): graph for name, graph in dynamo_graph.bodies.items()},
    }
    return {
        mark: (stage, node.id)
        for stage, graph in graphs.items()
        for node in reversed(graph.nodes)
        for mark in node.origins
    }


def traced_links(
    dynamo_graph: DynamoGraphRecord,
    nodes: Iterable[Node],
    target: StageId,
    kept: Callable[[str], bool] = lambda mark: True,
) -> tuple[LinkTable, ...]:
    """Dynamo's node, or that of a body, → the nodes that bear its mark."""
    marked = marked_places(dynamo_graph)
    pairs: dict[StageId, list[tuple[NodeId, NodeId]]] = {}
    for node in nodes:
        for mark in node.origins:
            if mark in marked and kept(mark):
                stage, name = marked[mark]
                pairs.setdefault(stage, []).append((name, node.id))
    return tuple(
        row for stage, found in pairs.items() for row in table(stage, target, "decomposed", "tag", found)
    )


def input_links(
    dynamo_graph: DynamoGraphRecord, before: Graph, before_id: StageId, after: Graph, after_id: StageId
) -> tuple[LinkTable, ...]:
    """AOTAutograd's ``primals_i`` → Dynamo's input, as torch's descriptors tell. Of a graph without any it is Dynamo's i-th, where
    inputs were neither merged nor split; that they were not is a guess from the counts: they agree.
    """
    inputs = [node for node in before.nodes if node.op == "placeholder"]
    primals = [node for node in after.nodes if node.op == "placeholder" and node.role != "tangent"]
    reported = {name: at for name, at in dynamo_graph.inputs.items() if at < len(inputs)}
    if reported:
        known = [
            (inputs[reported[node.id]].id, node.id)
            for node in primals
            if node.id in reported and not node.origins
        ]
        return table(before_id, after_id, "passed", "torch", known)
    if len(inputs) != len(primals):
        return ()
    pairs = [
        (first.id, second.id) for first, second in zip(inputs, primals, strict=True) if not second.origins
    ]
    return table(before_id, after_id, "passed", "guess", pairs)
