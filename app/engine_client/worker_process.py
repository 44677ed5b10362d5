"""One process of a worker, started or forked: what is the same of both."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QSocketNotifier, Signal

from app.engine_client.forking_process import ForkingProcess
from compiler.processes.fork_server import LARGEST_REPLY, Ordered
from compiler.processes.started import worker_environment

_READ_BYTES, _READS_AT_ONCE = 1 << 16, 16


class WorkerProcess(QObject):
    """Says what it prints and, once, that it ended."""

    printed = Signal(bytes, bool)
    """What, and whether on its standard error."""
    ended = Signal(int, bool)
    """Its exit status, or the number of the signal that ended it, and whether it was a signal."""
    failed = Signal(str)
    """It never began, and why."""

    @property
    def id(self) -> int:
        """Its number; 0 before it runs."""
        raise NotImplementedError

    @property
    def running(self) -> bool:
        """Whether it was begun and has not ended."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin it."""
        raise NotImplementedError

    def kill(self) -> None:
        """SIGKILL for it."""
        raise NotImplementedError

    def wait(self, milliseconds: int) -> None:
        """Until it ends, at most so long."""
        raise NotImplementedError

    def hurry(self) -> None:
        """Somebody waits for it now."""


class CommandProcess(WorkerProcess):
    """Of any command."""

    def __init__(self, command: list[str], socket: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
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
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def id(self) -> int:
        return self._process.processId()

    @property
    def running(self) -> bool:
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def start(self) -> None:
        self._process.start()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, milliseconds: int) -> None:
        self._process.waitForFinished(milliseconds)

    def _read(self) -> None:
        for read, from_errors in (
            (self._process.readAllStandardOutput, False),
            (self._process.readAllStandardError, True),
        ):
            if data := bytes(read().data()):
                self.printed.emit(data, from_errors)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self.ended.emit(code, status is QProcess.ExitStatus.CrashExit)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.failed.emit(self._process.errorString())


class ForkedProcess(WorkerProcess):
    """Of a worker, by the forking process, which may not be ready yet. `failed` where that gives none."""

    def __init__(
        self,
        forks: ForkingProcess,
        command: list[str],
        socket: Path,
        parent: QObject | None = None,
        hurried: bool = True,
    ) -> None:
        super().__init__(parent)
        self._forks, self._command, self._socket = forks, command, socket
        self._hurried = hurried
        self._id = 0
        self._ordered: Ordered | None = None
        self._descriptors: list[int] = []
        self._notifiers: list[QSocketNotifier] = []

    @property
    def id(self) -> int:
        return self._id if self.running else 0

    @property
    def running(self) -> bool:
        return self._ordered is not None

    def start(self) -> None:
        reads, writes = os.pipe()
        self._descriptors.append(writes)  # closed when we are gone, which its guardian hears
        try:
            self._ordered = self._forks.order(self._command, self._socket, reads)
        finally:
            os.close(reads)
        if self._ordered is None:
            self._let_go()
            self.failed.emit("no worker can be forked")
            return
        if self._hurried:
            self.hurry()
        self._ordered.life.setblocking(False)
        os.set_blocking(self._ordered.output, False)
        self._output = self._notify(self._ordered.output, self._read)
        self._notify(self._ordered.life.fileno(), self._hear)

    def hurry(self) -> None:
        if self._ordered is not None and not self._id:
            self._forks.expect(self)

    def kill(self) -> None:
        if self._ordered is None:
            return
        if self._id:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._id, signal.SIGKILL)
        else:  # not born yet: its guardian will find that nobody holds its pipe
            self._end(int(signal.SIGKILL), by_signal=True)

    def wait(self, milliseconds: int) -> None:
        if self._ordered is not None and self._id:
            self._forks.expect(self)
            select.select([self._ordered.life], [], [], milliseconds / 1000)
            self._hear()

    def _hear(self) -> None:
        """Its number, or its end."""
        if self._ordered is None:
            return
        try:
            reported = self._ordered.life.recv(LARGEST_REPLY)
        except BlockingIOError:
            return
        except OSError:
            reported = b""
        if reported and not self._id:
            self._id = int(reported)
            self._forks.has_forked = True
            self._forks.expect_no_more(self)
            with contextlib.suppress(OSError):  # it ended by now
                self._descriptors.append(os.pidfd_open(self._id))
                self._gone = self._notify(self._descriptors[-1], self._on_gone)
        elif self._id:  # without a word where the forking process ended, which its guardian ends all with
            status = int(reported) if reported else -int(signal.SIGKILL)
            self._end(abs(status), by_signal=status < 0)
        else:
            self._let_go()
            self.failed.emit("no worker can be forked")

    def _on_gone(self) -> None:
        """How, the forking process tells, unless it stands still."""
        self._gone.setEnabled(False)
        self._forks.expect(self)

    def _notify(self, descriptor: int, hear: Callable[[], None]) -> QSocketNotifier:
        notifier = QSocketNotifier(descriptor, QSocketNotifier.Type.Read, self)
        notifier.activated.connect(hear)
        self._notifiers.append(notifier)
        return notifier

    def _read(self) -> None:
        for _ in range(_READS_AT_ONCE):
            if self._ordered is None:
                return
            try:
                data = os.read(self._ordered.output, _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                self._output.setEnabled(False)
                return
            self.printed.emit(data, True)

    def _end(self, status: int, by_signal: bool) -> None:
        self._read()
        self._let_go()
        self.ended.emit(status, by_signal)

    def _let_go(self) -> None:
        self._forks.expect_no_more(self)
        for notifier in self._notifiers:
            notifier.setEnabled(False)
            notifier.deleteLater()
        self._notifiers.clear()
        if self._ordered is not None:
            self._ordered.life.close()
            os.close(self._ordered.output)
            self._ordered = None
        while self._descriptors:
            os.close(self._descriptors.pop())


def _environment(socket: Path) -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    inherited = {name: environment.value(name) for name in environment.keys()}  # noqa: SIM118  no dict
    for name, value in worker_environment(inherited, str(socket)).items():
        environment.insert(name, value)
    return environment
