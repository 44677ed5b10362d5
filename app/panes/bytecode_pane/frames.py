"""The frames of a capture with their original and rewritten bytecode, named for people."""

from dataclasses import dataclass

from compiler.model.capture import Capture
from compiler.model.ids import NodeId
from compiler.model.programs import CodeObject, Instruction
from compiler.model.stage import BytecodeStage, Stage, StageKind


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
    """Every frame that has bytecode, in pipeline order."""
    found: dict[str, list[Stage]] = {}
    for stage in capture.stages if capture is not None else ():
        if isinstance(stage.content, BytecodeStage):
            found.setdefault(stage.compile_id, []).append(stage)
    result = []
    for compile_id, stages in found.items():
        by_kind = {stage.kind: stage for stage in stages}
        original = by_kind.get(StageKind.BYTECODE)
        rewritten = by_kind.get(StageKind.REWRITTEN_BYTECODE)
        code = code_of(original or rewritten)
        title = f"{frame_title(code)} · {compile_id}" if compile_id else frame_title(code)
        result.append(FrameCode(title, f"{code.path}:{code.first_line}", original, rewritten))
    return result


def code_of(stage: Stage | None) -> CodeObject:
    """The code object of a bytecode stage; an empty one where there is none."""
    if stage is not None and isinstance(stage.content, BytecodeStage):
        return stage.content.code
    return CodeObject("", "", 0, ())


def frame_title(code: CodeObject) -> str:
    """``forward``, or for a resume function ``forward resumes after line 14``."""
    _, found, line = code.name.rpartition("_at_")
    if code.resume_of:
        after = f" after line {line}" if found and line.isdigit() else ""
        return f"{code.resume_of} resumes{after}"
    return code.name or "code"


def describe_instruction(instruction: Instruction, breaks: dict[NodeId, str]) -> str:
    """Where the instruction comes from and what Dynamo did with it, for a tooltip."""
    lines = [f"{instruction.opname} {instruction.argument}".rstrip()]
    if instruction.line is not None:
        where = f"line {instruction.line}"
        if instruction.end_line is not None and instruction.end_line != instruction.line:
            where += f" to {instruction.end_line}"
        if instruction.column is not None and instruction.end_column is not None:
            where += f", columns {instruction.column + 1} to {instruction.end_column}"
        lines.append(where)
    if instruction.traced:
        lines.append("traced by Dynamo")
    if instruction.jump_target:
        lines.append("target of a jump")
    if instruction.id in breaks:
        lines.append(breaks[instruction.id])
    return "\n".join(lines)
