"""What higher-order operators call (a branch of ``cond``, a step of ``scan``, a checkpointed block): each body a graph of
its own, as Dynamo traced it, as Inductor receives it, and after the post-grad passes.
"""

from collections.abc import Mapping

from compiler.engine.linking import table, traced_links
from compiler.engine.recording import RegionRecord, UnitRecord
from compiler.engine.stage_ids import body_id, region_id, unit_id
from compiler.model.graph import Graph
from compiler.model.ids import StageId
from compiler.model.provenance import LinkTable
from compiler.model.stage import FxStage, Stage, StageKind


def make(region: RegionRecord) -> tuple[Stage, ...]:
    """The bodies of Dynamo's graph."""
    origin = region_id(region.compile_id, "dynamo")
    made_by = "Dynamo, torch/_dynamo/variables/higher_order_ops.py: speculate_subgraph"
    return _stages(region, "", origin, region.bodies, "Dynamo graph", made_by)


def make_aot(region: RegionRecord, unit: UnitRecord) -> tuple[Stage, ...]:
    """The bodies of the graph that Inductor receives."""
    origin = unit_id(region.compile_id, unit.part, "aot")
    title = f"{unit.part.capitalize()} graph"
    return _stages(region, unit.part, origin, unit.aot_bodies, title, "AOTAutograd")


def make_post_grad(region: RegionRecord, unit: UnitRecord) -> tuple[Stage, ...]:
    """The bodies after the post-grad passes."""
    origin = unit_id(region.compile_id, unit.part, "post_grad")
    title = f"{unit.part.capitalize()} graph after post-grad passes"
    made_by = "torch/_inductor/compile_fx.py: _recursive_post_grad_passes"
    return _stages(region, unit.part, origin, unit.post_grad_bodies, title, made_by)


def _stages(
    region: RegionRecord, part: str, origin: StageId, bodies: Mapping[str, Graph], title: str, made_by: str
) -> tuple[Stage, ...]:
    return tuple(
        Stage(
            body_id(origin, name),
            StageKind.BODY,
            f"{title} of {name}",
            FxStage(graph),
            compile_id=region.compile_id,
            part=part,
            made_by=made_by,
            made_from=(body_id(origin, above) if (above := name.rpartition(".")[0]) else origin,),
        )
        for name, graph in bodies.items()
    )


def link(region: RegionRecord, unit: UnitRecord) -> tuple[LinkTable, ...]:
    """Dynamo's node, of its graph or of a body, → node, by mark; then by name, since passes keep names, else by mark."""
    aot, post_grad = (unit_id(region.compile_id, unit.part, what) for what in ("aot", "post_grad"))
    found: list[LinkTable] = []
    for name, graph in unit.aot_bodies.items():
        found += traced_links(region, graph.nodes, body_id(aot, name))
    for name, graph in unit.post_grad_bodies.items():
        before = unit.aot_bodies.get(name)
        earlier = {node.id: node.target for node in before.nodes} if before is not None else {}
        same = [
            node.id for node in graph.nodes if earlier.get(node.id) == node.target and node.op != "output"
        ]
        target = body_id(post_grad, name)
        found += table(body_id(aot, name), target, "same", "name", [(node, node) for node in same])
        remade = [node for node in graph.nodes if node.id not in same]
        found += traced_links(region, remade, target)
    return tuple(found)
