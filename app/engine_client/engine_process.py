"""The worker's process: how it is started, heard and ended."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine_client.forking_process import ForkingProcess
from app.engine_client.worker_process import CommandProcess, ForkedProcess, WorkerProcess
from app.translation.texts import tr
from compiler.model.protocol.crash_report import how_it_ended
from compiler.model.protocol.worker_output import WorkerOutput
from compiler.remote.machine import bridge_arguments, chosen

_STACK_DELAY_MS = 300
"""Time for a stuck worker to print its stack before it is killed."""
_GOOD_BYE_MS = 1500

Command = Callable[[str], list[str]]
_DISCARDED: set["EngineProcess"] = set()
"""Processes that nobody waits for, until they are gone."""


def worker_command(socket: str) -> list[str]:
    """The command that starts the real worker, or what stands here for one on another machine. ``-P`` keeps the working folder
    out of its modules.
    """
    if (machine := chosen()) is not None:
        return [sys.executable, "-P", "-m", "compiler.remote.bridge", *bridge_arguments(machine, socket)]
    return [sys.executable, "-P", "-m", "compiler.worker", "--socket", socket]


def wait_for_discarded() -> None:
    """Let those end that nobody waited for; they were killed."""
    for process in tuple(_DISCARDED):
        process.finish()


class EngineProcess(QObject):
    """One life of a worker. Made again for each; says once that it ended."""

    output_arrived = Signal(str)
    ended = Signal(str, bool)
    """How it ended, in words, and whether that was asked for by the person."""

    def __init__(
        self,
        command: list[str],
        socket: Path,
        parent: QObject | None = None,
        forks: ForkingProcess | None = None,
        hurried: bool = True,
    ) -> None:
        super().__init__(parent)
        self._stdout = WorkerOutput()
        self._stderr = WorkerOutput()
        self._reason = ""
        self._requested = False
        self._over = False
        self._command, self._socket = command, socket
        self._process: WorkerProcess
        if forks is None:
            self._begin_as(CommandProcess(command, socket, self))
        else:
            self._begin_as(ForkedProcess(forks, command, socket, self, hurried))
        self._kill_timer = QTimer(self, interval=_STACK_DELAY_MS, singleShot=True)
        self._kill_timer.timeout.connect(self._kill)

    def _begin_as(self, process: WorkerProcess) -> None:
        self._process = process
        process.printed.connect(self._hear)
        process.ended.connect(self._on_ended)
        process.failed.connect(self._on_failed)

    @property
    def printed(self) -> str:
        """The last of its standard error; of a forked one, the last of all that it printed."""
        return self._stderr.tail

    @property
    def id(self) -> int:
        """Its number; 0 before it runs."""
        return self._process.id

    @property
    def is_forked(self) -> bool:
        """Whether it was not started of its own."""
        return isinstance(self._process, ForkedProcess)

    def start(self) -> None:
        """Start it; `ended` comes in any case, sooner or later."""
        self._process.start()

    def hurry(self) -> None:
        """Somebody waits for it now."""
        self._process.hurry()

    def end(self, reason: str, requested: bool = False) -> None:
        """Kill it for a reason ("was killed because it did not stop"), after it had time to print its stack."""
        if self._over or self._reason:
            return
        self._reason, self._requested = reason, requested
        if hasattr(signal, "SIGUSR1") and self.id:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.id, signal.SIGUSR1)
        self._kill_timer.start()

    def finish(self) -> None:
        """Wait a moment for it to end after it was asked to, then kill it. Says nothing."""
        self._over = True
        self._kill_timer.stop()
        if self._process.running:
            self._process.wait(_GOOD_BYE_MS)
        if self._process.running:
            self._kill()
            self._process.wait(_GOOD_BYE_MS)

    def discard(self) -> None:
        """Kill it without waiting for anything; its guardian ends what it started. It says nothing any more, and is deleted
        when it is gone.
        """
        self._over = True
        self._kill_timer.stop()
        self.setParent(None)
        if not self._process.running:
            self.deleteLater()
            return
        self._process.ended.connect(self.deleteLater)
        _DISCARDED.add(self)
        self.destroyed.connect(lambda: _DISCARDED.discard(self))
        self._kill()

    def _kill(self) -> None:
        if self.id and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.id, signal.SIGKILL)
        self._process.kill()

    def _hear(self, data: bytes, from_errors: bool) -> None:
        if text := (self._stderr if from_errors else self._stdout).feed(data):
            self.output_arrived.emit(text)

    def _on_ended(self, code: int, by_signal: bool) -> None:
        self._say_ended(how_it_ended(by_signal, code))

    def _on_failed(self, why: str) -> None:
        if self._over:
            return
        if isinstance(self._process, ForkedProcess) and not self._reason:
            self._process.deleteLater()
            self._begin_as(CommandProcess(self._command, self._socket, self))
            self._process.start()
        else:
            self._say_ended(tr("could not be started ({why})").format(why=why))

    def _say_ended(self, how: str) -> None:
        self._kill_timer.stop()
        if not self._over:
            self._over = True
            self.ended.emit(self._reason or how, self._requested)
