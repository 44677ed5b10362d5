"""Graphs of more nodes than are read in the window's thread, in front in every pane, with the real worker."""

from pathlib import Path

import pytest

from app.session.facade.prepared_stages import LARGE
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.edits.edits import BypassNode
from compiler.model.ir.ids import place
from tests.end_to_end.conftest import Desk

pytestmark = [pytest.mark.worker, pytest.mark.engine]

DYNAMO = "0/0:dynamo"
_DEEP = """
import torch


class Deep(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        for _ in range(260):
            x = x + torch.relu(self.linear(x) * 0.1)
        return x


def example_inputs():
    return (torch.randn(4, 8),)
"""


@pytest.mark.thorough
def test_a_large_graph_is_edited_compiled_and_taken_back(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(_DEEP)
    session = desk.session
    options = CompileOptions(
        backend="aot_eager"
    )  # Inductor takes minutes for so many, and the panes ask the same
    target, run = TargetSpec("deep.py:Deep", str(tmp_path)), RunOptions(training=True)
    session.capture_target(CaptureSpec(target, options, run))
    desk.until(lambda: session.capture is not None or desk.problem_texts() != [])
    desk.until(desk.settled)
    graph, code = desk.pane("graph"), desk.pane("code")
    session.show_stage(DYNAMO)
    assert session.stage.node_count > LARGE

    def on_show() -> bool:
        return graph.is_idle() and code.stage_id == session.stage.id and bool(code.editor.toPlainText())

    desk.until(on_show)
    before = session.stage_with_edits(DYNAMO).graph
    relu = next(node for node in before.nodes if node.target == "torch.relu")
    session.selection.select(place(DYNAMO, relu.id))
    session.make_edit(BypassNode(DYNAMO, relu.id, relu.inputs()[0]))

    def both_have(node: str) -> list[bool]:
        return [f"{node} = " in code.editor.toPlainText(), node in graph.view.scene_data.layout.where]

    # each pane is told when its part is ready
    desk.until(lambda: on_show() and both_have(relu.id) == [False, False])
    desk.until(desk.settled)
    desk.act("edit.recompile")
    desk.until(lambda: session.verdict is not None)
    desk.until(desk.settled)
    assert session.verdict.right is True
    assert desk.problem_texts() == []
    desk.until(on_show)

    session.undo()
    desk.until(lambda: on_show() and both_have(relu.id) == [True, True])
