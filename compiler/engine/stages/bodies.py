"""What higher-order operators call (a branch of ``cond``, a step of ``scan``, a checkpointed block): each body a graph of
its own, as Dynamo traced it, as Inductor receives it, and after the post-grad passes.
"""

from collections.abc import Mapping

import msgspec

from compiler.engine.provenance.link_tables import table, traced_links
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import body_id, dynamo_graph_id, inductor_graph_id
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord) -> tuple[Stage, ...]:
    """The bodies of Dynamo's graph."""
    origin = dynamo_graph_id(dynamo_graph.compile_id, "dynamo")
    made_by = "Dynamo, torch/_dynamo/variables/higher_order_ops.py: speculate_subgraph"
    return _stages(dynamo_graph, "", origin, dynamo_graph.bodies, "Dynamo graph", made_by)


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


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Dynamo's node, of its graph or of a body, → node, by mark; then by name, since passes keep names, else by mark. What
    torch says nothing else of is of the node that calls the body.
    """
    aot, post_grad = (
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, what) for what in ("aot", "post_grad")
    )
    held, alone = _calls(aot, inductor_graph.aot_graph, inductor_graph.aot_bodies)
    found = [*held, *alone]
    for name, graph in inductor_graph.aot_bodies.items():
        found += traced_links(dynamo_graph, graph.nodes, body_id(aot, name))
    if inductor_graph.post_grad is None:
        return tuple(found)
    held, alone = _calls(post_grad, inductor_graph.post_grad, inductor_graph.post_grad_bodies)
    found += held
    for name, graph in inductor_graph.post_grad_bodies.items():
        before = inductor_graph.aot_bodies.get(name)
        earlier = {node.id: node.target for node in before.nodes} if before is not None else {}
        same = {
            node.id for node in graph.nodes if earlier.get(node.id) == node.target and node.op != "output"
        }
        target = body_id(post_grad, name)
        kept = [(node.id, node.id) for node in graph.nodes if node.id in same]
        found += table(body_id(aot, name), target, "same", "name", kept)
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
