"""The stages of a capture in groups: source files, then each compiled graph with its forward and backward parts."""

from dataclasses import dataclass

from compiler.model.capture import Capture
from compiler.model.frames import Frame
from compiler.model.stage import Stage, StageKind

_MEASURED = (StageKind.DYNAMO_GRAPH, StageKind.PRE_GRAD_GRAPH, StageKind.JOINT_GRAPH, StageKind.AOT_GRAPH)


@dataclass(frozen=True)
class StageGroup:
    """Stages that belong together. A group of a graph holds one group a part where there are several parts."""

    title: str
    tooltip: str = ""
    stages: tuple[Stage, ...] = ()
    parts: tuple["StageGroup", ...] = ()
    weight: float = 0.0
    """Nodes of its graph over nodes of the largest graph of the capture."""
    nodes: int = 0


def groups_of(capture: Capture) -> tuple[StageGroup, ...]:
    """All stages of a capture, grouped, in pipeline order."""
    by_graph: dict[str, list[Stage]] = {}
    for stage in capture.stages:
        by_graph.setdefault(stage.compile_id, []).append(stage)
    weights = {compile_id: graph_size(stages) for compile_id, stages in by_graph.items() if compile_id}
    heaviest = max(weights.values(), default=0) or 1
    frames = {frame.id: frame for frame in capture.frames}
    groups = []
    for compile_id, stages in by_graph.items():
        if not compile_id:
            groups.append(StageGroup("Source files", "The program as it was when captured", tuple(stages)))
            continue
        size = weights[compile_id]
        frame = frames.get(compile_id)
        groups.append(_graph_group(compile_id, frame, stages, size, size / heaviest))
    return tuple(groups)


def graph_size(stages: list[Stage]) -> int:
    """Nodes of the first FX graph among stages: what a graph weighs before anything is fused."""
    for stage in stages:
        if stage.kind in _MEASURED:
            return stage.node_count
    return 0


def _graph_group(
    compile_id: str, frame: Frame | None, stages: list[Stage], size: int, weight: float
) -> StageGroup:
    name = f" · {frame_title(frame)}" if frame is not None else ""
    tooltip = f"{frame.path}:{frame.line}, {frame.guards} guards" if frame is not None else ""
    title = f"Graph {compile_id}{name}"
    parts = tuple(dict.fromkeys(stage.part for stage in stages if stage.part))
    if len(parts) < 2:
        return StageGroup(title, tooltip, tuple(stages), (), weight, size)
    whole = tuple(stage for stage in stages if not stage.part)
    inner = tuple(
        StageGroup(
            part.capitalize(), f"The {part} part", tuple(stage for stage in stages if stage.part == part)
        )
        for part in parts
    )
    return StageGroup(title, tooltip, whole, inner, weight, size)


def frame_title(frame: Frame) -> str:
    """``forward``, or ``forward, resumed after line 14`` for a resume function."""
    head, found, line = frame.name.rpartition("_at_")
    if not found or not line.isdigit():
        return frame.name
    function = head.removeprefix("torch_dynamo_resume_in_")
    return f"{function}, resumed after line {line}"
