"""Turning knobs from what a person picks: the kernels of fused nodes in, an edit out."""

from collections.abc import Mapping

from app.translation.texts import tr
from compiler.model.edits.edits import ChooseKnob, Edit, EditError, EditGroup
from compiler.model.edits.kernel_knobs import BY_NAME, LOOP_ORDER
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import KnobValue, LoopProgram

Groups = tuple[tuple[NodeId, ...], ...]
"""Nodes of the loop IR, those of one fused node together."""


def turned(program: LoopProgram, groups: Groups, knob: str) -> KnobValue | None:
    """How a knob is turned for a kernel: what any of its nodes says."""
    values = (program.knob(node, knob) for group in groups for node in group)
    return next((value for value in values if value is not None), None)


def turn(
    stage: StageId, program: LoopProgram, groups: Groups, wanted: Mapping[str, KnobValue | None], kernel: str
) -> Edit:
    """Turn knobs for the kernel of these nodes; None leaves one to Inductor. Raises EditError where nothing changes.

    A setting stands on the first node of each fused one, a loop order on all.
    """
    edits = []
    for knob, value in wanted.items():
        for group in groups:
            for node in group:
                own = value if node == group[0] or knob == LOOP_ORDER else None
                if program.knob(node, knob) != own:
                    edits.append(ChooseKnob(stage, node, knob, own))
    if not edits:
        raise EditError(tr("The knobs are turned so already."))
    if len(edits) == 1:
        return edits[0]
    reported = ", ".join(
        f"{BY_NAME[knob].title.lower()} {'as Inductor is set' if value is None else value}"
        for knob, value in wanted.items()
        if any(edit.knob == knob for edit in edits)
    )
    return EditGroup(f"{kernel}: {reported}", tuple(edits))
