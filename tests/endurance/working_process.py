"""A window's session with a real worker that edits, recompiles, cancels, captures again and loses its worker, at random, until it is
killed: ``working_process.py FOLDER SEED``. Prints as `tests.helpers.editing_process` does, and ``killed`` for each worker killed.
"""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from PySide6.QtCore import QCoreApplication

from app.engine_client.engine_client import EngineClient
from app.session.facade.session import Session
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.edits.edits import EditError
from compiler.model.ir.stage import StageKind
from tests.helpers.editing_process import digest_of
from tests.helpers.random_edits import random_edit

_PATIENCE_S = 120
PROGRAM = """import torch
def f(x):
    return torch.tanh(torch.relu(x * 2.5) + x) * 0.5
def example_inputs():
    return (torch.ones(4, 4),)
"""


def main() -> None:
    folder, chance = Path(sys.argv[1]), Random(int(sys.argv[2]))
    app = QCoreApplication([])
    app.setOrganizationName("torch-loupe-tests")
    engine = EngineClient()
    session = Session(engine, journals=folder / "journals")
    engine.start()
    session.capture_target(CaptureSpec(TargetSpec("program.py:f", str(folder))))
    began = time.monotonic()
    while not session.captures:  # stages are shown as they come
        app.processEvents()
        time.sleep(0.005)
        if time.monotonic() - began > _PATIENCE_S:
            raise TimeoutError([problem.message() for problem in session.problems])
    for journal in session.recovery.recoverable()[:1]:
        session.recovery.recover(Path(journal.path))
    print("recovered", digest_of(session.states.tree), flush=True)
    number = 0
    while True:
        _step(session, engine, chance)
        until = time.monotonic() + chance.random() * 0.3
        while time.monotonic() < until:
            app.processEvents()
            time.sleep(0.002)
        number += 1
        print(number, digest_of(session.states.tree), "untold" if session.recovery.behind else "", flush=True)


def _step(session: Session, engine: EngineClient, chance: Random) -> None:
    match chance.choice(
        (
            "edit",
            "edit",
            "edit",
            "edit",
            "undo",
            "redo",
            "recompile",
            "recompile",
            "capture",
            "cancel",
            "kill",
        )
    ):
        case "edit":
            _edit(session, chance)
        case "undo":
            session.undo()
        case "redo":
            session.redo()
        case "recompile":
            if not session.busy and session.engine_state == "ready":
                session.recompile()
        case "capture":
            if not session.busy and session.engine_state == "ready":
                session.capture_target(CaptureSpec(TargetSpec("program.py:f", sys.argv[1])), again=True)
        case "cancel":
            engine.cancel()
        case "kill" if chance.random() < 0.5:
            _kill_worker(engine)


def _edit(session: Session, chance: Random) -> None:
    stage = session.captures[0].of_kind(StageKind.DYNAMO_GRAPH)[0]
    shown = session.stage_with_edits(stage.id)
    made = random_edit(chance, shown, shown.graph) if shown.graph is not None else None
    if made is not None:
        with contextlib.suppress(EditError):
            session.make_edit(made[1])


def _kill_worker(engine: EngineClient) -> None:
    """Where it was killed too often it is started again, as a person would."""
    if engine.state == "stopped":
        engine.start()
    elif engine._process is not None and engine._process.id:
        with contextlib.suppress(ProcessLookupError):
            os.kill(engine._process.id, signal.SIGKILL)
        print("killed", flush=True)


if __name__ == "__main__":
    main()
