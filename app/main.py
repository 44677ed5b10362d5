"""Builds the engine client, the session and the window: the only place that knows all of them."""

import faulthandler
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.engine_client.engine_client import EngineClient
from app.engine_client.forking_process import ForkingProcess
from app.session.facade.session import Session
from app.session.files.session_files import remove_once
from app.translation.language import install_language
from app.translation.texts import tr
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.pane_table import BROUGHT
from app.window.theme_choice import ThemeChoice
from compiler.analysis.gpu.targets import found_targets
from compiler.analysis.remedies import remedy_faults
from compiler.analysis.tours.tour import Tour
from compiler.analysis.transforms import found_transforms
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem
from compiler.processes.private_folder import sweep

_SIGNAL_CHECK_MS = 300


def run_window(
    opened: Path | None,
    spec: CaptureSpec | None,
    follow: str = "",
    once: bool = False,
    tour: Tour | None = None,
) -> int:
    """Show the window until it is closed; gives the exit status. `follow`: where a running program is told of. `once`: what is
    opened has no file of its own; it is removed when it is read, with its folder. `tour`: to begin with.
    """
    sweep()
    app = application()
    install_language(app)
    looks = ThemeChoice(app)
    looks.apply()
    forks = ForkingProcess()
    engine = EngineClient(spare=not follow, forks=forks)
    session = Session(engine, trial_engine=lambda: EngineClient(forks=forks))
    window = MainWindow(session, looks)
    window.restore_geometry()
    if follow:
        window.first_painted.connect(lambda: session.run.follow(follow))
    else:
        window.first_painted.connect(engine.start)
    if opened is not None:
        window.first_painted.connect(lambda: window.open_path(opened, once))
    elif spec is not None:
        window.first_painted.connect(lambda: session.open_program(spec))
    elif tour is not None:
        window.first_painted.connect(lambda: window.start_tour(tour))
    sys.excepthook = _error_reporter(session)
    loaded = found_transforms(), BROUGHT, found_targets()
    for fault in (*(row for found in loaded for row in found.faults), *remedy_faults()):
        session.report(fault)
    window.show()
    _let_ctrl_c_close(app, window)
    try:
        return app.exec()
    finally:
        session.close()
        forks.close()
        if once and opened is not None:  # never read
            remove_once(opened)


def _error_reporter(
    session: Session,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """A fault of our own, in any slot: say so with its traceback instead of ending or keeping silent."""

    def report_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        text = "".join(traceback.format_exception(kind, error, trace))
        what = tr("Torch Loupe itself failed: {name}: {error}").format(name=kind.__name__, error=error)
        session.report(Problem(what, tr("Save your work; please report this with the detail."), detail=text))

    return report_error


def _let_ctrl_c_close(app: QApplication, window: MainWindow) -> None:
    """Qt's loop lets Python handle signals only when Python runs, so a slow timer makes it run."""
    faulthandler.enable()
    close: Callable[..., None] = lambda *_: QTimer.singleShot(0, window.close)  # noqa: E731
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, close)
    if sys.platform != "win32":
        timer = QTimer(app, interval=_SIGNAL_CHECK_MS)
        timer.timeout.connect(lambda: None)
        timer.start()
