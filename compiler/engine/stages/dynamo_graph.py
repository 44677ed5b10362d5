"""Dynamo's FX graph: what one frame became, up to its graph break."""

from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.link_tables import marked_places, table
from compiler.engine.records.recorder import DynamoGraphRecord, FrameRecord
from compiler.engine.stage_ids import dynamo_graph_id
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord, frame: FrameRecord | None, code_stages: CodeStages) -> Stage:
    """The graph as Dynamo handed it to the backend."""
    name = frame.name if frame is not None else "graph"
    made_by = "Dynamo, torch/_dynamo/output_graph.py: OutputGraph.call_user_compiler"
    traced = frame.seconds if frame is not None else 0.0  # not known yet while the frame is being compiled
    seconds = traced - dynamo_graph.seconds.get("backend", 0.0) if traced else None
    original = code_stages.stage(frame.code) if frame is not None else ""
    return Stage(
        dynamo_graph_id(dynamo_graph.compile_id, "dynamo"),
        StageKind.DYNAMO_GRAPH,
        f"Dynamo graph of {name}",
        FxStage(dynamo_graph.dynamo),
        compile_id=dynamo_graph.compile_id,
        made_by=f"{made_by}; then edited" if dynamo_graph.edited else made_by,
        made_from=(original,) if original else (),
        seconds=None if dynamo_graph.edited else seconds,
    )


def link(
    dynamo_graph: DynamoGraphRecord, frame: FrameRecord | None, code_stages: CodeStages
) -> tuple[LinkTable, ...]:
    """Instruction → node, of bodies too, as noted when Dynamo made the node."""
    if frame is None or not frame.attempts:
        return ()
    marked = marked_places(dynamo_graph)
    pairs: dict[tuple[StageId, StageId], list[tuple[str, str]]] = {}
    for mark, locations in frame.attempts[-1].node_locations.items():
        if mark not in marked:
            continue
        target, node = marked[mark]
        for location in locations:
            shown = code_stages.instruction(location)
            if shown is not None:
                pairs.setdefault((shown[0], target), []).append((shown[1], node))
    return tuple(row for ends, found in pairs.items() for row in table(*ends, "traced", "torch", found))
