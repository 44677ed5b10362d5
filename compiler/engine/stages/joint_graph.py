"""AOTAutograd's joint graph: forward and backward in one, of aten ops, with the partition chosen for it."""

from compiler.engine.provenance.link_tables import input_links, joint_links, traced_graph
from compiler.engine.records.recorder import PartitionRecord, RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import JointStage, Partition, SavedTensor, Stage, StageKind


def make(region: RegionRecord) -> Stage | None:
    """The stage, or None for inference."""
    if region.joint is None:
        return None
    return Stage(
        region_id(region.compile_id, "joint"),
        StageKind.JOINT_GRAPH,
        "Joint graph",
        JointStage(region.joint, _partition(region.partition)),
        compile_id=region.compile_id,
        made_by="AOTAutograd, torch/_functorch/_aot_autograd/graph_compile.py"
        + ("; then edited" if "joint" in region.edited_graphs else ""),
        made_from=(traced_graph(region)[1],),
        seconds=region.seconds.get("aot"),
    )


def link(region: RegionRecord) -> tuple[LinkTable, ...]:
    """Pre-grad node → node, by the mark that AOTAutograd carried."""
    if region.joint is None:
        return ()
    after = region_id(region.compile_id, "joint")
    before, before_id = traced_graph(region)
    traced = region.joint_passes.began if region.joint_passes is not None else region.joint
    return (
        *joint_links(region, traced, region.joint, after),
        *input_links(region, before, before_id, region.joint, after),
    )


def _partition(record: PartitionRecord | None) -> Partition | None:
    if record is None:
        return None
    saved = tuple(SavedTensor(name, size, record.saved_reasons.get(name, "")) for name, size in record.saved)
    return Partition(saved, record.recomputed, record.cut_value, record.decisions, record.saved_bytes)
