"""What higher-order operators call (a branch of ``cond``, a step of ``scan``, a checkpointed block): each body a graph of
its own, as Dynamo traced it, in the joint graph, as Inductor receives it, and after the post-grad passes.
"""

from collections.abc import Mapping

import msgspec

from compiler.engine.provenance.link_tables import table, traced_links
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import body_id, dynamo_graph_id, inductor_graph_id
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord) -> tuple[Stage, ...]:
    """The bodies of Dynamo's graph."""
    origin = dynamo_graph_id(dynamo_graph.compile_id, "dynamo")
    made_by = "Dynamo, torch/_dynamo/variables/higher_order_ops.py: speculate_subgraph"
    return _stages(dynamo_graph, "", origin, dynamo_graph.bodies, "Dynamo graph", made_by)


def make_joint(dynamo_graph: DynamoGraphRecord) -> tuple[Stage, ...]:
    """The bodies of the joint graph: those of its forward half, and those that autograd made for its backward half."""
    origin = dynamo_graph_id(dynamo_graph.compile_id, "joint")
    return _stages(dynamo_graph, "", origin, dynamo_graph.joint_bodies, "Joint graph", "AOTAutograd")


def make_aot(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[Stage, ...]:
    """The bodies of the graph that Inductor receives."""
    origin = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "aot")
    title = f"{inductor_graph.part.capitalize()} graph"
    return _stages(dynamo_graph, inductor_graph.part, origin, inductor_graph.aot_bodies, title, "AOTAutograd")


def make_post_grad(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[Stage, ...]:
    """The bodies after the post-grad passes."""
    origin = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad")
    title = f"{inductor_graph.part.capitalize()} graph after post-grad passes"
    made_by = "torch/_inductor/compile_fx.py: _recursive_post_grad_passes"
    return _stages(dynamo_graph, inductor_graph.part, origin, inductor_graph.post_grad_bodies, title, made_by)


def _stages(
    dynamo_graph: DynamoGraphRecord,
    part: str,
    origin: StageId,
    bodies: Mapping[str, Graph],
    title: str,
    made_by: str,
) -> tuple[Stage, ...]:
    return tuple(
        Stage(
            body_id(origin, name),
            StageKind.BODY,
            f"{title} of {name}",
            FxStage(graph),
            compile_id=dynamo_graph.compile_id,
            part=part,
            made_by=made_by,
            made_from=(body_id(origin, above) if (above := name.rpartition(".")[0]) else origin,),
        )
        for name, graph in bodies.items()
    )


def link_traced(dynamo_graph: DynamoGraphRecord) -> tuple[LinkTable, ...]:
    """A node of Dynamo's graph that calls a body → all of the body."""
    held, alone = _calls(
        dynamo_graph_id(dynamo_graph.compile_id, "dynamo"), dynamo_graph.dynamo, dynamo_graph.bodies
    )
    return (*held, *alone)


def link_joint(dynamo_graph: DynamoGraphRecord) -> tuple[LinkTable, ...]:
    """Dynamo's node, of its graph or of a body, → node of a body of the joint graph, by mark."""
    if dynamo_graph.joint is None:
        return ()
    stage = dynamo_graph_id(dynamo_graph.compile_id, "joint")
    return _traced(dynamo_graph, stage, dynamo_graph.joint, dynamo_graph.joint_bodies)


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Node of a body → node, by name, since the partitioner and passes keep names; else Dynamo's node, of its graph or of a
    body, → node, by mark. What torch says nothing else of is of the node that calls the body.
    """
    joint = dynamo_graph_id(dynamo_graph.compile_id, "joint")
    aot, post_grad = (
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, what) for what in ("aot", "post_grad")
    )
    if dynamo_graph.joint is not None:
        before = joint, dynamo_graph.joint_bodies
        found = _kept(dynamo_graph, before, aot, inductor_graph.aot_graph, inductor_graph.aot_bodies)
    else:
        found = _traced(dynamo_graph, aot, inductor_graph.aot_graph, inductor_graph.aot_bodies)
    if inductor_graph.post_grad is None:
        return found
    before = aot, inductor_graph.aot_bodies
    after = inductor_graph.post_grad, inductor_graph.post_grad_bodies
    return (*found, *_kept(dynamo_graph, before, post_grad, *after, inductor_graph.retraced))


def _traced(
    dynamo_graph: DynamoGraphRecord, stage: StageId, outer: Graph, bodies: Mapping[str, Graph]
) -> tuple[LinkTable, ...]:
    """Links to bodies that AOTAutograd traced."""
    held, alone = _calls(stage, outer, bodies)
    found = [*held, *alone]
    for name, graph in bodies.items():
        found += traced_links(dynamo_graph, graph.nodes, body_id(stage, name))
    return tuple(found)


def _kept(
    dynamo_graph: DynamoGraphRecord,
    before: tuple[StageId, Mapping[str, Graph]],
    stage: StageId,
    outer: Graph,
    bodies: Mapping[str, Graph],
    retraced: Mapping[tuple[str, NodeId], tuple[str, NodeId]] | None = None,
) -> tuple[LinkTable, ...]:
    """Links to bodies that a step took over from the graph before, or traced again."""
    held, alone = _calls(stage, outer, bodies)
    found = [*held]
    for name, graph in bodies.items():
        earlier = {node.id: node.target for node in before[1][name].nodes} if name in before[1] else {}
        same = {
            node.id for node in graph.nodes if earlier.get(node.id) == node.target and node.op != "output"
        }
        target = body_id(stage, name)
        kept = [(node.id, node.id) for node in graph.nodes if node.id in same]
        found += table(body_id(before[0], name), target, "same", "name", kept)
        again = {node.id: source for node in graph.nodes if (source := (retraced or {}).get((name, node.id)))}
        again = {node: source for node, source in again.items() if node not in same}
        for other in dict.fromkeys(body for body, _ in again.values()):
            rows = [(source, node) for node, (body, source) in again.items() if body == other]
            found += table(body_id(before[0], other), target, "remade", "torch", rows)
        same |= set(again)
        found += traced_links(dynamo_graph, [node for node in graph.nodes if node.id not in same], target)
        found += [
            msgspec.structs.replace(row, pairs=pairs)
            for row in alone
            if row.target == target and (pairs := tuple(pair for pair in row.pairs if pair[1] not in same))
        ]
    return tuple(found)


def _calls(
    stage: StageId, outer: Graph, bodies: Mapping[str, Graph]
) -> tuple[tuple[LinkTable, ...], tuple[LinkTable, ...]]:
    """What gets a body and what calls it → all of the body, followed only from its own ends; and → what in it bears neither
    mark nor stack, followed farther.
    """
    held: list[LinkTable] = []
    alone: list[LinkTable] = []
    for name, graph in bodies.items():
        above, _, own = name.rpartition(".")
        source, holder = (body_id(stage, above), bodies[above]) if above else (stage, outer)
        got = {node.id for node in holder.nodes if node.op == "get_attr" and node.target == own}
        callers = [node.id for node in holder.nodes if node.id in got or got & set(node.inputs())]
        inside = [node for node in graph.nodes if node.op not in ("placeholder", "output")]
        bare = {node.id for node in inside if not node.origins and not node.stack}
        pairs = [(caller, node.id) for caller in callers for node in inside]
        ends = (source, body_id(stage, name), "holds", "torch")
        held += table(*ends, [pair for pair in pairs if pair[1] not in bare], ends=True)
        alone += table(*ends, [pair for pair in pairs if pair[1] in bare])
    return tuple(held), tuple(alone)
