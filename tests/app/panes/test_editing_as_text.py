"""The code pane of a graph is edited; what is typed becomes edits."""

import pytest
from PySide6.QtCore import Qt

from app.panes.code_pane import CodePane
from compiler.model.edits.edits import EditGroup
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import Preview, PreviewEdits

DYNAMO = "0/0:dynamo"


@pytest.fixture
def pane(shown, put):
    made = CodePane(shown)
    put(made, 900, 700)
    return made


def change(pane: CodePane, old: str, new: str) -> None:
    text = pane.editor.toPlainText()
    before, found, behind = text.rpartition(old)
    assert found
    pane.editor.setPlainText(before + new + behind)
    pane.editor.document().setModified(True)
    pane.editing.check()


def begin(pane: CodePane, qtbot) -> None:
    qtbot.mouseClick(pane.edit, Qt.MouseButton.LeftButton)
    assert pane.editing.active
    assert not pane.editor.isReadOnly()
    assert not pane.picker.isEnabled()


def test_a_changed_line_is_one_edit(pane, shown, engine, qtbot):
    begin(pane, qtbot)
    assert not pane.editing.apply_button.isEnabled()
    change(pane, "torch.relu(linear, dim=1)", "torch.tanh(linear)")
    engine.last(PreviewEdits).reply(Preview((), ()))
    assert "It works" in pane.editing.state.text()
    qtbot.mouseClick(pane.editing.apply_button, Qt.MouseButton.LeftButton)
    (group,) = shown.edits
    assert isinstance(group, EditGroup)
    assert group.label == "Edit 1 node as text"
    assert shown.stage_with_edits(DYNAMO).graph.node("relu").target == "torch.tanh"
    assert not pane.editing.active
    assert pane.editor.isReadOnly()
    assert "torch.tanh(linear)" in pane.editor.toPlainText()


def test_faults_are_underlined_on_their_lines(pane, shown, engine, qtbot):
    begin(pane, qtbot)
    change(pane, "torch.relu(linear, dim=1)", "torch.relu(nothing)")
    line = next(i for i, text in enumerate(pane.editor.toPlainText().split("\n"), 1) if "nothing" in text)
    (wave,) = pane.editor.extraSelections()
    assert wave.cursor.selectedText().startswith("nothing")
    assert wave.cursor.blockNumber() == line - 1
    assert "no node nothing" in pane.editor.marks_on(line)[0].tooltip
    assert f"Line {line}:" in pane.editing.state.text()
    assert not pane.editing.apply_button.isEnabled()
    pane.editing.apply()
    assert pane.editing.active
    assert shown.edits == ()
    qtbot.keyClick(pane.editor, Qt.Key.Key_Escape)
    assert not pane.editing.active
    assert pane.editor.extraSelections() == []
    assert "torch.relu(linear, dim=1)" in pane.editor.toPlainText()


def test_what_torch_refuses_is_reported_on_the_line_of_its_node(pane, engine, qtbot):
    begin(pane, qtbot)
    change(pane, "torch.relu(linear, dim=1)", "torch.rleu(linear)")
    problem = Problem("This torch has no 'torch.rleu'.", place=place(DYNAMO, "relu"))
    engine.last(PreviewEdits).reply(Preview((), (problem,)))
    lines = [number for number in range(1, 20) if pane.editor.marks_on(number)]
    assert ["rleu" in pane.editor.toPlainText().split("\n")[number - 1] for number in lines] == [True]
    pane.editing.cancel()


def test_what_is_typed_outlives_news_from_elsewhere(pane, shown, engine, qtbot):
    begin(pane, qtbot)
    change(pane, "torch.relu(linear, dim=1)", "torch.tanh(linear)")
    shown.show_stage("0/0:joint")
    shown.selection.select(place(DYNAMO, "linear"))
    shown.edits_changed.emit()
    shown.capture_changed.emit()
    assert "torch.tanh(linear)" in pane.editor.toPlainText()
    qtbot.keyClick(pane.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert shown.stage_with_edits(DYNAMO).graph.node("relu").target == "torch.tanh"


def test_only_graphs_that_can_be_edited_offer_it(pane, shown):
    assert pane.edit.isVisible()
    shown.show_stage("0/0:rewritten")
    assert not pane.edit.isVisible()
    shown.show_stage(DYNAMO)
    shown.asking.text_wanted.emit()
    assert pane.editing.active
    pane.editing.cancel()
