"""What is said of an edit that does not fit its stage: it depends on whether edits before it can be why."""

from compiler.model.capture.counted import first_of
from compiler.model.capture.front_ends import FX_CODE, FX_GRAPH
from compiler.model.edits.edits import Edit, describe_edit, single_edits, stages_of
from compiler.model.edits.stage_order import edits_before
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId, place

_SHOWN = 2


def does_not_fit(what: str, edits: tuple[Edit, ...], stage: StageId, edit: Edit | None = None) -> Problem:
    """The problem of an edit, or for what there are of a stage, with the edits that may have changed the stage before."""
    where = place(stage) if stage else None
    earlier = _earlier(edits, stage, edit)
    if not earlier:
        return Problem(what, "Undo this edit or change it.", place=where)
    named = first_of([f"“{describe_edit(other)}”" for other in earlier], _SHOWN)
    changed = f"{what} What was edited before may be why: {named}."
    return Problem(changed, "Undo this edit, or an edit before it.", place=where)


def _earlier(edits: tuple[Edit, ...], stage: StageId, edit: Edit | None) -> tuple[Edit, ...]:
    """Those that change what a stage is made from, and those of the stage itself up to `edit`."""
    holding = (
        index
        for index, other in enumerate(edits)
        if any(one is edit for one in (other, *single_edits((other,))))
    )
    until = next(holding, 0)
    in_turn = stage in (FX_GRAPH, FX_CODE)  # each is made of the other
    before = edits_before(edits[:until] if in_turn else edits, stage)
    own = (other for other in edits[:until] if stage in stages_of(other) and other not in before)
    return (*before, *own)
