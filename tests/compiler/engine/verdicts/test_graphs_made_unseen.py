"""An edit of one graph may give the next one what it was not compiled for: that the edit does so is said, and nothing of what then ran."""

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.analysis.text_format.verdict_headline import headline
from compiler.model.edits.edits import EditGroup

pytestmark = pytest.mark.engine


class Breaks(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        row = (x[0] * 2).expand(4, 8)
        torch._dynamo.graph_break()
        return torch.relu(row).cos() * 3.0


def test_the_edit_is_named_for_which_the_next_graph_does_not_run() -> None:
    captured = torch_loupe.capture(Breaks(), torch.randn(4, 8))
    first, second = (stage for stage in captured.stages if stage.id.endswith(":dynamo"))
    assert "* 2" in first.text or "2)" in first.text
    last = first.nodes[-2].id
    text = first.text.replace(f"return ({last},)", f"laid = {last}.contiguous()\n    return (laid,)")
    edits: list[EditGroup] = [first.edited(text), second.replace("relu", torch.nn.functional.gelu)]
    _, verdict = captured.edit(edits).recompile()
    assert verdict.right is None
    assert "after the edits" in verdict.summary, verdict.summary
    assert "first call only" not in str(verdict)
    assert headline(verdict.data).moved == ""
    assert verdict.data.after is None
