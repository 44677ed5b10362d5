"""What the selection means for editing."""

from dataclasses import dataclass

from app.session.edit_builders.fusion import groups_of, loops_of, program_of
from app.session.facade.session import Session
from compiler.model.edits.editable_stages import edits_graph
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import Kernel, KernelSet, LoopProgram
from compiler.model.ir.passes import FusionStep
from compiler.model.ir.stage import KernelStage, LoweredStage, Stage, StageKind, WrapperStage


def editable_stage(session: Session) -> StageId | None:
    """The stage that edits go to: the one in front, if its graph can be edited. While it is looked at after an earlier pass
    there is none: what is selected there need not be in the graph that edits change.
    """
    stage = session.stage
    if stage is None or not edits_graph(stage) or session.passes.position(stage.id) is not None:
        return None
    return stage.id


def editable_graph(session: Session) -> Graph | None:
    """The graph that edits go to, with the edits made so far."""
    stage_id = editable_stage(session)
    return session.stage_with_edits(stage_id).graph if stage_id is not None else None


def editable_wrapper(session: Session) -> bool:
    """Whether a wrapper that can be edited is in front."""
    content = session.stage.content if session.stage is not None else None
    return isinstance(content, WrapperStage) and content.code.language == "python"


def picked_nodes(session: Session) -> tuple[NodeId, ...]:
    """The selected nodes of the graph that edits go to, in its order."""
    stage_id, graph = editable_stage(session), editable_graph(session)
    if stage_id is None or graph is None:
        return ()
    selected = session.selection.pinned_in(stage_id)
    if session.selection.pinned.stage == stage_id and session.selection.pinned.after is None:
        selected = frozenset(session.selection.pinned.nodes)
    return tuple(sorted(filter(graph.holds, selected), key=graph.index))


def picked_call(session: Session) -> NodeId | None:
    """The one selected node that calls something, or None."""
    nodes, graph = picked_nodes(session), editable_graph(session)
    if len(nodes) != 1 or graph is None:
        return None
    return nodes[0] if graph.node(nodes[0]).op.startswith("call") else None


def picked_alike(session: Session) -> tuple[NodeId, ...]:
    """The selected nodes, one or several, where all of them call the same; else none."""
    nodes, graph = picked_nodes(session), editable_graph(session)
    calls = [graph.node(node) for node in nodes] if graph is not None else []
    alike = {(node.op, node.target) for node in calls}
    return nodes if len(alike) == 1 and calls[0].op.startswith("call") else ()


def picked_source(session: Session) -> NodeId | None:
    """The selected node whose result something uses: where an operation can be put on an edge."""
    nodes, graph = picked_nodes(session), editable_graph(session)
    if not nodes or graph is None or len(nodes) > 2:
        return None
    return nodes[0] if graph.users()[nodes[0]] else None


@dataclass(frozen=True)
class PickedKernel:
    """The one kernel that is selected."""

    stage: StageId
    name: str
    source: str
    """With the edits made so far."""
    language: str


def picked_kernel(session: Session) -> PickedKernel | None:
    """The kernel with a source that the selection is or became in the kernel stage in front, or in the one that the forms
    in front were made of, if it is one.
    """
    stage = _kernels_in_front(session)
    if stage is None:
        return None
    content = session.stage_with_edits(stage.id).content
    heads = {node.partition(":")[0].partition("#")[0] for node in session.selection.pinned_in(stage.id)}
    found = (
        {kernel.name: kernel for kernel in content.kernels.kernels if kernel.source}
        if isinstance(content, KernelStage)
        else {}
    )
    names = heads & set(found) if heads else set(found)
    if len(names) != 1:
        return None
    kernel = found[names.pop()]
    return PickedKernel(stage.id, kernel.name, kernel.source, kernel.language)


def _kernels_in_front(session: Session) -> Stage | None:
    capture, stage = session.capture, session.stage
    if capture is None or stage is None or isinstance(stage.content, KernelStage):
        return stage if capture is not None else None
    if not isinstance(stage.content, LoweredStage):
        return None
    return next(
        (
            other
            for other in capture.of_kind(StageKind.KERNELS)
            if (other.compile_id, other.part) == (stage.compile_id, stage.part) and not body_of(other.id)
        ),
        None,
    )


@dataclass(frozen=True)
class PickedKnobs:
    """The one generated kernel that is selected, by what it runs."""

    stage: StageId
    """The loop IR before fusion, which edits go to."""
    program: LoopProgram
    groups: tuple[tuple[NodeId, ...], ...]
    """Nodes before fusion, those of one fused node together."""
    kernel: str


def picked_knobs(session: Session) -> PickedKnobs | None:
    """The C++ kernel that is selected, in the loop IR or among the kernels."""
    capture, stage = session.capture, session.stage
    if capture is None or stage is None:
        return None
    same = {
        other.kind: other
        for other in capture.stages
        if (other.compile_id, other.part) == (stage.compile_id, stage.part) and not body_of(other.id)
    }
    before, after, made = (
        same.get(kind) for kind in (StageKind.LOOP_IR, StageKind.FUSED_LOOP_IR, StageKind.KERNELS)
    )
    if before is None or after is None or made is None or not isinstance(made.content, KernelStage):
        return None
    parts = {node.id: node.children or (node.id,) for node in program_of(after).nodes}
    kernel = _kernel_of(session, made.content.kernels, parts)
    if kernel is None or kernel.language != "cpp":
        return None
    groups = tuple(parts[node] for node in kernel.loop_nodes if node in parts)
    program = program_of(session.stage_with_edits(before.id))
    return PickedKnobs(before.id, program, groups, kernel.name) if groups else None


def _kernel_of(
    session: Session, kernels: KernelSet, parts: dict[NodeId, tuple[NodeId, ...]]
) -> Kernel | None:
    """The kernel that is selected, or that runs all nodes that are."""
    if (picked := picked_kernel(session)) is not None:
        return next((row for row in kernels.kernels if row.name == picked.name), None)
    loops = picked_loops(session)
    if loops is None or not loops.nodes:
        return None
    for row in kernels.kernels:
        if set(loops.nodes) <= {part for node in row.loop_nodes for part in parts.get(node, ())}:
            return row
    return None


@dataclass(frozen=True)
class PickedLoops:
    """The selection in the loop IR that is in front."""

    stage: StageId
    """The loop IR before fusion, which edits go to."""
    program: LoopProgram
    fused: LoopProgram
    nodes: tuple[NodeId, ...]
    """Nodes before fusion."""
    groups: tuple[tuple[NodeId, ...], ...]
    """The same by the kernel they are in."""
    steps: tuple[FusionStep, ...] = ()
    """What Inductor's scheduler fused, in order."""


def picked_loops(session: Session) -> PickedLoops | None:
    """What is selected of the loop IR in front, fused or not; None in front of another stage."""
    capture, stage = session.capture, session.stage
    both = loops_of(capture, stage) if capture is not None and stage is not None else None
    if both is None:
        return None
    before, after = (session.stage_with_edits(item.id) for item in both)
    program, fused = program_of(before), program_of(after)
    selected = session.selection.pinned_in(before.id)
    nodes = tuple(node.id for node in program.nodes if node.id in selected)
    steps = tuple(step for step in capture.fusions if step.stage == after.id) if capture is not None else ()
    return PickedLoops(before.id, program, fused, nodes, groups_of(fused, nodes), steps)
