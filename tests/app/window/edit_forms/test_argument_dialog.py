from pathlib import Path

import pytest

from app.session.facade.session import Session
from app.window.edit_forms.answer_label import AnswerLabel
from app.window.edit_forms.argument_dialog import ArgumentDialog
from app.window.edit_forms.constant_dialog import ConstantDialog
from app.window.edit_forms.operation_dialog import OperationDialog
from app.window.main_window import MainWindow
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.edits.edits import EditGroup, InsertNode, ReplaceTarget
from compiler.model.edits.node_edits import SetArguments
from compiler.model.ir.arguments import NONE, ConstantArgument, MappingArgument, NodeArgument
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures, OpSignature, Parameter
from compiler.model.protocol.messages import ListOps, ListSignatures, Preview, PreviewEdits
from tests.app.window.test_main_window import TANH
from tests.helpers import sample_capture
from tests.helpers.captured_window import capture_sample

D = sample_capture.DYNAMO
SIGNATURE = OpSignature(
    "leaky(Tensor input, float slope=0.01, *, ScalarType? dtype=None)",
    (
        Parameter("input", "Tensor", "tensor", positional_only=True),
        Parameter("slope", "float", "float", default=ConstantArgument("float", "0.01"), required=False),
        Parameter(
            "dtype", "ScalarType?", "dtype", optional=True, default=NONE, required=False, keyword_only=True,
            choices=("torch.float32", "torch.bfloat16"),
        ),
    ),
)  # fmt: skip


def opened(window: MainWindow, session: Session, engine, qtbot) -> ArgumentDialog:
    capture_sample(window, session, qtbot)
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.arguments")
    dialog = window.findChild(ArgumentDialog)
    assert engine.last(ListSignatures).body == ListSignatures("capture-1", D, "z")
    engine.last(ListSignatures).reply(NodeSignatures("z", (SIGNATURE,)))
    return dialog


def test_arguments_are_typed_in_a_form(window: MainWindow, session: Session, engine, qtbot) -> None:
    dialog = opened(window, session, engine, qtbot)
    fields = dialog.form.fields
    assert [*fields] == ["input", "slope", "dtype"]
    assert fields["input"].text == "y"
    assert fields["slope"].line.placeholderText() == "0.01 (default)"
    assert not dialog.apply_button.isEnabled()
    fields["input"].line.setText("l_x_")
    fields["dtype"].line.setText("torch.bfloat16")
    assert dialog.apply_button.isEnabled()
    qtbot.waitUntil(lambda: engine.count(PreviewEdits) == 1)
    graph = sample_capture.dynamo_graph()
    engine.last(PreviewEdits).reply(Preview(((D, graph),), ()))
    assert "as before" in dialog.outcome.text()
    dialog.apply_button.click()
    named = MappingArgument((("dtype", ConstantArgument("dtype", "torch.bfloat16")),))
    assert session.edits == (SetArguments(D, "z", sample_capture.args("l_x_"), named),)


def test_what_cannot_be_given_is_reported_at_its_field(
    window: MainWindow, session: Session, engine, qtbot
) -> None:
    dialog = opened(window, session, engine, qtbot)
    fields = dialog.form.fields
    for name, text, words in (
        ("slope", "'a'", "must be a number"),
        ("slope", "[", "no Python"),
        ("input", "mul", "no node mul before"),
        ("input", "", "must be given"),
    ):
        before = fields[name].line.text()
        fields[name].line.setText(text)
        assert words in fields[name].fault.text()
        assert fields[name].fault.isVisible()
        assert not dialog.apply_button.isEnabled()
        fields[name].line.setText(before)
        assert not fields[name].fault.isVisible()
    dialog.reject()
    assert session.edits == ()


@pytest.mark.thorough
def test_what_does_not_work_is_reported_before_it_is_made(
    window: MainWindow, session: Session, engine, qtbot
) -> None:
    dialog = opened(window, session, engine, qtbot)
    dialog.form.fields["slope"].line.setText("2")
    qtbot.waitUntil(lambda: engine.count(PreviewEdits) == 1)
    engine.last(PreviewEdits).reply(Preview((), (Problem("z does not work after this edit: no."),)))
    assert "does not work" in dialog.outcome.text()
    dialog.reject()


def test_a_result_is_set_to_a_constant(window: MainWindow, session: Session, captured) -> None:
    session.selection.select(place(D, "z"))
    window.actions_by_id.run("edit.set_constant")
    dialog = window.findChild(ConstantDialog)
    dialog.line.setText("hello")
    assert not dialog.apply_button.isEnabled()
    dialog.line.setText("0.5")
    dialog.apply_button.click()
    (group,) = session.edits
    assert isinstance(group, EditGroup)
    (edit,) = group.edits
    assert isinstance(edit, ReplaceTarget)
    assert edit.target == "torch.full"
    assert [key for key, _ in edit.kwargs.items] == ["dtype", "device"]


def test_an_operation_is_put_before_a_node(window: MainWindow, session: Session, engine, captured) -> None:
    session.selection.select(place(D, "mul"))
    window.actions_by_id.run("edit.insert_before")
    assert engine.last(ListOps).body.node == "z"
    engine.last(ListOps).reply(OpChoices("z", (TANH,)))
    window.findChild(object, "operation_dialog").list.chosen.emit(0)
    (edit,) = session.edits
    assert isinstance(edit, InsertNode)
    graph = session.stage_with_edits(D).graph
    assert graph.node("mul").args.items[0] == NodeArgument("tanh")
    assert graph.node("tanh").inputs() == ("z",)


def test_what_the_engine_does_first_is_reported_where_one_waits(
    window: MainWindow, session: Session, engine, qtbot, tmp_path: Path
) -> None:
    """What was read from a file is captured before the engine can say what fits a node of it."""
    path = tmp_path / "saved.loupe"
    write_session(path, SessionData((sample_capture.capture(),)), own=True)
    window.open_path(path)
    qtbot.waitUntil(lambda: session.capture is not None and not session.busy)
    session.show_stage(D)
    session.selection.select(place(D, "z"))
    for action, kind, waiting in (
        ("edit.arguments", ArgumentDialog, "Looking up"),
        ("edit.replace_target", OperationDialog, "Looking for"),
    ):
        window.actions_by_id.run(action)
        dialog = window.findChild(kind)
        label = next(label for label in dialog.findChildren(AnswerLabel))
        assert label.text().startswith(waiting)
        assert "read from a file…" in label.text()
        assert session.status_text == "Capturing the program first: what is open was read from a file"
        label.setText("an answer")
        session.status_changed.emit()
        assert label.text() == "an answer"
        dialog.reject()
