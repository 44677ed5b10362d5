"""Drives a real window with a real worker for pictures, and waits until what is to be seen is there."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, QStandardPaths

from app.engine_client.engine_client import EngineClient
from app.session.facade.session import Session
from app.window import questions
from app.window.application import application
from app.window.main_window import FIRST_SIZE, MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from tests.screenshots.small_png import write_small

_PATIENCE_S = 300.0
_SETTLE_S = 0.5


class StageHand:
    """One window at its usual size, with settings of its own."""

    def __init__(self, scratch: Path) -> None:
        questions.before_losing_edits = lambda *_: "discard"  # nobody is there to answer
        QStandardPaths.setTestModeEnabled(True)
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(scratch))
        self._app = application()
        looks = ThemeChoice(self._app)
        self.engine = EngineClient()
        self.session = Session(self.engine, journals=scratch / "journals", trial_engine=EngineClient)
        self.window = MainWindow(self.session, looks)
        self.window.set_look("light")
        self.window.first_painted.connect(self.engine.start)
        self.window.resize(FIRST_SIZE)
        self.window.show()
        self.until(lambda: self.engine.state == "ready")

    def close(self) -> None:
        """End the worker and the window."""
        self.session.undo_stack.setClean()
        self.window.close()
        self.until(lambda: self.engine.state == "stopped")

    def until(self, done: Callable[[], bool], patience: float = _PATIENCE_S) -> None:
        """Wait at most so many seconds. Raises TimeoutError."""
        limit = time.monotonic() + patience
        while not done():
            if time.monotonic() > limit:
                problems = "\n".join(problem.message() for problem in self.session.problems)
                raise TimeoutError(f"What was to be pictured did not come about.\n{problems}")
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
            # What a loop that is executed deletes by itself.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            time.sleep(0.005)

    def settle(self) -> None:
        """Let animations and layouts end."""
        limit = time.monotonic() + _SETTLE_S
        self.until(lambda: time.monotonic() > limit)
        graph = self.pane("graph")
        self.until(graph.is_idle)

    def pane(self, name: str) -> Any:
        """A pane, in front."""
        area = self.window.show_panes()
        area.show_pane(name)
        found = area.panes[name]
        self.until(lambda: getattr(found, "pane", found) is not None)
        return getattr(found, "pane", found)

    def capture(self, target: str, folder: Path) -> None:
        """Capture a program in training mode, and see to the graph."""
        self.capture_as_it_comes(target, folder)
        self.settle()

    def capture_as_it_comes(self, target: str, folder: Path) -> None:
        """Capture a program in training mode; the workspace is the one that comes up by itself."""
        before = self.session.capture
        spec = CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training=True))
        self.session.capture_target(spec)
        self.until(lambda: self.session.capture is not before and not self.session.busy)

    def act(self, action: str) -> None:
        """What a click on a menu entry does."""
        self.window.actions_by_id.run(action)
        self.until(lambda: not self.session.working)
        self.settle()

    def picture(self, path: Path) -> None:
        """Write what the window shows."""
        self.settle()
        write_small(self.window.grab().toImage(), path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
