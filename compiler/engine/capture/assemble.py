"""Puts the stages in order: recorded torch objects in, a pipeline as plain data out."""

import msgspec

from compiler.engine.capture.input_roles import carry_roles
from compiler.engine.capture.late_notes import with_late_notes
from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.records.recorder import DynamoGraphRecord, FrameRecord, Recorder
from compiler.engine.stages import (
    aot_graphs,
    bodies,
    dynamo_graph,
    generated_kernels,
    graph_part,
    joint_graph,
    loop_ir,
    post_grad_graph,
    pre_grad_graph,
    python_bytecode,
    runtime_wrappers,
    user_source,
    wrapper_code,
)
from compiler.model.capture.compile_ids import number_of
from compiler.model.capture.guards import GuardTree, RecompileRecord
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage


def program_stages(
    recorder: Recorder, code_stages: CodeStages
) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
    """Source and bytecode."""
    sources = user_source.make(recorder, code_stages)
    lines = {stage.id: stage.node_count + 1 for stage in sources}
    links = python_bytecode.link(recorder, code_stages, lines)
    return (*sources, *python_bytecode.make(recorder, code_stages, lines)), links


def dynamo_graph_stages(
    recorded: DynamoGraphRecord, frame: FrameRecord | None, code_stages: CodeStages
) -> tuple[tuple[Stage, ...], tuple[LinkTable, ...]]:
    """Everything the backend made of one Dynamo graph."""
    carry_roles(recorded)
    whole = recorded.part_of
    first = (
        dynamo_graph.make(recorded, frame, code_stages) if whole is None else graph_part.make(recorded, whole)
    )
    stages: list[Stage | None] = [first, *bodies.make(recorded)]
    stages += [pre_grad_graph.make(recorded), joint_graph.make(recorded), *bodies.make_joint(recorded)]
    links = [
        *(
            dynamo_graph.link(recorded, frame, code_stages)
            if whole is None
            else graph_part.link(recorded, whole)
        ),
        *bodies.link_traced(recorded),
        *pre_grad_graph.link(recorded),
        *joint_graph.link(recorded),
        *bodies.link_joint(recorded),
    ]
    for inductor_graph in recorded.inductor_graphs:
        stages += [
            aot_graphs.make(recorded, inductor_graph),
            *bodies.make_aot(recorded, inductor_graph),
            post_grad_graph.make(recorded, inductor_graph),
            *bodies.make_post_grad(recorded, inductor_graph),
            *loop_ir.make(recorded, inductor_graph),
        ]
        stages += [
            generated_kernels.make(recorded, inductor_graph),
            wrapper_code.make(recorded, inductor_graph),
        ]
        links += [
            *aot_graphs.link(recorded, inductor_graph),
            *post_grad_graph.link(recorded, inductor_graph),
            *bodies.link(recorded, inductor_graph),
            *loop_ir.link(recorded, inductor_graph),
        ]
        links += [
            *generated_kernels.link(recorded, inductor_graph),
            *wrapper_code.link(recorded, inductor_graph),
        ]
    stages.append(runtime_wrappers.make(recorded))
    present = tuple(stage for stage in stages if stage is not None)
    known = {stage.id for stage in present} | set(code_stages.ids.values())
    if whole is not None:
        known |= {stage.id for stage in (dynamo_graph.make(whole, None, code_stages), *bodies.make(whole))}
    kept = tuple(row for row in links if row.source in known and row.target in known)
    return tuple(with_late_notes(_with_known_origins(stage, known)) for stage in present), kept


def _with_known_origins(stage: Stage, known: set[StageId]) -> Stage:
    made_from = tuple(origin for origin in stage.made_from if origin in known)
    return msgspec.structs.replace(stage, made_from=made_from) if made_from != stage.made_from else stage


def final_dynamo_graphs(recorder: Recorder) -> tuple[DynamoGraphRecord, ...]:
    """The regions that count: a restart after the backend makes a region of the same compile id again."""
    latest = {recorded.compile_id: recorded for recorded in recorder.dynamo_graphs}
    return tuple(recorded for recorded in latest.values() if _is_latest(recorded, latest))


def _is_latest(recorded: DynamoGraphRecord, latest: dict[str, DynamoGraphRecord]) -> bool:
    """Whether a graph is no part of one that was made again."""
    whole = recorded.part_of
    return whole is None or (latest[whole.compile_id].parts is whole.parts and _is_latest(whole, latest))


def guards_of(recorder: Recorder) -> tuple[GuardTree, ...]:
    """The guards of every compile whose code is used."""
    kept = {frame.id for frame in recorder.frames if not frame.error}
    return tuple(tree for name, tree in recorder.guards.items() if name in kept)


def recompiles_of(recorder: Recorder) -> tuple[RecompileRecord, ...]:
    """Every compile but the first of each frame, each with what was tried before it."""
    found = []
    for frame in recorder.frames:
        number = number_of(frame.id)
        if number in ("", "0"):
            continue
        record = recorder.recompiles.get(frame.id)
        if record is None:
            note = "No earlier compile of this frame left code that could be tried."
            record = RecompileRecord(frame.id, frame.name, note=note)
        found.append(record)
    return tuple(found)
