"""The graph after Inductor's pre-grad passes: still torch-level ops."""

from compiler.engine.provenance.link_tables import graph_links
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord) -> Stage | None:
    """The stage, or None where the backend has no such passes."""
    if dynamo_graph.pre_grad is None:
        return None
    return Stage(
        dynamo_graph_id(dynamo_graph.compile_id, "pre_grad"),
        StageKind.PRE_GRAD_GRAPH,
        "Graph after pre-grad passes",
        FxStage(dynamo_graph.pre_grad),
        compile_id=dynamo_graph.compile_id,
        made_by="torch/_inductor/compile_fx.py: run_pre_grad_passes"
        + ("; then edited" if "pre_grad" in dynamo_graph.edited_graphs else ""),
        made_from=(dynamo_graph_id(dynamo_graph.compile_id, "dynamo"),),
        seconds=dynamo_graph.seconds.get("pre_grad"),
    )


def link(dynamo_graph: DynamoGraphRecord) -> tuple[LinkTable, ...]:
    """Dynamo node → node."""
    if dynamo_graph.pre_grad is None:
        return ()
    before, after = (
        dynamo_graph_id(dynamo_graph.compile_id, "dynamo"),
        dynamo_graph_id(dynamo_graph.compile_id, "pre_grad"),
    )
    return graph_links(
        dynamo_graph,
        dynamo_graph.dynamo,
        before,
        dynamo_graph.pre_grad,
        after,
        "same",
        dynamo_graph.pre_grad_passes,
    )
