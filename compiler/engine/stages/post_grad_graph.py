"""The graph after Inductor's post-grad passes: what is lowered to loops."""

from compiler.engine.provenance.link_tables import graph_links
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import inductor_graph_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> Stage | None:
    """The stage, or None if Inductor did not get there."""
    if inductor_graph.post_grad is None:
        return None
    return Stage(
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad"),
        StageKind.POST_GRAD_GRAPH,
        f"{inductor_graph.part.capitalize()} graph after post-grad passes",
        FxStage(inductor_graph.post_grad),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by="torch/_inductor/compile_fx.py: _recursive_post_grad_passes"
        + ("; then edited" if inductor_graph.edited else ""),
        made_from=(inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "aot"),),
        seconds=None if inductor_graph.edited else inductor_graph.seconds.get("post_grad"),
    )


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Node before the passes → node after."""
    if inductor_graph.post_grad is None:
        return ()
    before = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "aot")
    after = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad")
    return graph_links(
        dynamo_graph,
        inductor_graph.aot_graph,
        before,
        inductor_graph.post_grad,
        after,
        "same",
        inductor_graph.passes,
    )
