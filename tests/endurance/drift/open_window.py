"""A window with a worker as a person has them, whose settings, journals and temporary files lie in a folder of the part's own."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication

from app.engine_client.engine_client import EngineClient
from app.engine_client.forking_process import ForkingProcess
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from tests.endurance.drift.process_counts import Counts, counts

PATIENCE_S = 300
"""A capture beside other work on both cores takes up to a minute."""


class OpenWindow:
    """The three of them, and what their processes hold."""

    def __init__(self, session: Session, engine: EngineClient, window: MainWindow, folder: Path) -> None:
        self.session, self.engine, self.window = session, engine, window
        self._folder = folder

    def until(self, done: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        """Let the window work until something is so; False where it took too long."""
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)
        return done()

    def settled(self) -> bool:
        """Whether nothing is asked of the worker."""
        return self.engine.state == "ready" and not self.session.busy

    def problems(self) -> list[str]:
        """What the window told."""
        return [problem.message() for problem in self.session.problems]

    def held(self) -> tuple[Counts, Counts]:
        """By the window with all files of both, and by the worker with those of the client's folder."""
        return counts(os.getpid(), self._folder), counts(self.engine._process.id, self.engine._folder)


@contextmanager
def open_window(folder: Path) -> Iterator[OpenWindow]:
    """Shown, its worker started; closed at the end. A spare worker gets ready as in the application."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    app.setOrganizationName("torch-loupe-tests")
    QStandardPaths.setTestModeEnabled(True)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder / "settings"))
    with _temporary_files_in(folder / "tmp"):
        forks = ForkingProcess()
        engine = EngineClient(spare=True, forks=forks)
        session = Session(
            engine, journals=folder / "journals", trial_engine=lambda: EngineClient(forks=forks)
        )
        window = MainWindow(session, ThemeChoice(app))
        window.resize(1400, 900)
        window.show()
        engine.start()
        made = OpenWindow(session, engine, window, folder)
        try:
            yield made
        finally:
            session.undo_stack.setClean()
            window.close()
            made.until(lambda: engine.state == "stopped")
            forks.close()
            for thing in (window, session, engine):
                thing.deleteLater()
            QApplication.processEvents()


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Of this process and of those that it starts."""
    folder.mkdir()
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"], tempfile.tempdir = str(folder), None
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        tempfile.tempdir = None
