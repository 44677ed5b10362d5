"""Whether a stage takes an edit: one that no stage takes would be left out without a word."""

from compiler.model.edits.edits import (
    ChooseFusion,
    ChooseKnob,
    Edit,
    EditGroup,
    ReplaceKernel,
    ReplaceText,
    ReplaceWrapper,
    describe_edit,
)
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.edits.stage_order import parts_of

_TAKEN_BY = {
    ChooseFusion: "loops",
    ChooseKnob: "loops",
    ReplaceKernel: "kernels",
    ReplaceWrapper: "wrapper",
    ChooseSaved: "joint",
    ChooseMemoryBudget: "joint",
}
"""How the stage ends that takes an edit of what is behind the graphs; all others are edits of a graph."""
_GRAPHS = ("dynamo", "pre_grad", "joint", "aot", "post_grad")


def why_not_taken(edit: Edit) -> str:
    """Why an edit of a stage of torch.compile's takes no effect there, in a sentence; empty where it does."""
    if isinstance(edit, EditGroup):
        return next((why for part in edit.edits if (why := why_not_taken(part))), "")
    takers = _GRAPHS if type(edit) not in _TAKEN_BY else (_TAKEN_BY[type(edit)],)
    if isinstance(edit, ReplaceText) or parts_of(edit.stage)[2] in takers:
        return ""
    known = " or ".join(f"“{taker}”" for taker in takers)
    return f"“{describe_edit(edit)}” is for {edit.stage}, which does not take it: a stage does that ends in {known}."
