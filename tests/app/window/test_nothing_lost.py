"""What was kept is asked about before it goes, and what was opened is found again."""

from pathlib import Path

import msgspec
import pytest

from app.session.facade.session import Session
from app.window import questions
from app.window.main_window import MainWindow
from app.window.start import recent_files
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.program_changes import SetConfig
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

KEPT = SetConfig("torch._dynamo.config.capture_scalar_outputs", True)


def _of(capture: Capture, **spec: object) -> Capture:
    return msgspec.structs.replace(capture, spec=msgspec.structs.replace(capture.spec, **spec))


def _answer(engine: FakeEngine, capture: Capture) -> None:
    body = engine.last(MakeCapture).body
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, id=body.id, spec=body.spec)))


@pytest.fixture
def kept(window: MainWindow, session: Session, engine: FakeEngine, qtbot) -> Session:
    """A program that was captured with a change that the person kept."""
    whole = sample_capture.capture()
    session.capture_target(whole.spec)
    _answer(engine, whole)
    assert not session.unsaved
    session.trials.kept.emit(_of(whole, changes=(KEPT,)).spec)
    _answer(engine, whole)
    qtbot.waitUntil(window.dock_area.panes["graph"].is_idle)
    return session


def test_kept_changes_are_not_dropped_without_a_question(
    window: MainWindow, kept: Session, monkeypatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(questions, "before_losing_edits", lambda parent: asked.append(parent) or "cancel")
    assert kept.unsaved
    window.close()
    assert window.isVisible()
    assert len(asked) == 1
    monkeypatch.setattr(questions, "before_losing_edits", lambda parent: "discard")
    window.close()
    assert not window.isVisible()


@pytest.mark.thorough
def test_kept_changes_that_a_file_holds_are_saved(kept: Session, tmp_path: Path, engine: FakeEngine) -> None:
    kept.save_file(tmp_path / "kept.loupe")
    kept.wait_for_files()
    assert not kept.unsaved
    kept.open_file(tmp_path / "kept.loupe")
    kept.wait_for_files()
    assert not kept.unsaved
    assert kept.capture.spec.changes == (KEPT,)


def test_a_program_is_remembered_by_its_whole_path_once_it_was_captured(
    window: MainWindow, session: Session, engine: FakeEngine, tmp_path: Path, qtbot
) -> None:
    (tmp_path / "model.py").write_text("")
    whole = sample_capture.capture()
    target = TargetSpec("model.py:Net", str(tmp_path), inputs="torch.randn(8, 128)")
    spec = CaptureSpec(target, run=RunOptions(training=True))
    session.capture_target(spec)
    engine.last(MakeCapture).fail("It does not load.")
    assert recent_files.recent() == ()
    session.capture_target(spec)
    _answer(engine, whole)
    (name,) = recent_files.recent()
    assert name == f"{tmp_path}/model.py:Net"
    assert recent_files.spec_of_recent(name) == spec, "it was opened with other inputs, and not in training"
    qtbot.waitUntil(window.dock_area.panes["graph"].is_idle)


def test_a_session_file_that_does_not_open_is_not_remembered(
    window: MainWindow, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "broken.loupe").write_bytes(b"no zip")
    window.open_recent(str(tmp_path / "broken.loupe"))
    session.wait_for_files()
    assert recent_files.recent() == ()
