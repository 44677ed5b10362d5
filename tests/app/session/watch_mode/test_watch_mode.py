"""Watch mode: saved, captured again, with everything of the person's that still has a meaning."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.program_changes import ReplaceSource, SetConfig
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import place
from compiler.model.ir.programs import SourceFile
from compiler.model.ir.stage import FxStage, SourceStage, Stage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import DYNAMO, POST_GRAD, PROGRAM, SOURCE, args, capture

replace = msgspec.structs.replace
EDIT = ReplaceTarget(DYNAMO, "z", "call_function", "torch.nn.functional.gelu", args("y"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(PROGRAM)
    return path


def _of(file: Path, text: str = PROGRAM, change: Callable[[Stage], Stage] = lambda stage: stage) -> Capture:
    """The sample as a capture of a real file."""
    base = capture()
    stages = tuple(
        replace(stage, content=SourceStage(SourceFile(str(file), text)))
        if stage.id == SOURCE
        else change(stage)
        for stage in base.stages
    )
    return replace(base, stages=stages, spec=CaptureSpec(TargetSpec("model.py:model", str(file.parent))))


def _without_relu(stage: Stage) -> Stage:
    if stage.id != DYNAMO or stage.graph is None:
        return stage
    nodes = [node for node in stage.graph.nodes if node.id != "z"]
    nodes = [replace(node, args=args("y", 2)) if node.id == "mul" else node for node in nodes]
    return replace(stage, content=FxStage(Graph(tuple(nodes))))


@pytest.fixture
def watching(session: Session, engine: FakeEngine, file: Path) -> Session:
    made = _of(file)
    open_capture(session, made)
    session.watch.set_on(True)
    return session


def _answer(engine: FakeEngine, made: Capture) -> None:
    asked = engine.last(MakeCapture)
    asked.reply(CaptureMade(replace(made, id=asked.body.id)))


def _save(file: Path, text: str, engine: FakeEngine, qtbot: QtBot) -> None:
    asked = engine.count(MakeCapture)
    file.write_text(text)
    qtbot.waitUntil(lambda: engine.count(MakeCapture) == asked + 1)


def test_saving_captures_again_and_says_what_changed(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    old = watching.capture
    watching.show_stage(POST_GRAD)
    watching.selection.select(place(SOURCE, "L6"))
    _save(file, "# more\n" + PROGRAM, engine, qtbot)
    assert watching.watch.working == (str(file),)
    assert watching.capture is old
    with qtbot.waitSignal(watching.changes.changed):
        _answer(engine, replace(_of(file, "# more\n" + PROGRAM), breaks=()))
    assert watching.capture is not old
    assert watching.changes.before is old
    assert watching.changes.words == "1 graph break gone"
    assert watching.changes.new_lines(str(file)) == {1}
    assert watching.changes.is_changed(SOURCE)
    assert not watching.changes.is_changed(POST_GRAD)
    assert watching.watch.working == ()
    assert watching.stage.id == POST_GRAD
    assert watching.selection.pinned == place(SOURCE, "L7")


def test_a_node_that_is_gone_leaves_its_line_selected(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    watching.show_stage(DYNAMO)
    watching.selection.select(place(DYNAMO, "z"))
    _save(file, "\n" + PROGRAM, engine, qtbot)
    _answer(engine, _of(file, "\n" + PROGRAM, _without_relu))
    assert watching.selection.pinned == place(SOURCE, "L7")


def test_a_newer_save_takes_the_place_of_an_older_capture(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    _save(file, PROGRAM + "# 1\n", engine, qtbot)
    first = engine.last(MakeCapture)
    _save(file, PROGRAM + "# 2\n", engine, qtbot)
    assert first.replaced
    first.reply(CaptureMade(_of(file, PROGRAM + "# 1\n")))
    assert not watching.changes.words
    _answer(engine, _of(file, PROGRAM + "# 2\n"))
    assert watching.changes.new_lines(str(file)) == {8}


@pytest.mark.thorough
def test_a_broken_file_leaves_the_old_capture_with_one_problem(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    old = watching.capture
    made = len(watching.problems)
    for text in ("def model(", "def model(x"):
        _save(file, text, engine, qtbot)
        engine.last(MakeCapture).fail(f"Could not load it: {text}")
    assert watching.capture is old
    assert watching.watch.failed == (str(file),)
    (reported,) = watching.problems[made:]
    assert reported.what == "Could not load it: def model(x"
    assert reported.remedy == "What is shown is the capture before."
    _save(file, PROGRAM, engine, qtbot)
    assert watching.watch.failed == ()
    _answer(engine, _of(file))
    assert len(watching.problems) == made


def test_a_program_that_gives_nothing_to_show_counts_as_broken(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    old = watching.capture
    _save(file, PROGRAM + "raise\n", engine, qtbot)
    empty = replace(_of(file), stages=_of(file).stages[:1], problems=(Problem("It raised."),))
    _answer(engine, empty)
    assert watching.capture is old
    assert watching.problems[-1].what == "It raised."


def test_saving_does_not_stop_another_program_from_being_opened(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    watching.capture_target(CaptureSpec(TargetSpec("other.py:f", "/")))
    asked = engine.count(MakeCapture)
    file.write_text(PROGRAM + "#\n")
    qtbot.wait(600)
    assert engine.count(MakeCapture) == asked


def test_what_is_captured_differently_stays_but_for_the_text_that_was_saved(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    setting = SetConfig("torch._dynamo.config.capture_scalar_outputs", True)
    text = ReplaceSource(str(file), "def model(x, w): return x")
    root = watching.capture
    watching.capture_target(replace(root.spec, changes=(setting, text)))
    _save(file, PROGRAM + "#\n", engine, qtbot)
    body = engine.last(MakeCapture).body
    assert body.spec.changes == (setting,)


def test_edits_that_fit_are_made_again(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    watching.make_edit(EDIT)
    _save(file, PROGRAM + "# more\n", engine, qtbot)
    _answer(engine, _of(file, PROGRAM + "# more\n"))
    assert watching.edits == (EDIT,)
    assert watching.changes.carried == (EDIT,)
    assert watching.unsaved
    graph = watching.stage_with_edits(DYNAMO).graph
    assert graph.node("z").target == "torch.nn.functional.gelu"


def test_edits_that_do_not_fit_are_reported_and_can_be_recovered(
    watching: Session, engine: FakeEngine, file: Path, qtbot: QtBot
) -> None:
    other = ReplaceTarget(DYNAMO, "mul", "call_function", "torch.add", args("l_x_", "l_x_"))
    watching.make_edit(EDIT)
    watching.make_edit(other)
    _save(file, PROGRAM + "# more\n", engine, qtbot)
    _answer(engine, _of(file, PROGRAM + "# more\n", _without_relu))
    assert watching.edits == (other,)
    reported = watching.problems[-1]
    assert reported.what.startswith(
        "1 of 2 edits does not fit the program as it is now: z: call torch.nn.functional.gelu"
    )
    assert "journal" in reported.remedy

    _save(file, PROGRAM, engine, qtbot)
    _answer(engine, _of(file))
    watching.undo()
    assert watching.edits == ()
    (journal,) = watching.recovery.recoverable()
    watching.recovery.recover(Path(journal.path))
    assert watching.edits == (EDIT, other)


def test_a_program_that_changed_while_its_session_was_closed_takes_the_edits_along(
    watching: Session, engine: FakeEngine, file: Path
) -> None:
    """A worker that is new captures again before it can work; what it gives then is shown, not what the file says."""
    other = ReplaceTarget(DYNAMO, "mul", "call_function", "torch.add", args("l_x_", "l_x_"))
    watching.make_edit(EDIT)
    watching.make_edit(other)
    engine.die()
    watching.recompile()
    _answer(engine, _of(file, PROGRAM, _without_relu))
    assert engine.count(Recompile) == 0
    assert watching.edits == (other,)
    reported = [problem.what for problem in watching.problems]
    assert any("z is gone" in text for text in reported)
    assert any("gives other graphs now" in text for text in reported)
    watching.recompile()
    body = engine.last(Recompile).body
    assert body.edits == (other,)


def test_a_strangers_file_is_never_run_unasked(
    watching: Session, engine: FakeEngine, file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "s.loupe"
    write_session(path, SessionData((_of(file),)))
    watching.open_file(path)
    watching.wait_for_files()
    assert not watching.watch.on
    watching.trust.confirm = lambda _parts: False
    watching.watch.set_on(True)
    assert not watching.watch.on
    asked = engine.count(MakeCapture)
    file.write_text("x")
    qtbot.wait(500)
    assert engine.count(MakeCapture) == asked
    watching.trust.confirm = lambda _parts: True
    watching.watch.set_on(True)
    _save(file, PROGRAM + "#\n", engine, qtbot)


def test_capturing_by_hand_is_compared_too_but_starts_afresh(
    watching: Session, engine: FakeEngine, file: Path
) -> None:
    watching.make_edit(EDIT)
    watching.capture_again()
    _answer(engine, replace(_of(file), breaks=()))
    assert watching.edits == ()
    assert watching.changes.words == "1 graph break gone"
    watching.capture_target(CaptureSpec(TargetSpec("other.py:f", "/")))
    _answer(engine, replace(_of(file), spec=CaptureSpec(TargetSpec("other.py:f", "/"))))
    assert watching.changes.diff is None
