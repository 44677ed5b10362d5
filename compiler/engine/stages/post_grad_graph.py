"""The graph after Inductor's post-grad passes: what is lowered to loops."""

from compiler.engine.provenance.link_tables import graph_links
from compiler.engine.records.recorder import RegionRecord, UnitRecord
from compiler.engine.stage_ids import unit_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(region: RegionRecord, unit: UnitRecord) -> Stage | None:
    """The stage, or None if Inductor did not get there."""
    if unit.post_grad is None:
        return None
    return Stage(
        unit_id(region.compile_id, unit.part, "post_grad"),
        StageKind.POST_GRAD_GRAPH,
        f"{unit.part.capitalize()} graph after post-grad passes",
        FxStage(unit.post_grad),
        compile_id=region.compile_id,
        part=unit.part,
        made_by="torch/_inductor/compile_fx.py: _recursive_post_grad_passes"
        + ("; then edited" if unit.edited else ""),
        made_from=(unit_id(region.compile_id, unit.part, "aot"),),
        seconds=None if unit.edited else unit.seconds.get("post_grad"),
    )


def link(region: RegionRecord, unit: UnitRecord) -> tuple[LinkTable, ...]:
    """Node before the passes → node after."""
    if unit.post_grad is None:
        return ()
    before = unit_id(region.compile_id, unit.part, "aot")
    after = unit_id(region.compile_id, unit.part, "post_grad")
    return graph_links(region, unit.aot_graph, before, unit.post_grad, after, "same", unit.passes)
