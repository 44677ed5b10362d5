"""Choosing fusions from what a person picks: nodes of the loop IR in, an edit out; and why two nodes are apart."""

from itertools import combinations, pairwise

from app.translation.texts import tr, tr_noop
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ChooseFusion, Edit, EditError, EditGroup
from compiler.model.edits.stage_order import body_of
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import LoopStage, Stage, StageKind

_IN_WORDS = (
    ("forbidden by hand", tr_noop("you forbade it")),
    (
        "no shared data",
        tr_noop(
            "they read and write nothing in common, so that a common kernel would save no memory traffic"
        ),
    ),
    (
        "score_fusion_memory_threshold",
        tr_noop("a common kernel would save less memory traffic than Inductor's threshold"),
    ),
    ("is extern but not a triton kernel", tr_noop("one is a library call, which is a kernel of its own")),
    ("node2 is extern or nop", tr_noop("one is a library call, which is a kernel of its own")),
    (
        "intermediate nodes between",
        tr_noop("something that has to run between them needs the one and feeds the other"),
    ),
    (
        "too far away",
        tr_noop("they are far apart in the program; keeping the data that long may cost peak memory"),
    ),
    ("increase peak memory", tr_noop("it may cost peak memory")),
    ("will create cycle", tr_noop("each would have to wait for the other")),
)


def loops_of(capture: Capture, stage: Stage) -> tuple[Stage, Stage] | None:
    """(loop IR before fusion, fused) of the graph that a loop stage belongs to."""
    if stage.kind not in (StageKind.LOOP_IR, StageKind.FUSED_LOOP_IR) or body_of(stage.id):
        return None
    same = {
        other.kind: other
        for other in capture.stages
        if (other.compile_id, other.part) == (stage.compile_id, stage.part) and not body_of(other.id)
    }
    before, fused = same.get(StageKind.LOOP_IR), same.get(StageKind.FUSED_LOOP_IR)
    return (before, fused) if before is not None and fused is not None else None


def program_of(stage: Stage) -> LoopProgram:
    """The nodes of a loop stage."""
    assert isinstance(stage.content, LoopStage)
    return stage.content.program


def groups_of(fused: LoopProgram, nodes: tuple[NodeId, ...]) -> tuple[tuple[NodeId, ...], ...]:
    """The picked nodes by the kernel they are in now."""
    found = []
    for node in fused.nodes:
        parts = set(node.children or (node.id,))
        picked = tuple(item for item in nodes if item in parts)
        if picked:
            found.append(picked)
    return tuple(found)


def forbid_fusion(stage: StageId, program: LoopProgram, nodes: tuple[NodeId, ...]) -> Edit:
    """No two of the nodes may be fused. Raises EditError."""
    if len(nodes) < 2:
        raise EditError(tr("Select two nodes of the loop IR, or a fused one."))
    return _choices(
        stage, program, tuple(combinations(nodes, 2)), fuse=False, label=f"Keep {_list(nodes)} apart"
    )


def bring_together(stage: StageId, program: LoopProgram, groups: tuple[tuple[NodeId, ...], ...]) -> Edit:
    """Ask for one kernel for all the groups. Raises EditError."""
    if len(groups) < 2:
        raise EditError(
            tr("These are in one kernel already.") if groups else tr("Select two nodes of the loop IR.")
        )
    pairs = tuple((first[-1], second[0]) for first, second in pairwise(groups))
    every = tuple(node for group in groups for node in group)
    return _choices(stage, program, pairs, fuse=True, label=f"Fuse {_list(every)}")


def leave_to_inductor(stage: StageId, program: LoopProgram, nodes: tuple[NodeId, ...]) -> Edit:
    """Take back what was chosen of the nodes. Raises EditError."""
    picked = set(nodes)
    pairs = tuple(
        (row.first, row.second)
        for row in program.choices
        if {row.first, row.second} <= picked or (len(picked) == 1 and picked & {row.first, row.second})
    )
    if not pairs:
        raise EditError(tr("Nothing was chosen of these nodes."))
    return _choices(stage, program, pairs, fuse=None, label=f"Leave the fusion of {_list(nodes)} to Inductor")


def _choices(
    stage: StageId,
    program: LoopProgram,
    pairs: tuple[tuple[NodeId, NodeId], ...],
    fuse: bool | None,
    label: str,
) -> Edit:
    edits = tuple(
        ChooseFusion(stage, first, second, fuse)
        for first, second in pairs
        if program.chosen(first, second) != fuse
    )
    if not edits:
        raise EditError(tr("That is chosen already."))
    return edits[0] if len(edits) == 1 else EditGroup(label, edits)


def _list(nodes: tuple[NodeId, ...]) -> str:
    return ", ".join(nodes[:-1]) + f" and {nodes[-1]}" if len(nodes) > 1 else nodes[0]


def why_unfused_reasons(fused: LoopProgram, groups: tuple[tuple[NodeId, ...], ...]) -> tuple[str, ...]:
    """What Inductor said of bringing two groups together, in plain words with torch's own beside them."""
    parts = {node.id: set(node.children or (node.id,)) for node in fused.nodes}
    left, right = set(groups[0]), set(groups[-1])
    reasons = []
    for first, second, reason in fused.not_fused:
        one = parts.get(first, set(first.split("_")))
        other = parts.get(second, set(second.split("_")))
        if (one & left and other & right) or (one & right and other & left):
            reasons.append(describe(reason))
    return tuple(dict.fromkeys(reasons)) or (
        tr("Inductor never came to consider them: it looks only at nodes that share a buffer."),
    )


def describe(reason: str) -> str:
    """Torch's reason with what it means."""
    plain = next((tr(words) for part, words in _IN_WORDS if part in reason), "")
    return (
        tr("{plain} (torch: {reason}).").format(plain=plain[0].upper() + plain[1:], reason=reason)
        if plain
        else tr("Torch says: {reason}.").format(reason=reason)
    )
