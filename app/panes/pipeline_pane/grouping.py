"""The stages of a capture in groups: source files, then each compiled graph with its forward and backward parts."""

from dataclasses import dataclass

from app.session.captures.stage_order import inlined_from_libraries, parts_of, stages_by_graph
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame
from compiler.model.capture.front_ends import front_end_named
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.ids import is_number
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import BytecodeStage, SourceStage, Stage, StageKind

_SHORT = {
    StageKind.PRE_GRAD_GRAPH: tr_noop("Pre-grad graph"),
    StageKind.POST_GRAD_GRAPH: tr_noop("Post-grad graph"),
}
"""For titles that are too long for a narrow dock."""
_LOOPS = (StageKind.LOOP_IR, StageKind.FUSED_LOOP_IR)
_OTHER_FRONT_ENDS = (StageKind.FRONT_END_GRAPH, StageKind.FRONT_END_TEXT)
_LIBRARIES = tr_noop(
    "Files of installed packages that lines were traced in; File → Your files… says what is yours"
)
_INLINED = tr_noop("Functions of installed packages that were traced into the graph of their caller")
_LOG_TEXTS = tr_noop("What torch wrote to its log beside the stages")
_MEASURED = (
    StageKind.DYNAMO_GRAPH,
    StageKind.GRAPH_PART,
    StageKind.PRE_GRAD_GRAPH,
    StageKind.JOINT_GRAPH,
    StageKind.AOT_GRAPH,
    StageKind.FRONT_END_GRAPH,
)


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
    closed: bool = False
    """To be opened by hand."""
    is_graph: bool = False
    """Its title names the function and the part, so those of its stages need not."""


def groups_of(capture: Capture) -> tuple[StageGroup, ...]:
    """All stages of a capture, grouped, in pipeline order. Original bytecode stands with the frame it is of."""
    by_graph = stages_by_graph(capture)
    loose = by_graph.pop("", [])
    sizes = {compile_id: graph_size(stages) for compile_id, stages in by_graph.items()}
    heaviest = max(sizes.values(), default=0) or 1
    frames = {frame.id: frame for frame in capture.frames}
    files = tuple(stage for stage in loose if stage.kind is StageKind.SOURCE)
    others = tuple(stage for stage in loose if stage.kind is not StageKind.SOURCE)
    groups = _file_groups(files)
    for compile_id, stages in by_graph.items():
        size = sizes[compile_id]
        groups.append(
            _graph_group(capture, compile_id, frames.get(compile_id), stages, size, size / heaviest)
        )
    texts = tuple(stage for stage in others if stage.kind is StageKind.LOG_TEXT)
    if texts:
        groups.append(StageGroup(tr("Log texts of no compile"), tr(_LOG_TEXTS), texts, closed=True))
    others = tuple(stage for stage in others if stage not in texts)
    if others:
        tooltip = tr("Functions that Dynamo looked at without making a graph of them")
        groups.append(StageGroup(tr("Not compiled"), tooltip, others, closed=bool(by_graph)))
    return tuple(groups)


def _file_groups(files: tuple[Stage, ...]) -> list[StageGroup]:
    """The user's own files, and in a group beside them those of libraries by package."""
    own: list[Stage] = []
    packages: dict[str, list[Stage]] = {}
    for stage in files:
        file = stage.content.file if isinstance(stage.content, SourceStage) else None
        if file is None or file.standing is FileOwner.MINE:
            own.append(stage)
        else:
            packages.setdefault(file.package or tr("torch and Python"), []).append(stage)
    groups = (
        [StageGroup(tr("Source files"), tr("The program as it was when captured"), tuple(own))] if own else []
    )
    inner = tuple(
        StageGroup(
            name, tr("Files of {name} that the program was read from").format(name=name), tuple(stages)
        )
        for name, stages in packages.items()
    )
    return (
        [*groups, StageGroup(tr("Library files"), tr(_LIBRARIES), (), inner, closed=True)]
        if inner
        else groups
    )


