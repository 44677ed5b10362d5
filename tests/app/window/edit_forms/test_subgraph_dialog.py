from app.session.facade.session import Session
from app.window.edit_forms.subgraph_dialog import RegionDialog
from app.window.main_window import MainWindow
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import Preview, PreviewEdits
from tests.app.window.test_main_window import enabled
from tests.helpers import sample_capture

D = sample_capture.DYNAMO


def test_a_part_is_named_extracted_and_inlined(
    window: MainWindow, session: Session, engine, qtbot, captured
) -> None:
    assert not enabled(window, "edit.extract")
    session.selection.select(place(D, "y", "z"))
    window.actions_by_id.run("edit.extract")
    dialog = window.findChild(RegionDialog)
    dialog.line.setText("1 bad name")
    assert not dialog.apply_button.isEnabled()
    assert "begins with a letter" in dialog.state.text()
    dialog.line.setText("layer")
    qtbot.waitUntil(lambda: engine.count(PreviewEdits) == 1)
    engine.last(PreviewEdits).reply(Preview((), ()))
    assert "It works" in dialog.state.text()
    dialog.apply_button.click()
    graph = session.stage_with_edits(D).graph
    assert graph.node("mul").inputs() == ("layer",)
    session.selection.select(place(D, "layer"))
    assert enabled(window, "edit.inline")
    window.actions_by_id.run("edit.inline")
    assert session.stage_with_edits(D).graph.node("mul").inputs() == ("z",)


def test_an_operator_takes_tensors_only(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "y", "mul"))
    window.actions_by_id.run("edit.wrap")
    dialog = window.findChild(RegionDialog)
    assert "stands between" in dialog.state.text()
    assert not dialog.apply_button.isEnabled()
    dialog.reject()
