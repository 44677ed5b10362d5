"""AOTAutograd's joint graph: forward and backward in one, of aten ops, with the partition chosen for it."""

from compiler.engine.provenance.link_tables import input_links, joint_links, traced_graph
from compiler.engine.records.recorder import DynamoGraphRecord, PartitionRecord
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.model.edits.editable_stages import FOR_OTHER_BACKEND
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import JointStage, Partition, SavedTensor, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord) -> Stage | None:
    """The stage, or None for inference."""
    if dynamo_graph.joint is None:
        return None
    return Stage(
        dynamo_graph_id(dynamo_graph.compile_id, "joint"),
        StageKind.JOINT_GRAPH,
        "Joint graph",
        JointStage(dynamo_graph.joint, _partition(dynamo_graph.partition)),
        compile_id=dynamo_graph.compile_id,
        made_by="AOTAutograd, torch/_functorch/_aot_autograd/graph_compile.py"
        + ("; then edited" if "joint" in dynamo_graph.edited_graphs else "")
        + (FOR_OTHER_BACKEND if dynamo_graph.other_backend else ""),
        made_from=(traced_graph(dynamo_graph)[1],),
        seconds=dynamo_graph.seconds.get("aot"),
    )


def link(dynamo_graph: DynamoGraphRecord) -> tuple[LinkTable, ...]:
    """Pre-grad node → node, by the mark that AOTAutograd carried."""
    if dynamo_graph.joint is None:
        return ()
    after = dynamo_graph_id(dynamo_graph.compile_id, "joint")
    before, before_id = traced_graph(dynamo_graph)
    traced = dynamo_graph.joint_passes.began if dynamo_graph.joint_passes is not None else dynamo_graph.joint
    return (
        *joint_links(dynamo_graph, traced, dynamo_graph.joint, after),
        *input_links(dynamo_graph, before, before_id, dynamo_graph.joint, after),
    )


def _partition(record: PartitionRecord | None) -> Partition | None:
    if record is None:
        return None
    saved = tuple(SavedTensor(name, size, record.saved_reasons.get(name, "")) for name, size in record.saved)
    return Partition(saved, record.recomputed, record.cut_value, record.decisions, record.saved_bytes)
