"""A model that fits no memory, in the real window with the real worker: opened, edited, saved, opened again."""

from pathlib import Path

import pytest

from app.session.edit_builders.from_selection import relu_to_gelu
from app.window.open_form.open_model_dialog import OpenModelDialog
from app.window.result_bar import ResultBar
from compiler.model.ir.stage import KernelStage
from tests.end_to_end.conftest import Desk

pytestmark = [pytest.mark.worker, pytest.mark.engine]

TERABYTES = """\
import torch

class Large(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(500_000, 500_000)
        self.second = torch.nn.Linear(500_000, 500_000)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))

def example_inputs():
    return (torch.randn(3_000_000, 500_000),)
"""


@pytest.mark.thorough
def test_opened_without_values_edited_saved_and_captured_again(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "large.py"
    file.write_text(TERABYTES)
    session = desk.session
    desk.window.open_model(file)
    dialog = desk.window.findChild(OpenModelDialog)
    dialog.compile.without_values.setChecked(True)
    dialog.compile.training.setCurrentIndex(1)
    dialog.buttons.accepted.emit()
    desk.until(lambda: session.capture is not None or desk.problem_texts() != [])
    desk.until(desk.settled)
    first = session.capture
    assert first.spec.without_values
    assert any("without values" in text for text in desk.problem_texts())
    assert desk.window.findChild(ResultBar).line.plain().endswith("without values")

    graph = session.stage_with_edits("0/0:dynamo").graph
    node = next(node.id for node in graph.nodes if "relu" in node.target)
    session.make_edit(relu_to_gelu("0/0:dynamo", graph, node))
    desk.act("edit.recompile")
    desk.until(lambda: session.capture is not first)
    desk.until(desk.settled)
    edited = session.capture
    kernels = edited.stage("0/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    assert any("gelu" in kernel.name for kernel in kernels.kernels.kernels)
    assert session.verdict is None, "nothing of it ran"

    kept = tmp_path / "large.loupe"
    session.save_file(kept)
    session.wait_for_files()
    session.open_file(kept)
    session.wait_for_files()
    opened = session.capture
    assert opened.spec.without_values
    assert desk.window.findChild(ResultBar).line.plain().endswith("without values")
    session.capture_again()
    desk.until(lambda: session.capture is not opened)
    desk.until(desk.settled)
    assert session.capture.spec.without_values
