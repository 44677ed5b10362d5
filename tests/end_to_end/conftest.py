"""A real window with a real worker. Every test gets its own of both and must leave neither behind."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.exceptions import TimeoutError as WaitedTooLong
from pytestqt.qtbot import QtBot

from app.engine_client.engine_client import EngineClient
from app.engine_client.forking_process import ForkingProcess
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.front_ends import DYNAMO
from tests.app.conftest import nothing_left_behind, own_folders
from tests.helpers.process_states import processes_below

__all__ = ["nothing_left_behind", "own_folders"]

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
PATIENCE_MS = 120_000


class Desk:
    """The window, its session, and what a person does with them."""

    def __init__(self, window: MainWindow, session: Session, qtbot: QtBot) -> None:
        self.window = window
        self.session = session
        self._qtbot = qtbot

    def pane(self, name: str) -> QWidget:
        """A pane, made if it is made late, and in front."""
        area = self.window.show_panes()
        area.show_pane(name)
        found = area.panes[name]
        self.until(lambda: getattr(found, "pane", found) is not None)
        return getattr(found, "pane", found)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until something is so; a test that waits too long fails, and says how things stood."""
        try:
            self._qtbot.waitUntil(done, timeout=PATIENCE_MS)
        except WaitedTooLong as late:
            raise AssertionError(f"{late}; {self.state()}") from late

    def state(self) -> str:
        """What the session is at, and each process below this one with its state and where it waits in the kernel."""
        session, guide = self.session, self.window.tours
        return (
            f"engine {session.engine_state} ({session.status_text}), capturing {session.capturing}, "
            f"running {session.run_requests.busy}, tour {guide and (guide.tour, guide.number, guide.card.state.text())}, "
            f"problems {self.problem_texts()}, processes {processes_below(os.getpid())}"
        )

    def settled(self) -> bool:
        """Whether the engine waits for the next wish."""
        return self.session.engine_state == "ready" and not self.session.busy

    def capture(self, target: str, folder: Path, front_end: str = DYNAMO) -> None:
        """Capture a program in training mode and wait for it."""
        before = self.session.capture
        self.session.capture_target(
            CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training=True), front_end=front_end)
        )
        self.until(lambda: self.session.capture is not before or self.problem_texts() != [])
        self.until(self.settled)

    def problem_texts(self) -> list[str]:
        """What was reported."""
        return [problem.message() for problem in self.session.problems]

    def act(self, action: str) -> None:
        """What a click on a menu entry does; the entry must be enabled."""
        self.window.actions_by_id.update()
        assert self.window.actions_by_id.actions[action].isEnabled(), f"{action} cannot be done now"
        self.window.actions_by_id.actions[action].trigger()

    def worker(self) -> int:
        """The process id of the worker; 0 before there is one."""
        engine = self.session.engine
        assert isinstance(engine, EngineClient)
        return 0 if engine._process is None else engine._process.id


@pytest.fixture
def desk(
    tmp_path: Path, qapp: QApplication, qtbot: QtBot, workers_are_forked: ForkingProcess
) -> Iterator[Desk]:
    """An empty window whose worker is starting."""
    with open_desk(EngineClient(forks=workers_are_forked), tmp_path, qapp, qtbot) as made:
        yield made


@contextlib.contextmanager
def open_desk(
    engine: EngineClient,
    folder: Path,
    qapp: QApplication,
    qtbot: QtBot,
    trial_engine: Callable[[], EngineClient] | None = None,
) -> Iterator[Desk]:
    """A window with this engine, closed at the end; journals go to the folder."""
    qapp.setOrganizationName("torch-loupe-tests")
    session = Session(engine, journals=folder / "journals", trial_engine=trial_engine)
    window = MainWindow(session, ThemeChoice(qapp))
    window.first_painted.connect(engine.start)
    window.show()
    yield Desk(window, session, qtbot)
    session.undo_stack.setClean()
    window.close()
    qtbot.waitUntil(lambda: engine.state == "stopped", timeout=PATIENCE_MS)
    window.deleteLater()
    session.deleteLater()
    engine.deleteLater()
