"""The user's program edited in its pane: on a copy, checked while one types, tried or captured."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panes.source_pane import SourcePane
from app.session.facade.session import Session
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.program_changes import ReplaceSource
from compiler.model.protocol.messages import TryChanges
from tests.helpers.fake_engine import FakeEngine


@pytest.fixture
def pane(shown: Session, put: Callable[[QWidget], None]) -> SourcePane:
    made = SourcePane(shown)
    put(made)
    made.edit_button.click()
    return made


def type_over(pane: SourcePane, before: str, after: str) -> None:
    pane.editor.setPlainText(pane.editor.toPlainText().replace(before, after))
    pane.editing.check()


def test_what_is_no_python_is_reported_on_its_line(pane: SourcePane) -> None:
    assert not pane.editor.isReadOnly()
    assert not pane.editing.apply_button.isEnabled()
    type_over(pane, "def forward", "def forward forward")
    assert "invalid syntax" in pane.editing.state.text() or "expected" in pane.editing.state.text()
    assert pane.editing.state.text().startswith("Line ")
    assert not pane.editing.apply_button.isEnabled()
    assert not pane.editing.try_button.isEnabled()


def test_the_program_is_captured_with_the_text(pane: SourcePane, shown: Session) -> None:
    kept: list[CaptureSpec] = []
    shown.trials.kept.connect(kept.append)
    before = pane.editor.toPlainText()
    type_over(pane, "relu", "gelu")
    assert "changed. The file on disk stays as it is." in pane.editing.state.text()
    pane.editing.apply()
    (spec,) = kept
    (change,) = spec.changes
    assert isinstance(change, ReplaceSource)
    assert change.text == before.replace("relu", "gelu")
    assert change.on_disk
    assert "edited" in change.title
    assert pane.editor.isReadOnly()
    assert pane.editor.toPlainText() == before  # until the capture is there


def test_a_text_is_tried_beside_the_program(
    shown: Session, put: Callable[[QWidget], None], qtbot: QtBot
) -> None:
    engine = FakeEngine()
    shown.trials.worker.make_engine = lambda: engine
    pane = SourcePane(shown)
    put(pane)
    pane.edit_button.click()
    type_over(pane, "relu", "gelu")
    pane.editing.try_button.click()
    (change,) = engine.last(TryChanges).body.changes
    assert isinstance(change, ReplaceSource)
    assert shown.trials.running
    engine.last(TryChanges).fail("enough")


def test_escape_gives_up_and_nothing_else_disturbs(pane: SourcePane, shown: Session, qtbot: QtBot) -> None:
    before = pane.editor.toPlainText()
    type_over(pane, "relu", "gelu")
    shown.capture_changed.emit()  # a recompile arrives meanwhile
    assert "gelu" in pane.editor.toPlainText()
    qtbot.keyClick(pane.editor, Qt.Key.Key_Escape)
    assert pane.editor.toPlainText() == before
    assert pane.editor.isReadOnly()
    assert pane.edit_button.isEnabled()
