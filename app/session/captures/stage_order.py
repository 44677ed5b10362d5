"""In which order stages are read: source files, then graph by graph from its bytecode to its kernels."""

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import StageId
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import BytecodeStage, SourceStage, Stage, StageKind


def stages_by_graph(capture: Capture) -> dict[str, list[Stage]]:
    """Stages by the compile id of their graph, in pipeline order; those of no graph under the empty text.

    Bytecode stands with the graph of the frame it is of, else with the graph that its function was inlined into.
    """
    owners = _graphs_of_bytecode(capture)
    by_graph: dict[str, list[Stage]] = {}
    for stage in capture.stages:
        by_graph.setdefault(stage.compile_id or owners.get(stage.id, ""), []).append(stage)
    return by_graph


def parts_of(stages: list[Stage]) -> tuple[str, ...]:
    """Forward and backward, where a graph has both; else nothing, since there is nothing to tell apart."""
    parts = tuple(dict.fromkeys(stage.part for stage in stages if stage.part))
    return parts if len(parts) > 1 else ()


def inlined_from_libraries(stages: list[Stage], capture: Capture) -> tuple[Stage, ...]:
    """Bytecode of libraries' functions, which may be a hundred to a graph."""
    strangers = {
        stage.content.file.path
        for stage in capture.of_kind(StageKind.SOURCE)
        if isinstance(stage.content, SourceStage) and stage.content.file.standing is FileOwner.LIBRARY
    }
    frames = {frame.original for frame in capture.frames}
    return tuple(
        stage
        for stage in stages
        if isinstance(stage.content, BytecodeStage)
        and stage.kind is StageKind.BYTECODE
        and stage.content.code.path in strangers
        and stage.id not in frames
    )


def reading_order(capture: Capture) -> tuple[StageId, ...]:
    """All stages as they are listed and stepped through."""
    by_graph = stages_by_graph(capture)
    loose = by_graph.pop("", [])
    order = [stage for stage in loose if stage.kind is StageKind.SOURCE]
    for graph in by_graph.values():
        last = inlined_from_libraries(graph, capture)
        stages = [stage for stage in graph if stage not in last]
        parts = parts_of(stages)
        order += [stage for stage in stages if stage.part not in parts]
        order += [stage for part in parts for stage in stages if stage.part == part]
        order += last
    order += [stage for stage in loose if stage.kind is not StageKind.SOURCE]
    return tuple(stage.id for stage in order)


def _graphs_of_bytecode(capture: Capture) -> dict[StageId, str]:
    owners: dict[StageId, str] = {}
    for frame in capture.frames:
        owners.setdefault(frame.original, frame.id)
    graphs = {stage.id: stage.compile_id for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)}
    bytecode = {stage.id for stage in capture.of_kind(StageKind.BYTECODE)}
    for table in capture.links:
        if table.pairs and table.target in graphs and table.source in bytecode:
            owners.setdefault(table.source, graphs[table.target])
    return owners
