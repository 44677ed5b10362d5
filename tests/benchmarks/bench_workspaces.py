"""How long a workspace takes to come up, with a large graph in front: until everything is painted."""

import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from app.actions.workspace_table import WORKSPACES
from app.session.facade.session import Session
from app.window.application import application
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.ir.stage import FxStage, Stage, StageKind
from tests.benchmarks.measuring import line
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.large_capture import large_capture, large_graph

_TURNS = 12


def main() -> None:
    """Open a graph of 10,000 nodes and go round the workspaces."""
    with tempfile.TemporaryDirectory() as scratch:
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, scratch)
        app = application()
        session = Session(FakeEngine(), journals=Path(scratch) / "journals")
        window = MainWindow(session, ThemeChoice(app))
        window.resize(1600, 1000)
        window.show()
        path = Path(scratch, "large.loupe")
        graph = FxStage(large_graph(10_000, 3))
        stages = (Stage("0/0:dynamo", StageKind.DYNAMO_GRAPH, "Dynamo graph", graph, "0/0"),)
        write_session(path, SessionData((msgspec.structs.replace(large_capture(), stages=stages),)))
        session.open_file(path)
        _settle(lambda: session.capture is not None)
        canvas = window.show_panes().panes["graph"]
        _settle(canvas.is_idle)
        times: dict[str, list[float]] = {row.id: [] for row in WORKSPACES}
        for turn in range(_TURNS + 2):
            for row in WORKSPACES:
                began = time.perf_counter()
                window.show_workspace(row.id)
                QApplication.processEvents()
                if turn > 1:  # panes are made the first time
                    times[row.id].append(time.perf_counter() - began)
                _settle(canvas.is_idle)
        for name, found in times.items():
            line(f"workspace {name}, 10,000 nodes", found, "ms", 1e3)
        session.undo_stack.setClean()
        window.close()


def _settle(done: object) -> None:
    began = time.monotonic()
    while not done() or time.monotonic() - began < 0.3:  # type: ignore[operator]
        QApplication.processEvents()
        time.sleep(0.005)
        if time.monotonic() - began > 120:
            raise TimeoutError


if __name__ == "__main__":
    main()
