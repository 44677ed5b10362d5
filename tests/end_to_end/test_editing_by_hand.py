"""One graph edited in every way the window has, with the real worker: as text, by form, by pattern, by transform."""

import pytest
from PySide6.QtWidgets import QDialog

from compiler.model.ir.ids import place
from compiler.model.ir.stage import StageKind
from tests.end_to_end.conftest import EXAMPLES, Desk

pytestmark = [pytest.mark.worker, pytest.mark.engine]

DYNAMO = "0/0:dynamo"


def dialog(desk: Desk) -> QDialog:
    return next(one for one in desk.window.findChildren(QDialog) if one.isVisible())


@pytest.mark.thorough
def test_a_graph_is_edited_in_every_way_and_judged_once(desk: Desk) -> None:
    session = desk.session
    desk.capture("mlp_dropout.py:MLP", EXAMPLES)
    session.show_stage(DYNAMO)
    graph = session.stage_with_edits(DYNAMO).graph
    dropouts = [node.id for node in graph.nodes if "dropout" in node.target]

    session.selection.select(place(DYNAMO, dropouts[0]))
    desk.act("edit.arguments")
    form = dialog(desk)
    desk.until(lambda: bool(form.form.fields))
    form.form.fields["p"].line.setText("0.25")
    desk.until(lambda: "as before" in form.outcome.text())
    form.apply_button.click()
    desk.until(desk.settled)

    desk.act("edit.as_text")
    code = desk.pane("code")
    text = code.editor.toPlainText()
    code.editor.setPlainText(
        text.replace("relu = torch.relu(linear)", "relu = torch.tanh(linear * 0.5).abs()", 1)
    )
    desk.until(lambda: "It works" in code.editing.state.text())
    code.editing.apply()

    relu = next(node for node in session.stage_with_edits(DYNAMO).graph.nodes if node.target == "torch.relu")
    session.selection.select(place(DYNAMO, relu.id, relu.inputs()[0]))
    desk.act("edit.pattern")
    patterns = desk.pane("patterns")
    desk.until(lambda: len(patterns.matches.chosen()) == 1)
    body = patterns.replacement.editor
    body.setPlainText(body.toPlainText().replace("torch.relu(", "torch.nn.functional.silu("))
    patterns.replacement.read()
    desk.until(lambda: "It works" in patterns.state.text())
    patterns.apply()
    desk.until(desk.settled)

    graph = session.stage_with_edits(DYNAMO).graph
    chosen = [node.id for node in graph.nodes if node.target in ("torch.tanh", "abs")]
    session.selection.select(place(DYNAMO, *chosen))
    desk.act("edit.wrap")
    naming = dialog(desk)
    desk.until(lambda: "It works" in naming.state.text())
    naming.apply_button.click()
    desk.until(desk.settled)

    desk.act("transform.probe_nan")
    looking = dialog(desk)
    desk.until(lambda: "It works" in looking.state.text())
    looking.apply_button.click()
    desk.until(desk.settled)
    assert len(session.edits) == 5
    assert desk.problem_texts() == []

    desk.act("edit.recompile")
    desk.until(lambda: session.verdict is not None)
    desk.until(desk.settled)
    assert desk.problem_texts() == []
    assert all(row.agrees is not False for row in session.verdict.comparisons if row.what == "edited")
    assert "All values of" in desk.pane("output").text.toPlainText()
    assert session.capture.readings
    kernels = [stage for stage in session.capture.stages if stage.kind is StageKind.POST_GRAD_GRAPH]
    assert any("loupe_made.operator" in node.target for stage in kernels for node in stage.graph.nodes)
