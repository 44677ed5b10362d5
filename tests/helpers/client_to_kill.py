"""A client with a worker that executes a program, to be killed: ``client_to_kill.py KIND TARGET``.

The kinds are ``command``, ``target``, a command that compiles for an absent GPU, ``window``, ``spare``, ``still``, and
``forked``, a window whose workers are forked.

Prints the worker's process id and the client's private folder once the worker is up.
"""

import sys
import time
from pathlib import Path

from msgspec.structs import replace

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec  # noqa: E402
from compiler.model.ir.gpu_target import TARGETS  # noqa: E402
from compiler.model.protocol.messages import MakeCapture  # noqa: E402


def _command(body: MakeCapture) -> None:
    from compiler.command_line.trust_gate import TrustGate
    from compiler.command_line.worker_client import WorkerClient

    client = WorkerClient(lambda event: None, gate=TrustGate())
    client._start()
    print(client._process.pid, client._folder.path, flush=True)
    client.ask(body)


def _target(body: MakeCapture) -> None:
    _command(replace(body, spec=replace(body.spec, device=TARGETS["h100"])))


def _window(body: MakeCapture, spare: bool = False, still: bool = False, forked: bool = False) -> None:
    from PySide6.QtCore import QCoreApplication

    from app.engine_client.engine_client import EngineClient
    from app.engine_client.forking_process import ForkingProcess

    app = QCoreApplication([])
    engine = EngineClient(spare=spare, forks=ForkingProcess() if forked else None)
    engine.gate = lambda body: None
    engine.start()
    engine.send(body, lambda reply: None, lambda failure: None)
    assert engine._process is not None
    while not engine._process.id:
        app.processEvents()
    print(engine._process.id, engine._folder, flush=True)
    reported = not spare
    while True:
        if (ready := engine._spare) is not None and ready.process.id:
            ready.stand_still(still=still)
            if not reported and ready._still == still:
                print(ready.process.id, flush=True)
                reported = True
        app.processEvents()
        time.sleep(0.01)


def _spare(body: MakeCapture) -> None:
    """Prints the spare worker's process id too, once it was started."""
    _window(body, spare=True)


def _still(body: MakeCapture) -> None:
    """The same, with the spare stopped as early as the window does it."""
    _window(body, spare=True, still=True)


def _forked(body: MakeCapture) -> None:
    _window(body, forked=True)


if __name__ == "__main__":
    kind, target = sys.argv[1:]
    kinds = {
        "command": _command,
        "target": _target,
        "window": _window,
        "spare": _spare,
        "still": _still,
        "forked": _forked,
    }
    kinds[kind](MakeCapture(CaptureSpec(TargetSpec(target)), "c"))
