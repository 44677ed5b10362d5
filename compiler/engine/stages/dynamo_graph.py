"""Dynamo's FX graph: what one frame became, up to its graph break."""

from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.link_tables import marked_places, table
from compiler.engine.records.recorder import FrameRecord, RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(region: RegionRecord, frame: FrameRecord | None, code_stages: CodeStages) -> Stage:
    """The graph as Dynamo handed it to the backend."""
    name = frame.code.co_name if frame is not None else "graph"
    made_by = "Dynamo, torch/_dynamo/output_graph.py: OutputGraph.call_user_compiler"
    traced = frame.seconds if frame is not None else 0.0  # not known yet while the frame is being compiled
    seconds = traced - region.seconds.get("backend", 0.0) if traced else None
    original = code_stages.stage(frame.code) if frame is not None else ""
    return Stage(
        region_id(region.compile_id, "dynamo"),
        StageKind.DYNAMO_GRAPH,
        f"Dynamo graph of {name}",
        FxStage(region.dynamo),
        compile_id=region.compile_id,
        made_by=f"{made_by}; then edited" if region.edited else made_by,
        made_from=(original,) if original else (),
        seconds=None if region.edited else seconds,
    )


def link(region: RegionRecord, frame: FrameRecord | None, code_stages: CodeStages) -> tuple[LinkTable, ...]:
    """Instruction → node, of bodies too, as noted when Dynamo made the node."""
    if frame is None or not frame.attempts:
        return ()
    marked = marked_places(region)
    pairs: dict[tuple[StageId, StageId], list[tuple[str, str]]] = {}
    for mark, spots in frame.attempts[-1].node_spots.items():
        if mark not in marked:
            continue
        target, node = marked[mark]
        for spot in spots:
            shown = code_stages.instruction(spot)
            if shown is not None:
                pairs.setdefault((shown[0], target), []).append((shown[1], node))
    return tuple(row for ends, found in pairs.items() for row in table(*ends, "traced", "torch", found))
