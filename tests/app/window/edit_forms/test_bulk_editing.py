import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog

from app.session.facade.session import Session
from app.window.edit_forms.paste_dialog import PasteDialog
from app.window.main_window import MainWindow
from compiler.model.edits.edits import BypassNode, EditGroup
from compiler.model.ir.ids import place
from compiler.model.ir.stage import FxStage
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.protocol.messages import ListOps, Preview, PreviewEdits
from tests.app.window.test_main_window import TANH, enabled
from tests.compiler.analysis.edits.test_equal_layers import model as layered
from tests.compiler.analysis.edits.test_equal_layers import to_gelu
from tests.helpers import sample_capture
from tests.helpers.opened_capture import open_capture

D = sample_capture.DYNAMO


def test_several_nodes_are_removed_at_once(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "z", "mul"))
    assert not enabled(window, "edit.arguments")
    window.actions_by_id.run("edit.remove")
    (group,) = session.edits
    assert isinstance(group, EditGroup)
    assert session.stage_with_edits(D).graph.node("output").inputs() == ("y",)


def test_copied_nodes_are_pasted_in_another_place(
    window: MainWindow, session: Session, engine, qtbot, captured
) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.copy")
    assert '"torch_loupe_fragment"' in QGuiApplication.clipboard().text()
    session.selection.select(place(D, "mul"))
    window.actions_by_id.run("edit.paste")
    dialog = window.findChild(PasteDialog)
    assert dialog.inputs["y"].currentData() == "y"
    assert dialog.results["z"].currentData() == "mul"
    dialog.inputs["y"].setCurrentIndex(0)
    assert not dialog.apply_button.isEnabled()
    assert "Choose what stands for y" in dialog.fault.text()
    dialog.inputs["y"].setCurrentIndex(dialog.inputs["y"].findData("mul"))
    qtbot.waitUntil(lambda: engine.count(PreviewEdits) == 1)
    engine.last(PreviewEdits).reply(Preview((), ()))
    assert "It fits" in dialog.fault.text()
    dialog.apply_button.click()
    graph = session.stage_with_edits(D).graph
    assert graph.node("z_1").inputs() == ("mul",)
    assert graph.node("output").inputs() == ("z_1",)


def test_cut_takes_away_and_other_text_is_no_fragment(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.cut")
    assert session.edits == (BypassNode(D, "z", "y"),)
    QGuiApplication.clipboard().setText("something else")
    window.actions_by_id.run("edit.paste")
    assert "holds no nodes" in session.problems[-1].what


def test_nodes_that_are_alike_are_selected(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "z"))
    for action in ("edit.select_same_call", "edit.select_same_operation", "edit.select_same_module"):
        window.actions_by_id.run(action)
        assert session.selection.pinned == place(D, "z")


@pytest.mark.thorough
def test_several_nodes_call_another_operation(window: MainWindow, session: Session, engine, captured) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.cut")
    session.undo()
    session.selection.select(place(D, "z", "mul"))
    assert not enabled(window, "edit.replace_target")
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.replace_target")
    engine.last(ListOps).reply(OpChoices("z", (TANH,)))
    window.findChild(object, "operation_dialog").list.chosen.emit(0)
    assert session.edits[-1].target == "torch.tanh"


@pytest.mark.thorough
def test_letters_typed_into_a_graph_are_no_shortcuts(
    window: MainWindow, session: Session, qtbot, captured
) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.as_text")
    code = window.dock_area.panes["code"].pane
    assert code.editing.active
    window.activateWindow()
    code.editor.go_to_line(2)
    code.editor.setFocus()
    qtbot.waitUntil(code.editor.hasFocus)
    before = code.editor.toPlainText()
    for key in (Qt.Key.Key_G, Qt.Key.Key_K, Qt.Key.Key_A, Qt.Key.Key_P, Qt.Key.Key_Delete):
        qtbot.keyClick(code.editor, key)
    assert code.editor.toPlainText() != before
    assert session.edits == ()
    assert not [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    qtbot.keyClick(code.editor, Qt.Key.Key_Escape)
    assert not code.editing.active
    assert code.editor.toPlainText() == before


def test_edits_of_a_layer_are_made_in_all_equal_ones(window: MainWindow, session: Session, captured) -> None:
    assert not enabled(window, "edit.equal_layers")
    graph = layered()
    stage = msgspec.structs.replace(session.stage, content=FxStage(graph))
    made = msgspec.structs.replace(sample_capture.capture(), stages=(stage,), links=(), frames=(), breaks=())
    open_capture(session, made)
    edit = to_gelu("relu_1", "linear_1")
    session.make_edit(edit)
    window.actions_by_id.run("edit.equal_layers")
    assert {session.stage_with_edits(D).graph.node(f"relu_{i}").target for i in range(3)} == {edit.target}
    assert len(session.edits) == 2
    session.undo()
    assert session.edits == (edit,)
    session.undo()
    session.make_edit(to_gelu("relu_1", "x"))
    window.actions_by_id.run("edit.equal_layers")
    assert len(session.edits) == 1
    assert "net.layers.0: the edit names x" in session.problems[-1].what
