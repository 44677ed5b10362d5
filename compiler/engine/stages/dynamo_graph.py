"""Dynamo's FX graph: what one frame became, up to its graph break."""

from compiler.engine.linking import marked_nodes, table
from compiler.engine.recording import CodeId, FrameRecord, RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.ids import StageId
from compiler.model.provenance import LinkTable
from compiler.model.stage import FxStage, Stage, StageKind


def make(region: RegionRecord, frame: FrameRecord | None, code_stages: dict[CodeId, StageId]) -> Stage:
    """The graph as Dynamo handed it to the backend."""
    name = frame.code.co_name if frame is not None else "graph"
    made_by = "Dynamo, torch/_dynamo/output_graph.py: OutputGraph.call_user_compiler"
    traced = frame.seconds if frame is not None else 0.0  # not known yet while the frame is being compiled
    seconds = traced - region.seconds.get("backend", 0.0) if traced else None
    made_from = (code_stages[id(frame.code)],) if frame is not None and id(frame.code) in code_stages else ()
    return Stage(
        region_id(region.compile_id, "dynamo"),
        StageKind.DYNAMO_GRAPH,
        f"Dynamo graph of {name}",
        FxStage(region.dynamo),
        compile_id=region.compile_id,
        made_by=f"{made_by}; then edited" if region.edited else made_by,
        made_from=made_from,
        seconds=None if region.edited else seconds,
    )


def link(
    region: RegionRecord, frame: FrameRecord | None, code_stages: dict[CodeId, StageId]
) -> tuple[LinkTable, ...]:
    """Instruction → node, as noted when Dynamo made the node."""
    if frame is None or not frame.attempts:
        return ()
    marked = marked_nodes(region)
    pairs: dict[StageId, list[tuple[str, str]]] = {}
    for name, spots in frame.attempts[-1].node_spots.items():
        node = marked.get(f"{frame.id}:{name}")
        if node is None:
            continue
        for spot in spots:
            if spot.code in code_stages:
                pairs.setdefault(code_stages[spot.code], []).append((f"i{spot.offset}", node))
    target = region_id(region.compile_id, "dynamo")
    return tuple(
        row for stage, found in pairs.items() for row in table(stage, target, "traced", "torch", found)
    )
