"""Bytecode: each frame's original, as Dynamo read it, and what Dynamo wrote instead."""

import dis
import types
from collections.abc import Mapping

from compiler.engine.file_ownership import is_linked
from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.link_tables import table
from compiler.engine.records.recorder import CodeId, InstructionLocation, Recorder
from compiler.engine.stage_ids import rewritten_id, source_id
from compiler.model.ir.ids import StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.programs import CodeObject, Instruction
from compiler.model.ir.stage import BytecodeStage, Stage, StageKind

_READ_BY = "CPython's compiler; read by torch/_dynamo/convert_frame.py"
_WRITTEN_BY = "Dynamo, torch/_dynamo/output_graph.py"
_JUMPS = frozenset({*dis.hasjrel, *dis.hasjabs})


def code_stages_of(recorder: Recorder) -> CodeStages:
    """Which stage shows which original code object: every frame, and every inlined function but torch's."""
    rewritten = {id(frame.rewritten) for frame in recorder.frames}
    frames = {id(frame.code) for frame in recorder.frames}
    ids: dict[CodeId, StageId] = {}
    used: set[StageId] = set()
    for key, code in recorder.codes.items():
        if key in rewritten and key not in frames:
            continue
        if key not in frames and not is_linked(code.co_filename):
            continue
        base = f"bytecode:{code.co_name}@{code.co_firstlineno}"
        stage, number = base, 2
        while stage in used:
            stage, number = f"{base}#{number}", number + 1
        used.add(stage)
        ids[key] = stage
    return CodeStages(recorder, ids)


def make(recorder: Recorder, code_stages: CodeStages, sources: Mapping[StageId, int]) -> tuple[Stage, ...]:
    """Original and rewritten bytecode, frame by frame. `sources`: the stages that show a text, and its lines."""
    traced: dict[CodeId, set[int]] = {}
    for frame in recorder.frames:
        for attempt in frame.attempts[-1:]:
            for key, number in attempt.traced:
                offset = (
                    code_stages.offset(InstructionLocation(key, number)) if key in code_stages.ids else None
                )
                if offset is not None:
                    traced.setdefault(key, set()).add(offset)
    stages = []
    for key, stage_id in code_stages.ids.items():
        code = recorder.codes[key]
        content = _read(code, traced.get(key, set()), recorder)
        title = f"Bytecode of {code.co_name}"
        stages.append(
            Stage(
                stage_id,
                StageKind.BYTECODE,
                title,
                BytecodeStage(content),
                made_by=_READ_BY,
                made_from=(source,) if (source := source_id(code.co_filename)) in sources else (),
            )
        )
    for frame in recorder.frames:
        if frame.rewritten is None:
            continue
        content = _read(frame.rewritten, set(), recorder)
        stages.append(
            Stage(
                rewritten_id(frame.id),
                StageKind.REWRITTEN_BYTECODE,
                f"Rewritten bytecode of {frame.code.co_name}",
                BytecodeStage(content),
                compile_id=frame.id,
                made_by=_WRITTEN_BY,
                made_from=(code_stages.stage(frame.code),),
            )
        )
    return tuple(stages)


def link(
    recorder: Recorder, code_stages: CodeStages, sources: Mapping[StageId, int]
) -> tuple[LinkTable, ...]:
    """Source line → instruction, as Python itself records it; none where the text known is not that of the code."""
    shown = {stage: recorder.codes[key] for key, stage in code_stages.ids.items()}
    for frame in recorder.frames:
        if frame.rewritten is not None:
            shown[rewritten_id(frame.id)] = frame.rewritten
    tables: list[LinkTable] = []
    for stage, code in shown.items():
        source = source_id(code.co_filename)
        if source not in sources:
            continue
        lines = [
            (instruction.positions.lineno, f"i{instruction.offset}")
            for instruction in dis.get_instructions(code)
            if instruction.positions is not None and instruction.positions.lineno
        ]
        if any(line > sources[source] for line, _ in lines):
            recorder.faults.append(
                f"lines of {code.co_name}: {code.co_filename} is shorter by now than when it was compiled"
            )
            continue
        tables += table(source, stage, "compiled", "python", [(line_id(line), node) for line, node in lines])
    return tuple(tables)


def _read(code: types.CodeType, traced: set[int], recorder: Recorder) -> CodeObject:
    instructions = []
    listed = list(dis.get_instructions(code))
    after: dis.Instruction | None = None
    traced = set(traced)
    for item in reversed(listed):  # EXTENDED_ARG is a part of the instruction that follows it
        if item.opcode == dis.EXTENDED_ARG and after is not None and after.offset in traced:
            traced.add(item.offset)
        after = item
    for item in listed:
        positions = item.positions or dis.Positions()
        instructions.append(
            Instruction(
                f"i{item.offset}",
                item.offset,
                item.opname,
                _argument(item),
                positions.lineno,
                positions.end_lineno,
                positions.col_offset,
                positions.end_col_offset,
                item.is_jump_target,
                item.offset in traced,
            )
        )
    resumed = recorder.resumes.get(id(code))
    resume_of = recorder.codes[resumed[0]].co_name if resumed else ""
    return CodeObject(code.co_name, code.co_filename, code.co_firstlineno, tuple(instructions), resume_of)


def _argument(item: dis.Instruction) -> str:
    """As ``dis`` says it, but where a jump leads always by its offset: Python 3.13 says a label of its own listing."""
    if item.opcode in _JUMPS:
        return f"to {item.argval}"
    return item.argrepr or ("" if item.arg is None else str(item.arg))
