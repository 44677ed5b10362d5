"""Graphs and texts of other front ends edited in the window, with the real worker and a process of its own for each capture."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from compiler.analysis.session_file.trusted_files import data_folder
from compiler.model.ir.ids import place
from tests.end_to_end.conftest import EXAMPLES, Desk

pytestmark = [pytest.mark.worker, pytest.mark.engine]

GRAPH, CODE = "fx:graph", "fx:code"


def targets(desk: Desk, stage: str) -> list[str]:
    graph = desk.session.stage_with_edits(stage).graph
    return [node.target for node in graph.nodes if node.op.startswith("call")]


def recompiled(desk: Desk) -> None:
    before = desk.session.capture
    desk.act("edit.recompile")
    desk.until(lambda: desk.session.capture is not before or desk.problem_texts() != [])
    desk.until(desk.settled)


@pytest.mark.thorough
def test_a_traced_graph_and_its_python_are_edited_judged_saved_and_opened(desk: Desk, tmp_path: Path) -> None:
    session = desk.session
    desk.capture("mlp_dropout.py:MLP", EXAMPLES, "fx")
    session.show_stage(GRAPH)
    desk.act("edit.remove_dropouts")
    session.selection.select(place(GRAPH, "relu"))
    desk.act("edit.wrap")
    naming = next(one for one in desk.window.findChildren(QDialog) if one.isVisible())
    desk.until(lambda: "It works" in naming.state.text())
    naming.apply_button.click()
    desk.until(desk.settled)
    session.undo()
    desk.act("edit.relu_to_gelu")
    recompiled(desk)
    assert desk.problem_texts() == []
    gelu = "torch.nn.functional.gelu"
    assert targets(desk, GRAPH) == targets(desk, "fx:again") == ["fc1", gelu, "fc2", gelu, "fc3"]
    assert "does what the graph says" in session.verdict.summary

    session.show_stage(CODE)
    desk.act("edit.as_text")
    code = desk.pane("code")
    code.editor.setPlainText(code.editor.toPlainText().replace("self.fc2(relu)", "self.fc2(relus)"))
    code.editing.apply()
    desk.until(lambda: desk.problem_texts() != [])
    desk.until(desk.settled)
    line = next(at for at, row in enumerate(code.editor.toPlainText().split("\n"), 1) if "relus" in row)
    assert session.problems_at(CODE, f"L{line}")
    session.undo()
    session.clear_problems()
    desk.until(lambda: desk.problem_texts() == [])
    session.undo()
    assert targets(desk, GRAPH) == ["fc1", "torch.relu", "fc2", "torch.relu", "fc3"]
    session.redo()
    assert not session.has_uncompiled_edits

    file = tmp_path / "edited.loupe"
    session.save_file(file)
    session.wait_for_files()
    (data_folder() / "trusted-files").unlink()  # as if somebody else had written it
    session.open_file(file)
    session.wait_for_files()
    desk.until(lambda: len(session.captures) == 2)
    assert len(session.edits) == 2
    assert "does what the graph says" in session.verdict.summary
    asked = []
    session.trust.confirm = lambda parts: bool(asked.append(parts))
    session.undo()
    desk.act("edit.recompile")
    assert len(asked) == 1
    assert "was not run" in desk.problem_texts()[-1]

    session.show_stage("fx:split")
    desk.window.actions_by_id.update()
    action = desk.window.actions_by_id.actions["edit.as_text"]
    assert not action.isEnabled()
    assert "made from the graph before it" in action.toolTip()
