"""The frames of a capture with their original and rewritten bytecode, named for people."""

from dataclasses import dataclass

from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, is_number
from compiler.model.ir.programs import CodeObject, Instruction
from compiler.model.ir.stage import BytecodeStage, Stage, StageKind


@dataclass(frozen=True)
class FrameCode:
    """One frame: what Python would have run, and what runs instead."""

    title: str
    tooltip: str
    original: Stage | None
    rewritten: Stage | None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Those of the two that there are."""
        return tuple(stage for stage in (self.original, self.rewritten) if stage is not None)


def frames_of(capture: Capture | None) -> list[FrameCode]:
    """Every frame that has bytecode in pipeline order, then code that Dynamo looked at without compiling it."""
    if capture is None:
        return []
    code = {stage.id: stage for stage in capture.stages if isinstance(stage.content, BytecodeStage)}
    result = []
    for frame in capture.frames:
        original, rewritten = code.get(frame.original), code.get(frame.rewritten)
        if original is not None or rewritten is not None:
            result.append(_frame_code(original, rewritten, f" · {frame.id}"))
    shown = {stage.id for frame in result for stage in frame.stages}
    for stage in code.values():
        if stage.id in shown:
            continue
        if stage.kind is StageKind.REWRITTEN_BYTECODE:
            result.append(_frame_code(None, stage, f" · {stage.compile_id}"))
        else:
            result.append(_frame_code(stage, None, _fate(capture, stage)))
    return result


def _fate(capture: Capture, stage: Stage) -> str:
    """What became of code that is no frame of its own: inlined into a graph, or left to run as it is."""
    graphs = {other.id: other.compile_id for other in capture.of_kind(StageKind.DYNAMO_GRAPH)}
    for table in capture.links:
        if table.source == stage.id and table.pairs and table.target in graphs:
            return tr(" · inlined in {graphs}").format(graphs=graphs[table.target])
    return tr(" · not compiled")


def _frame_code(original: Stage | None, rewritten: Stage | None, suffix: str) -> FrameCode:
    code = code_of(original or rewritten)
    return FrameCode(frame_title(code) + suffix, f"{code.path}:{code.first_line}", original, rewritten)


def code_of(stage: Stage | None) -> CodeObject:
    """The code object of a bytecode stage; an empty one where there is none."""
    if stage is not None and isinstance(stage.content, BytecodeStage):
        return stage.content.code
    return CodeObject("", "", 0, ())


def frame_title(code: CodeObject) -> str:
    """``forward``, or for a resume function ``forward resumes after line 14``."""
    _, found, line = code.name.rpartition("_at_")
    if code.resume_of:
        after = tr(" after line {line}").format(line=line) if found and is_number(line) else ""
        return tr("{resume_of} resumes{after}").format(resume_of=code.resume_of, after=after)
    return code.name or tr("code")


def describe_instruction(instruction: Instruction, breaks: dict[NodeId, str]) -> str:
    """Where the instruction comes from and what Dynamo did with it, for a tooltip."""
    lines = [f"{instruction.place}  {instruction.opname} {instruction.argument}".strip()]
    if instruction.line is not None:
        where = tr("line {line}").format(line=instruction.line)
        if instruction.end_line is not None and instruction.end_line != instruction.line:
            where += tr(" to {end_line}").format(end_line=instruction.end_line)
        if instruction.column is not None and instruction.end_column is not None:
            where += tr(", columns {value} to {end_column}").format(
                value=instruction.column + 1, end_column=instruction.end_column
            )
        lines.append(where)
    if instruction.traced:
        lines.append(tr("traced by Dynamo"))
    if instruction.jump_target:
        lines.append(tr("target of a jump"))
    if instruction.id in breaks:
        lines.append(breaks[instruction.id])
    return "\n".join(lines)
