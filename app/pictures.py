"""Pictures of the window and of every pane, from a session file, without a screen."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QBuffer, QCoreApplication, QEventLoop, QSize
from PySide6.QtGui import QPixmap

from app.engine_client.engine_client import EngineClient
from app.session.facade.session import Session
from app.theme import palette
from app.theme.colors import DARK, LIGHT
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.ids import place

_SIZE = QSize(1400, 900)
"""The window's, whatever the (virtual) screen: pictures of one session look the same everywhere."""
_PATIENCE_S = 60.0
_SETTLE_S = 0.4


def write_pictures(file: Path, out: Path, dark: bool = False) -> int:
    """Write ``window.png`` and a PNG of each pane into a folder; gives the exit status. The engine is not started."""
    out.mkdir(parents=True, exist_ok=True)
    app = application()
    palette.apply(app, DARK if dark else LIGHT)
    session = Session(EngineClient())
    window = MainWindow(session, ThemeChoice(app))
    try:
        window.show()
        window.resize(_SIZE)
        session.open_file(file)
        if not _wait(lambda: session.capture is not None or _failed(session)) or session.capture is None:
            why = (
                session.problems[-1].message() if session.problems else f"{file} could not be opened in time."
            )
            sys.stderr.write(f"loupe: {why}\n")
            return 1
        _select_something(session)
        _grab_all(window, out)
    finally:
        session.close()
        window.deleteLater()
    return 0


def _select_something(session: Session) -> None:
    """An edited node or the first call, so that the inspector and the links have something to show."""
    stage = session.stage
    graph = session.stage_with_edits(stage.id).graph if stage is not None else None
    if stage is None or graph is None:
        return
    edited = session.edited_nodes(stage.id)
    nodes = [
        node.id for node in graph.nodes if node.id in edited or (not edited and node.op.startswith("call"))
    ]
    if nodes:
        session.selection.select(place(stage.id, nodes[0]))


def _grab_all(window: MainWindow, out: Path) -> None:
    area = window.show_panes()
    area.reset_arrangement()
    _wait(lambda: _idle(window))
    _settle()
    _write(window.grab(), out / "window.png")
    for name, pane in area.panes.items():
        area.show_pane(name)
        _settle()
        _wait(lambda: _idle(window))
        _write(pane.grab(), out / f"{name}.png")
    _say(f"{len(area.panes) + 1} pictures in {out}")


def _write(picture: QPixmap, path: Path) -> None:
    """Raises OSError, which Qt's own writing keeps to itself."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    try:
        path.write_bytes(buffer.data().data())
    except OSError as error:  # a full disk is reported without the name
        raise OSError(error.errno, error.strerror, str(path)) from error


def _idle(window: MainWindow) -> bool:
    """Whether no pane is still laying out; a pane that works in the background says so by `is_idle`."""
    area = window.show_panes()
    checks = (getattr(pane, "is_idle", None) for pane in area.panes.values())
    return all(check() for check in checks if check is not None)


def _failed(session: Session) -> bool:
    return any(problem.severity is Severity.ERROR for problem in session.problems)


def _wait(done: Callable[[], bool]) -> bool:
    limit = time.monotonic() + _PATIENCE_S
    while not done() and time.monotonic() < limit:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        time.sleep(0.005)
    return done()


def _settle() -> None:
    limit = time.monotonic() + _SETTLE_S
    _wait(lambda: time.monotonic() > limit)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
