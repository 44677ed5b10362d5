"""The window beside a running program: what its processes tell arrives, and nothing of it can be run from here."""

import socket
from pathlib import Path

from PySide6.QtCore import Qt

from app.panes.run_pane import RunPane
from app.session.facade.session import Session
from compiler.analysis.running.listener import ENDED_UNREPORTED, Listener
from compiler.analysis.session_file.session_file import read_session
from compiler.model.protocol.run_events import BreakAt, GoOn, RunCaptured, RunEnded, RunStopped, RunWentOn
from tests.helpers.recorded_run import ScriptedProcess, Until, counted, recorded_capture
from tests.helpers.shown_widget import on_screen


def test_what_a_process_says_is_shown(listener: Listener, session: Session, until: Until, qtbot) -> None:
    with qtbot.waitSignal(session.run.began):
        session.run.follow(str(listener.place))
    assert session.run.waiting
    assert not session.run.rows
    process = ScriptedProcess(listener)
    process.emit(RunCaptured(recorded_capture()), counted(1.0, 3))
    until(lambda: session.capture is not None)
    assert len(session.capture.stages) == len(recorded_capture().stages)
    assert session.status_text == "Following the program"
    session.show_stage(session.capture.stages[3].id)
    before = session.stage
    process.emit(RunCaptured(recorded_capture(3)), counted(2.0, 9))
    until(lambda: session.capture is not None and len(session.capture.frames) == 3)
    assert session.stage == before, "what is looked at stays in front"
    process.emit(RunEnded())
    process.close()
    until(lambda: session.run.rows[0].story.ended == "")
    (row,) = session.run.rows
    assert (row.title, row.following) == ("process 4711", False)
    assert [sample.steps for sample in row.story.samples] == [3, 9]
    assert not session.run.following


def test_a_run_that_compiled_nothing_is_reported_so_at_its_end(
    session: Session, tmp_path: Path, qtbot
) -> None:
    """What follows was said as if none had run."""
    run, pane = Listener(tmp_path), RunPane(session)
    qtbot.addWidget(pane)

    def step() -> None:
        run.wait(0.0, lambda _: None)
        assert "nothing was compiled yet" in pane.empty.headline.text()

    session.run.follow(str(run.place))
    qtbot.waitUntil(step, timeout=20_000)
    run.wait(0.1, lambda _: None)
    run.close()
    qtbot.waitUntil(lambda: not session.run.waiting, timeout=20_000)
    assert pane.empty.headline.text() == "The program ended; nothing was compiled"
    assert "torch.compile was not called in it" in pane.empty.text.text()


def test_a_saved_run_says_its_story_again(
    listener: Listener, session: Session, until: Until, tmp_path: Path, qtbot
) -> None:
    session.run.follow(str(listener.place))
    process = ScriptedProcess(listener)
    process.emit(RunCaptured(recorded_capture(5)), counted(1.0, 3), counted(2.0, 7))
    until(lambda: bool(session.run.rows) and len(session.run.rows[0].story.samples) == 2)
    until(lambda: session.capture is not None)
    path = tmp_path / "run.loupe"
    with qtbot.waitSignal(session.file_changed):
        session.save_file(path)
        session.wait_for_files()
    process.close()
    story = read_session(path).captures[0].run
    assert (story.pid, len(story.samples), story.calls[0].calls) == (4711, 2, 7)
    session.open_file(path)
    session.wait_for_files()
    assert not session.run.waiting
    assert [row.title for row in session.run.rows] == ["process 4711"]


def test_each_process_has_a_row_and_can_be_shown(listener: Listener, session: Session, until: Until) -> None:
    session.run.follow(str(listener.place))
    first, second = ScriptedProcess(listener, 1, "0"), ScriptedProcess(listener, 2, "1")
    first.emit(RunCaptured(recorded_capture(2)))
    second.emit(RunCaptured(recorded_capture(4)))
    until(lambda: [row.capture is not None for row in session.run.rows] == [True, True])
    until(lambda: session.capture is not None)
    assert {row.title for row in session.run.rows} == {"rank 0", "rank 1"}
    for row, place in zip(session.run.rows, range(2), strict=True):
        session.run.show(place)
        assert len(session.capture.frames) == len(row.capture.frames)
    first.close()
    second.close()
    until(lambda: not session.run.following)
    assert {row.story.ended for row in session.run.rows} == {ENDED_UNREPORTED}


