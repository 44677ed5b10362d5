"""The wrapper is edited in the code pane: Python is asked for while one types, what is applied is one edit."""

import msgspec
import pytest

from app.panes.code_pane import CodePane
from compiler.model.edits.edits import ReplaceWrapper
from compiler.model.ir.stage import WrapperStage
from tests.helpers.sample_capture import WRAPPER, WRAPPER_TEXT


@pytest.fixture
def pane(shown, put):
    made = CodePane(shown)
    put(made, 900, 700)
    shown.show_stage(WRAPPER)
    return made


def type_in(pane: CodePane, text: str) -> None:
    pane.editor.setPlainText(text)
    pane.editing.check()


def test_a_changed_wrapper_is_one_edit(pane, shown):
    shown.asking.text_wanted.emit()
    assert pane.editing is pane.wrappers
    assert pane.editing.active
    assert not pane.editing.apply_button.isEnabled()
    assert "kernels whose source stays" in pane.editing.state.text()
    type_in(pane, WRAPPER_TEXT.replace("return (buf1, )", "return (buf1 * 2, )"))
    assert "It is Python" in pane.editing.state.text()
    pane.editing.apply()
    (edit,) = shown.edits
    assert isinstance(edit, ReplaceWrapper)
    assert "buf1 * 2" in pane.editor.toPlainText()
    assert shown.has_uncompiled_edits
    shown.undo()
    assert "buf1 * 2" not in pane.editor.toPlainText()


def test_a_syntax_error_stands_on_its_line(pane, shown):
    before = pane.editor.toPlainText()
    pane.begin_editing()
    type_in(pane, WRAPPER_TEXT.replace("return (buf1, )", "return (buf1, "))
    assert "Line 9" in pane.editing.state.text()
    pane.editing.apply()
    assert shown.edits == ()
    pane.editing.cancel()
    assert pane.editor.toPlainText() == before


def test_a_graph_is_edited_as_a_graph_after_that(pane, shown):
    pane.begin_editing()
    pane.editing.cancel()
    shown.show_stage("0/0:dynamo")
    pane.begin_editing()
    assert pane.editing is not pane.wrappers
    pane.editing.cancel()


def test_a_cpp_wrapper_says_why_not(pane, shown, monkeypatch):
    stage = shown.capture.stage(WRAPPER)
    assert isinstance(stage.content, WrapperStage)
    code = msgspec.structs.replace(stage.content.code, language="cpp")
    cpp = msgspec.structs.replace(stage, content=WrapperStage(code))
    monkeypatch.setattr(shown, "stage_with_edits", lambda stage_id: cpp)
    pane.fill()
    assert not pane.edit.isEnabled()
    assert "cpp_wrapper" in pane.edit.toolTip()
    pane.begin_editing()
    assert not pane.editing.active
