"""Puts the stages in order: recorded torch objects in, a pipeline as plain data out."""

import msgspec

from compiler.engine.failures import is_users_file
from compiler.engine.input_roles import carry_roles
from compiler.engine.recording import BreakRecord, CodeId, FrameRecord, Recorder, RegionRecord
from compiler.engine.stage_ids import region_id, rewritten_id
from compiler.engine.stages import (
    aot_graphs,
    dynamo_graph,
    generated_kernels,
    joint_graph,
    loop_ir,
    post_grad_graph,
    pre_grad_graph,
    python_bytecode,
    user_source,
    wrapper_code,
)
from compiler.model.frames import Frame, GraphBreak
from compiler.model.guards import GuardTree, RecompileRecord
from compiler.model.ids import StageId, place
from compiler.model.provenance import LinkTable
from compiler.model.stage import Stage


def program_stages(recorder: Recorder) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
    """Source and bytecode."""
    sources = user_source.make(recorder)
    links = python_bytecode.link(recorder, {stage.id for stage in sources})
    return (*sources, *python_bytecode.make(recorder)), links


def region_stages(
    region: RegionRecord, frame: FrameRecord | None, code_stages: dict[CodeId, StageId]
) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
    """Everything the backend made of one Dynamo graph."""
    carry_roles(region)
    stages: list[Stage | None] = [dynamo_graph.make(region, frame, code_stages), pre_grad_graph.make(region)]
    stages.append(joint_graph.make(region))
    links = [
        *dynamo_graph.link(region, frame, code_stages),
        *pre_grad_graph.link(region),
        *joint_graph.link(region),
    ]
    for unit in region.units:
        stages += [
            aot_graphs.make(region, unit),
            post_grad_graph.make(region, unit),
            *loop_ir.make(region, unit),
        ]
        stages += [generated_kernels.make(region, unit), wrapper_code.make(region, unit)]
        links += [
            *aot_graphs.link(region, unit),
            *post_grad_graph.link(region, unit),
            *loop_ir.link(region, unit),
        ]
        links += [*generated_kernels.link(region, unit), *wrapper_code.link(region, unit)]
    present = tuple(stage for stage in stages if stage is not None)
    known = {stage.id for stage in present} | set(code_stages.values())
    kept = tuple(row for row in links if row.source in known and row.target in known)
    return tuple(_with_known_origins(stage, known) for stage in present), kept


def _with_known_origins(stage: Stage, known: set[StageId]) -> Stage:
    made_from = tuple(origin for origin in stage.made_from if origin in known)
    return msgspec.structs.replace(stage, made_from=made_from) if made_from != stage.made_from else stage


def final_regions(recorder: Recorder) -> tuple[RegionRecord, ...]:
    """The regions that count: a restart after the backend makes a region of the same compile id anew."""
    return tuple({region.compile_id: region for region in recorder.regions}.values())


def frames_of(
    recorder: Recorder, code_stages: dict[CodeId, StageId], breaks: tuple[GraphBreak, ...]
) -> tuple[Frame, ...]:
    """Frames in the order Dynamo met them, then those it skipped."""
    graphs = {region.compile_id for region in recorder.regions}
    frames = []
    for record in recorder.frames:
        resumed = recorder.resumes.get(id(record.code))
        frames.append(
            Frame(
                id=record.id,
                name=record.code.co_name,
                path=record.code.co_filename,
                line=record.code.co_firstlineno,
                original=code_stages.get(id(record.code), ""),
                rewritten=rewritten_id(record.id) if record.rewritten is not None else "",
                graph=region_id(record.id, "dynamo") if record.id in graphs else "",
                parent=resumed[1] if resumed else "",
                breaks=tuple(item.id for item in breaks if item.frame == record.id),
                restarts=tuple(attempt.restart for attempt in record.attempts if attempt.restart),
                recompile_reasons=record.recompile_reasons,
                guards=record.guards,
                error=record.error,
                skip_reason=record.skip_reason,
                seconds=record.seconds,
            )
        )
    compiled = {id(record.code) for record in recorder.frames}
    skipped = {
        (id(code), reason): code
        for code, reason in recorder.skips
        if id(code) not in compiled and is_users_file(code.co_filename)
    }
    for number, ((_, reason), code) in enumerate(skipped.items(), 1):
        frames.append(
            Frame(
                f"skipped-{number}", code.co_name, code.co_filename, code.co_firstlineno, skip_reason=reason
            )
        )
    return tuple(frames)


def breaks_of(recorder: Recorder, code_stages: dict[CodeId, StageId]) -> tuple[GraphBreak, ...]:
    """Graph breaks, the same cause on the same line once, with a count."""
    merged: dict[tuple[str, str, object], list[BreakRecord]] = {}
    for record in recorder.breaks:
        last = record.stack[-1] if record.stack else None
        spot = (last.path, last.line) if last is not None else (record.spot and record.spot.offset)
        merged.setdefault((record.frame, record.kind, spot), []).append(record)
    found = []
    for number, group in enumerate(merged.values(), 1):
        first = group[0]
        stage = code_stages.get(first.spot.code) if first.spot is not None else None
        instruction = (
            place(stage, f"i{first.spot.offset}") if stage is not None and first.spot is not None else None
        )
        found.append(
            GraphBreak(
                id=f"break-{number}",
                frame=first.frame,
                kind=first.kind,
                reason=first.reason,
                registry_id=first.registry_id,
                explanation=first.explanation,
                context=first.context,
                hints=first.hints,
                stack=first.stack,
                instruction=instruction,
                count=len(group),
                skipped_frame=first.skipped_frame,
            )
        )
    return tuple(found)


def guards_of(recorder: Recorder) -> tuple[GuardTree, ...]:
    """The guards of every compile whose code is used."""
    kept = {frame.id for frame in recorder.frames if not frame.error}
    return tuple(tree for name, tree in recorder.guards.items() if name in kept)


def recompiles_of(recorder: Recorder) -> tuple[RecompileRecord, ...]:
    """Every compile but the first of each frame, each with what was tried before it."""
    found = []
    for frame in recorder.frames:
        number = frame.id.partition("/")[2]
        if number in ("", "0"):
            continue
        record = recorder.recompiles.get(frame.id)
        if record is None:
            note = "No earlier compile of this frame left code that could be tried."
            record = RecompileRecord(frame.id, frame.code.co_name, note=note)
        found.append(record)
    return tuple(found)