def test_a_process_is_stopped_and_let_go_on_from_the_window(
    listener: Listener, session: Session, until: Until, qtbot
) -> None:
    session.run.follow(str(listener.place))
    process = ScriptedProcess(listener)
    process.emit(RunCaptured(recorded_capture()), counted(1.0, 3))
    pane = on_screen(qtbot, RunPane(session))
    until(lambda: pane.stops.isVisible())
    assert not pane.stops.proceed.isVisible()
    pane.stops.menu.aboutToShow.emit()
    recompile = next(action for action in pane.stops.menu.actions() if "recompile" in action.text())
    recompile.toggle()
    heard: list[object] = []
    until(lambda: bool(heard.extend(process.heard()) or heard))
    assert heard == [BreakAt(("recompile",))]
    process.emit(RunStopped("recompile", "model is compiled again [0/1]: 0/0: self.step == 0", None))
    until(lambda: pane.stops.proceed.isVisible())
    assert pane.stops.text.text() == (
        "process 4711 waits at a recompile: model is compiled again [0/1]: 0/0: self.step == 0"
    )
    assert "waits for you" in pane.headline.text()
    qtbot.mouseClick(pane.stops.proceed, Qt.MouseButton.LeftButton)
    until(lambda: bool(heard.extend(process.heard()) or len(heard) == 2))
    assert heard[-1] == GoOn()
    process.emit(RunWentOn())
    until(lambda: not pane.stops.proceed.isVisible())
    late = ScriptedProcess(listener, 2)
    until(lambda: bool(heard.extend(late.heard()) or len(heard) == 3))
    assert heard[-1] == BreakAt(("recompile",)), "one that comes later stops there too"
    late.close()
    process.close()


def test_a_run_that_is_over_is_said(session: Session, tmp_path: Path, qtbot) -> None:
    """The pane said that no program ran by itself."""
    pane = RunPane(session)
    qtbot.addWidget(pane)
    with qtbot.waitSignal(session.problem_reported):
        session.run.follow(str(tmp_path / "nobody"))
    assert "over before this window" in session.problems[-1].what
    assert "nobody" in session.problems[-1].detail
    assert not session.run.waiting
    assert "over before this window" in pane.empty.headline.text()
    assert "-o FILE.loupe" in pane.empty.text.text()
    session.run.stop()
    assert not session.run.came_late


def test_another_program_ends_the_following(listener: Listener, session: Session, until: Until) -> None:
    session.run.follow(str(listener.place))
    process = ScriptedProcess(listener)
    process.emit(RunCaptured(recorded_capture()))
    until(lambda: session.capture is not None)
    session._on_captured(recorded_capture(2), again=False)
    assert not session.run.waiting
    process.close()


def test_a_window_that_does_not_read_holds_nobody_up(listener: Listener) -> None:
    """What a frozen window is sent waits in a thread; the program's own connection is read on."""
    from compiler.model.protocol.frames import encode
    from compiler.model.protocol.messages import Event
    from compiler.model.protocol.run_events import FollowRun

    frozen = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    frozen.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    frozen.connect(str(listener.place))
    frozen.sendall(encode(Event(FollowRun(0))))
    process = ScriptedProcess(listener)
    for number in range(300):
        process.emit(RunCaptured(recorded_capture(2 + number % 7)))
        while not listener.wait(0.01, lambda _: None):
            pass
    assert listener.lanes[0].capture is not None
    frozen.close()
    process.close()


def test_processes_out_of_reach_are_reported_in_the_window(
    listener: Listener, session: Session, until: Until, tmp_path: Path, qtbot
) -> None:
    """Before any process is recorded, while one is, and in the file of it."""
    pane = on_screen(qtbot, RunPane(session))
    session.run.follow(str(listener.place))
    listener.note_missed({77: "python -I worker.py"})
    until(lambda: bool(session.run.missed))
    until(lambda: "77  python -I worker.py" in pane.empty.text.text())
    assert "PYTHONPATH" in pane.empty.text.text()
    process = ScriptedProcess(listener)
    process.emit(RunCaptured(recorded_capture()), counted(1.0, 3))
    until(lambda: session.capture is not None and pane.missed.isVisible())
    listener.note_missed({77: "python -I worker.py", 78: "python -I other.py"})
    until(lambda: "78  python -I other.py" in pane.missed.text())
    process.emit(RunEnded())
    process.close()
    until(lambda: session.run.rows[0].story.ended == "")
    path = tmp_path / "run.loupe"
    with qtbot.waitSignal(session.file_changed):
        session.save_file(path)
        session.wait_for_files()
    (capture,) = read_session(path).captures
    assert [row.pid for row in capture.run.missed] == [77, 78]
    session.open_file(path)
    session.wait_for_files()
    assert not session.run.waiting
    assert "78  python -I other.py" in pane.missed.text()
    assert pane.missed.isVisible()
