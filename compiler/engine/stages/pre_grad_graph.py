"""The graph after Inductor's pre-grad passes: still torch-level ops."""

from compiler.engine.provenance.link_tables import graph_links
from compiler.engine.records.recorder import RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(region: RegionRecord) -> Stage | None:
    """The stage, or None where the backend has no such passes."""
    if region.pre_grad is None:
        return None
    return Stage(
        region_id(region.compile_id, "pre_grad"),
        StageKind.PRE_GRAD_GRAPH,
        "Graph after pre-grad passes",
        FxStage(region.pre_grad),
        compile_id=region.compile_id,
        made_by="torch/_inductor/compile_fx.py: run_pre_grad_passes"
        + ("; then edited" if "pre_grad" in region.edited_graphs else ""),
        made_from=(region_id(region.compile_id, "dynamo"),),
        seconds=region.seconds.get("pre_grad"),
    )


def link(region: RegionRecord) -> tuple[LinkTable, ...]:
    """Dynamo node → node."""
    if region.pre_grad is None:
        return ()
    before, after = region_id(region.compile_id, "dynamo"), region_id(region.compile_id, "pre_grad")
    return graph_links(region, region.dynamo, before, region.pre_grad, after, "same", region.pre_grad_passes)
