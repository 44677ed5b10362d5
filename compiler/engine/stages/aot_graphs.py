"""What AOTAutograd hands to Inductor: a forward and a backward graph, or one inference graph."""

from compiler.engine.provenance.link_tables import (
    graph_links,
    input_links,
    mark_links,
    table,
    traced_graph,
    with_own_marked,
)
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.model.edits.editable_stages import FOR_OTHER_BACKEND
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> Stage:
    """The graph as Inductor receives it."""
    split = inductor_graph.part != "inference"
    return Stage(
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "aot"),
        StageKind.AOT_GRAPH,
        f"{inductor_graph.part.capitalize()} graph",
        FxStage(inductor_graph.aot_graph),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by=(
            "the partitioner, torch/_functorch/partitioners.py" if split else "AOTAutograd, functionalized"
        )
        + ("; then edited" if inductor_graph.aot_edited else "")
        + (FOR_OTHER_BACKEND if dynamo_graph.other_backend else ""),
        made_from=(
            dynamo_graph_id(dynamo_graph.compile_id, "joint")
            if dynamo_graph.joint is not None
            else traced_graph(dynamo_graph)[1],
        ),
        seconds=dynamo_graph.seconds.get("partition") if split else None,
    )


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Joint node → node by name (the partitioner moves nodes, it does not rename them), or the equal one that it kept; for inference
    by mark.
    """
    target = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "aot")
    if dynamo_graph.joint is not None:
        source = dynamo_graph_id(dynamo_graph.compile_id, "joint")
        joint, graph = dynamo_graph.joint.by_id(), inductor_graph.aot_graph
        calls = {node.id for node in graph.nodes if node.op == "call_function"}
        merged = [pair for pair in dynamo_graph.merged.items() if pair[0] in joint and pair[1] in calls]
        return (
            *graph_links(dynamo_graph, dynamo_graph.joint, source, graph, target, "partitioned"),
            *table(source, target, "partitioned", "torch", merged),
        )
    before, before_id = traced_graph(dynamo_graph)
    return (
        *mark_links(dynamo_graph, with_own_marked(before, inductor_graph.aot_graph), target),
        *input_links(dynamo_graph, before, before_id, inductor_graph.aot_graph, target),
    )
