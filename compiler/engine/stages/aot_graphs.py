"""What AOTAutograd hands to Inductor: a forward and a backward graph, or one inference graph."""

from compiler.engine.provenance.link_tables import graph_links, input_links, mark_links, traced_graph
from compiler.engine.records.recorder import RegionRecord, UnitRecord
from compiler.engine.stage_ids import region_id, unit_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(region: RegionRecord, unit: UnitRecord) -> Stage:
    """The graph as Inductor receives it."""
    split = unit.part != "inference"
    return Stage(
        unit_id(region.compile_id, unit.part, "aot"),
        StageKind.AOT_GRAPH,
        f"{unit.part.capitalize()} graph",
        FxStage(unit.aot_graph),
        compile_id=region.compile_id,
        part=unit.part,
        made_by=(
            "the partitioner, torch/_functorch/partitioners.py" if split else "AOTAutograd, functionalized"
        )
        + ("; then edited" if unit.aot_edited else ""),
        made_from=(
            region_id(region.compile_id, "joint") if region.joint is not None else traced_graph(region)[1],
        ),
        seconds=region.seconds.get("partition") if split else None,
    )


def link(region: RegionRecord, unit: UnitRecord) -> tuple[LinkTable, ...]:
    """Joint node → node by name (the partitioner moves nodes, it does not rename them); for inference by mark."""
    target = unit_id(region.compile_id, unit.part, "aot")
    if region.joint is not None:
        source = region_id(region.compile_id, "joint")
        return graph_links(region, region.joint, source, unit.aot_graph, target, "partitioned")
    before, before_id = traced_graph(region)
    return (
        *mark_links(region, unit.aot_graph, target),
        *input_links(region, before, before_id, unit.aot_graph, target),
    )
