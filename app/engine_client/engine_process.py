"""The worker's process: how it is started, heard and ended."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from app.engine_client.worker_output import WorkerOutput
from compiler.model.protocol.crash_report import how_it_ended
from compiler.processes.worker_environment import worker_environment
from compiler.remote.machine import bridge_words, chosen

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
        return [sys.executable, "-P", "-m", "compiler.remote.bridge", *bridge_words(machine, socket)]
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

    def __init__(self, command: list[str], socket: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stdout = WorkerOutput()
        self._stderr = WorkerOutput()
        self._reason = ""
        self._asked_for = False
        self._over = False
        self._process = QProcess(self)
        self._process.setProgram(command[0])
        self._process.setArguments(command[1:])
        self._process.setWorkingDirectory(str(socket.parent))
        self._process.setProcessEnvironment(_environment(socket))
        if (
            sys.platform != "win32"
        ):  # its own session, so that the C++ compilers it starts can be ended with it
            parameters = QProcess.UnixProcessParameters()
            parameters.flags = QProcess.UnixProcessFlag.CreateNewSession
            self._process.setUnixProcessParameters(parameters)
        self._process.readyReadStandardOutput.connect(self._read_output)
        self._process.readyReadStandardError.connect(self._read_errors)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._kill_timer = QTimer(self, interval=_STACK_DELAY_MS, singleShot=True)
        self._kill_timer.timeout.connect(self._kill)

    @property
    def printed(self) -> str:
        """The last of its standard error."""
        return self._stderr.tail

    @property
    def id(self) -> int:
        """Its number; 0 before it runs."""
        return self._process.processId()

    def start(self) -> None:
        """Start it; `ended` comes in any case, sooner or later."""
        self._process.start()

    def end(self, reason: str, asked_for: bool = False) -> None:
        """Kill it for a reason ("was killed because it did not stop"), after it had time to print its stack."""
        if self._over or self._reason:
            return
        self._reason, self._asked_for = reason, asked_for
        if hasattr(signal, "SIGUSR1") and self._process.processId():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.processId(), signal.SIGUSR1)
        self._kill_timer.start()

    def finish(self) -> None:
        """Wait a moment for it to end after it was asked to, then kill it. Says nothing."""
        self._over = True
        self._kill_timer.stop()
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.waitForFinished(_GOOD_BYE_MS)
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._kill()
            self._process.waitForFinished(_GOOD_BYE_MS)

    def discard(self) -> None:
        """Kill it without waiting for anything; its guardian ends what it started. It says nothing any more, and is deleted
        when it is gone.
        """
        self._over = True
        self._kill_timer.stop()
        self.setParent(None)
        if self._process.state() is QProcess.ProcessState.NotRunning:
            self.deleteLater()
            return
        self._process.finished.connect(self.deleteLater)
        _DISCARDED.add(self)
        self.destroyed.connect(lambda: _DISCARDED.discard(self))
        self._kill()

    def _kill(self) -> None:
        process_id = self._process.processId()
        if process_id and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process_id, signal.SIGKILL)
        self._process.kill()

    def _read_output(self) -> None:
        self._tell(self._stdout.feed(bytes(self._process.readAllStandardOutput().data())))

    def _read_errors(self) -> None:
        self._tell(self._stderr.feed(bytes(self._process.readAllStandardError().data())))

    def _tell(self, text: str) -> None:
        if text:
            self.output_arrived.emit(text)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_output()
        self._read_errors()
        self._say_ended(how_it_ended(status is QProcess.ExitStatus.CrashExit, code))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._say_ended(f"could not be started ({self._process.errorString()})")

    def _say_ended(self, how: str) -> None:
        self._kill_timer.stop()
        if not self._over:
            self._over = True
            self.ended.emit(self._reason or how, self._asked_for)


def _environment(socket: Path) -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    inherited = {name: environment.value(name) for name in environment.keys()}  # noqa: SIM118  no dict
    for name, value in worker_environment(inherited, str(socket)).items():
        environment.insert(name, value)
    return environment
