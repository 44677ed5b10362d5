"""Edits that a stage does not take are refused, and every edit that it takes is not."""

import pytest

from compiler.model.edits.addressed import why_not_taken
from compiler.model.edits.edits import (
    BypassNode,
    ChooseFusion,
    Edit,
    EditGroup,
    ReplaceKernel,
    ReplaceWrapper,
)


@pytest.mark.parametrize(
    "edit",
    [
        ChooseFusion("0/0:forward:loops", "op0", "op1", False),
        ReplaceKernel("0/0:backward:kernels", "k", "//"),
        ReplaceWrapper("0/0:inference:wrapper", "x = 1", ""),
        BypassNode("0/0:dynamo", "relu", "x"),
        BypassNode("0/0:dynamo:cond_true_0", "relu", "x"),
        BypassNode("0/0:forward:post_grad", "relu", "x"),
    ],
)
def test_taken(edit: Edit) -> None:
    assert why_not_taken(edit) == ""
    assert why_not_taken(EditGroup("two", (edit, edit))) == ""


@pytest.mark.parametrize(
    ("edit", "ending"),
    [
        (ChooseFusion("0/0:forward:fused", "op0", "op1", False), "loops"),
        (ChooseFusion("0/0:forward:kernels", "op0", "op1", False), "loops"),
        (ReplaceKernel("0/0:forward:wrapper", "k", "//"), "kernels"),
        (ReplaceWrapper("0/0:forward:kernels", "x = 1", ""), "wrapper"),
        (BypassNode("0/0:forward:fused", "op0", "x"), "post_grad"),
        (BypassNode("0/0:forward:kernels", "op0", "x"), "post_grad"),
        (BypassNode("0/0:forward:nothing", "op0", "x"), "post_grad"),
    ],
)
def test_not_taken(edit: Edit, ending: str) -> None:
    assert f"“{ending}”" in why_not_taken(edit)
    assert why_not_taken(EditGroup("one", (edit,)))