def short_title(stage: Stage, capture: Capture) -> str:
    """The stage's title without what its group says already (the part, the function)."""
    is_inlined = stage.kind is StageKind.BYTECODE and all(
        stage.id != frame.original for frame in capture.frames
    )
    if is_inlined and isinstance(stage.content, BytecodeStage):
        code = stage.content.code  # every module has a forward: they differ in their lines
        return tr("{name}:{line}, inlined").format(name=code.name, line=code.first_line)
    if stage.kind is StageKind.BODY:
        return f"↳ {stage.title.rpartition(' of ')[2]}"
    if stage.kind in _LOOPS and (body := body_of(stage.id)):
        return f"↳ {body}"
    if stage.kind is StageKind.GRAPH_PART:
        return stage_title(stage.title)
    if stage.kind in _SHORT:
        return tr(_SHORT[stage.kind])
    if stage.kind is StageKind.LOG_TEXT:
        return stage.title
    title = stage.title.partition(" of ")[0]
    rest = title.removeprefix(f"{stage.part.capitalize()} ") if stage.part else title
    return stage_title(rest[:1].upper() + rest[1:])


def graph_size(stages: list[Stage]) -> int:
    """Nodes of the first FX graph among stages: what a graph weighs before anything is fused."""
    for stage in stages:
        if stage.kind in _MEASURED:
            return stage.node_count
    return 0


def _graph_group(
    capture: Capture, compile_id: str, frame: Frame | None, stages: list[Stage], size: int, weight: float
) -> StageGroup:
    if any(stage.kind in _OTHER_FRONT_ENDS for stage in stages):
        front_end = front_end_named(compile_id)
        return StageGroup(front_end.title, front_end.lesson, tuple(stages), (), weight, size, is_graph=True)
    inlined = inlined_from_libraries(stages, capture)
    stages = [stage for stage in stages if stage not in inlined]
    name = f" · {_short_frame_title(frame)}" if frame is not None else ""
    tooltip = ""
    if frame is not None:
        tooltip = tr("{title}\n{path}:{line}, %n guard(s)", None, frame.guards).format(
            title=frame_title(frame), path=frame.path, line=frame.line
        )
    title = (
        tr("Graph {compile_id}{name}").format(compile_id=compile_id, name=name)
        if size
        else tr("Frame {compile_id}{name}").format(compile_id=compile_id, name=name)
    )
    below = (
        (StageGroup(tr("Inlined from libraries"), tr(_INLINED), inlined, closed=True, is_graph=True),)
        if inlined
        else ()
    )
    texts = tuple(stage for stage in stages if stage.kind is StageKind.LOG_TEXT)
    if texts:
        stages = [stage for stage in stages if stage.kind is not StageKind.LOG_TEXT]
        below = (*below, StageGroup(tr("Log texts"), tr(_LOG_TEXTS), texts, closed=True))
    parts = parts_of(stages)
    if not parts:
        return StageGroup(title, tooltip, tuple(stages), below, weight, size, is_graph=True)
    whole = _of_part(stages, "")
    inner = tuple(
        StageGroup(
            part.capitalize(), tr("The {part} part").format(part=part), _of_part(stages, part), is_graph=True
        )
        for part in parts
    )
    return StageGroup(title, tooltip, whole, (*inner, *below), weight, size, is_graph=True)


def _of_part(stages: list[Stage], part: str) -> tuple[Stage, ...]:
    return tuple(stage for stage in stages if stage.part == part)


def _short_frame_title(frame: Frame) -> str:
    """``forward``, or ``line 14 on`` for a function that resumes after line 14: short, for a narrow dock."""
    resumed = _resumed(frame)
    return tr("line {line} on").format(line=resumed[1]) if resumed is not None else frame.name


def frame_title(frame: Frame) -> str:
    """``forward``, or ``forward, resumed after line 14`` for a resume function."""
    resumed = _resumed(frame)
    if resumed is None:
        return frame.name
    return tr("{function}, resumed after line {line}").format(function=resumed[0], line=resumed[1])


def _resumed(frame: Frame) -> tuple[str, str] | None:
    """(function, line) that a resume function goes on in."""
    head, found, line = frame.name.rpartition("_at_")
    if not found or not is_number(line):
        return None
    return head.removeprefix("torch_dynamo_resume_in_"), line
