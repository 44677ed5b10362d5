"""What fusing two nodes of the loop IR saves, or would save, in words: memory traffic as torch's scheduler counts it."""

from app.translation.texts import tr
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import Dependency, LoopNode, LoopProgram
from compiler.model.ir.passes import FusionStep
from compiler.model.ir.tensor_types import describe_bytes


def would_save_text(fused: LoopProgram, groups: tuple[tuple[NodeId, ...], ...]) -> str:
    """What one kernel for two groups, which are in kernels of their own now, would save."""
    first, second = (_kernel_of(fused, group[0]) for group in (groups[0], groups[-1]))
    if first is None or second is None:
        return tr("What one kernel would save is not known.")
    saved = fused.would_save(first.id, second.id)
    common = sorted(_buffers(first) & _buffers(second))
    if saved is None:
        shared = tr("Both touch {names}; what").format(names=", ".join(common)) if common else tr("What")
        return tr("{shared} one kernel would save was not read for this capture.").format(shared=shared)
    if saved:
        rows = _common(first, second)
        parts = ", ".join(f"{item.buffer} ({describe_bytes(item.bytes)})" for item in rows if item.bytes)
        where = (
            tr(" Both touch {parts} in the same order.").format(parts=parts)
            if parts
            else tr(
                " That is its estimate for {names}, which both read, each in an order of its own."
            ).format(names=", ".join(common))
        )
        return tr("One kernel would save {size} of memory traffic, by torch's own score.{where}").format(
            size=describe_bytes(saved), where=where
        )
    if common:
        return tr(
            "Both touch {names}, but not element by element in the same order: by torch's own "
            "score one kernel would save no memory traffic."
        ).format(names=", ".join(common))
    return tr("They touch no buffer in common: one kernel would save a launch, but no memory traffic.")


def saves_text(steps: tuple[FusionStep, ...], first: NodeId, second: NodeId) -> str:
    """What it saves that two nodes are in one kernel: the fusion that brought them together."""
    step = joined_by(steps, first, second)
    if step is None:
        return tr("How they came together was not recorded.")
    return tr("Inductor fused {step_text}.").format(step_text=step_text(step))


def step_text(step: FusionStep) -> str:
    """A fusion in a few words."""
    kind = tr(" as {relation}").format(relation=step.relation) if step.relation else ""
    saved = (
        tr(", which saves {size} of memory traffic by its own score").format(
            size=describe_bytes(step.saved_bytes)
        )
        if step.saved_bytes is not None
        else ""
    )
    return f"{tr(' and ').join(step.parts)}{kind}{saved}"


def joined_by(steps: tuple[FusionStep, ...], first: NodeId, second: NodeId) -> FusionStep | None:
    """The fusion that brought two nodes into one kernel; None where none is known."""
    members: dict[NodeId, set[NodeId]] = {}
    for step in steps:
        if not step.result:
            continue
        parts = [members.get(part, {part}) for part in step.parts]
        members[step.result] = set().union(*parts)
        split = sum(first in part or second in part for part in parts) > 1
        if split and {first, second} <= members[step.result]:
            return step
    return None


def steps_into(steps: tuple[FusionStep, ...], node: LoopNode) -> tuple[FusionStep, ...]:
    """The fusions that made a fused node, in order."""
    inside = set(node.children)
    members: dict[NodeId, set[NodeId]] = {}
    found = []
    for step in steps:
        if step.result:
            members[step.result] = set().union(*(members.get(part, {part}) for part in step.parts))
            if members[step.result] <= inside:
                found.append(step)
    return tuple(found)


def _kernel_of(fused: LoopProgram, node: NodeId) -> LoopNode | None:
    return next((row for row in fused.nodes if node in (row.children or (row.id,))), None)


def _buffers(node: LoopNode) -> set[str]:
    return {item.buffer for item in (*node.reads, *node.writes)}


def _common(first: LoopNode, second: LoopNode) -> list[Dependency]:
    """What both touch in the same order: that is what torch counts."""
    mine = {*first.reads, *first.writes}
    return [item for item in dict.fromkeys((*second.reads, *second.writes)) if item in mine]
