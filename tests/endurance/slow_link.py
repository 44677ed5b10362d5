"""A window whose worker speaks over a slow link that stalls and is cut: it answers meanwhile, and nothing is lost."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.engine_client.engine_client import EngineClient
from app.engine_client.engine_process import worker_command
from app.session.edit_history.journal import fingerprint
from app.session.facade.session import Session
from app.window.main_window import MainWindow
from app.window.theme_choice import ThemeChoice
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.stage import StageKind
from tests.endurance.event_loop import StandingStill
from tests.endurance.real_files import ROOT
from tests.endurance.report import Row
from tests.endurance.working_process import PROGRAM

_FULL_ROUNDS = 20
_ANSWER_S = 0.1
_PATIENCE_S = 150


class _Links:
    """Makes a proxy for each worker."""

    def __init__(self, lose: bool) -> None:
        self._lose = lose
        self.proxies: list[subprocess.Popen[bytes]] = []

    def command(self, socket: str) -> list[str]:
        """The worker's, to connect to the proxy."""
        slow = f"{socket}-slow"
        words = [
            sys.executable,
            "-m",
            "tests.endurance.link_proxy",
            slow,
            socket,
            *(["lose"] if self._lose else []),
        ]
        self.proxies.append(subprocess.Popen(words, cwd=ROOT))
        until = time.monotonic() + 20
        while not Path(slow).exists() and time.monotonic() < until:
            time.sleep(0.005)
        return worker_command(slow)

    def end(self) -> None:
        for proxy in self.proxies:
            proxy.kill()
            proxy.wait()


class _Desk:
    """What a person does at a window, and what must come of it."""

    def __init__(self, session: Session, engine: EngineClient, links: _Links, faults: list[str]) -> None:
        self._session, self._engine, self._links, self._faults = session, engine, links, faults
        self.recompiled = 0

    def until(self, done: Callable[[], bool]) -> bool:
        """Let the window work until something is so; False where it took too long."""
        end = time.monotonic() + _PATIENCE_S
        while not done() and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)
        return done()

    def round(self, number: int, spec: CaptureSpec, block: bool) -> str:
        """Capture, edit, recompile, lose the link. Gives what the capture is recognised by."""
        session, engine = self._session, self._engine
        capture = self._captured(spec)
        if capture is None or not capture.of_kind(
            StageKind.DYNAMO_GRAPH
        ):  # else what came before the link was lost
            self._faults.append(f"round {number}: {[problem.message() for problem in session.problems]}")
            session.clear_problems()
            return ""
        if block:
            time.sleep(0.3)
            QApplication.processEvents()
        stage = capture.of_kind(StageKind.DYNAMO_GRAPH)[0]
        relu = next(node for node in stage.graph.nodes if "relu" in node.id)
        session.make_edit(ReplaceTarget(stage.id, relu.id, "call_function", "torch.sigmoid", relu.args))
        session.recompile()
        if self.until(lambda: len(session.captures) > 1 and not session.busy):
            self.recompiled += 1
        else:
            self._faults.append(f"round {number}: what the edit compiles to never came")
        generation = engine.generation
        self._links.proxies[-1].kill()
        if not self.until(lambda: engine.generation > generation and engine.state == "ready"):
            self._faults.append(f"round {number}: no engine again after the link was cut")
        if len(session.states.tree.states) != 1:
            self._faults.append(f"round {number}: the edit was lost")
        engine._restarts.forgive()
        session.undo()
        session.undo_stack.setClean()
        session.clear_problems()
        return fingerprint(capture)

    def _captured(self, spec: CaptureSpec) -> Capture | None:
        session, before = self._session, self._session.capture
        session.capture_target(spec)
        self.until(lambda: (session.capture is not before or bool(session.problems)) and not session.busy)
        return session.capture if session.capture is not before else None


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """Capture, edit, recompile and cut the link, again and again. `planted`: ``lose`` bytes, or ``block`` the loop."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    app.setOrganizationName("torch-loupe-tests")
    (folder / "program.py").write_text(PROGRAM)
    links, faults = _Links(planted == "lose"), list[str]()
    engine = EngineClient(command=links.command)
    session = Session(engine, journals=folder / "journals")
    window = MainWindow(session, ThemeChoice(app))
    window.show()
    engine.start()
    desk = _Desk(session, engine, links, faults)

    rounds = max(round(_FULL_ROUNDS * scale), 1)
    spec = CaptureSpec(TargetSpec("program.py:f", str(folder)))
    desk.until(lambda: engine.state != "starting")
    loop, seen = StandingStill(), set[str]()
    try:
        for number in range(rounds):
            seen.add(desk.round(number, spec, planted == "block"))
    finally:
        session.undo_stack.setClean()
        window.close()
        desk.until(lambda: engine.state == "stopped")
        links.end()
        for thing in (window, session, engine):
            thing.deleteLater()
    if len(seen) > 1:
        faults.append(f"{len(seen)} captures of one program")
    if loop.worst > _ANSWER_S:
        faults.append(f"the window stood still for {loop.worst * 1000:.0f} ms")
    return Row(
        f"{rounds} captures and {desk.recompiled} recompiles over 50 ms, 1 MB/s with stalls, and as many cut links; the window never "
        f"waited for more than {loop.worst * 1000:.0f} ms (longest without an answer, its own work and other processes "
        f"included: {loop.worst_busy * 1000:.0f} ms)",
        tuple(faults),
    )
