"""A second worker that has loaded what a capture needs and has run nothing of anybody's: the next program begins in it."""

import contextlib
import os
import signal
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.engine_client.connection import Connection
from app.engine_client.engine_process import Command, EngineProcess
from app.engine_client.forking_process import ForkingProcess
from compiler.model.protocol.messages import Event, Ready
from compiler.processes.guardian import guarded
from compiler.processes.started import stop

_LOOK_EVERY_MS = 20


class SpareWorker(QObject):
    """Gets ready while the other one has nothing to do, and stands still meanwhile: it disturbs no capture and no timing."""

    def __init__(
        self,
        command: Command,
        socket: Path,
        parent: QObject | None = None,
        forks: ForkingProcess | None = None,
    ) -> None:
        super().__init__(parent)
        self.torch_version = ""
        """Empty until it is ready."""
        self.ended = False
        self._still = self._wanted_still = False
        self._socket = str(socket)
        self.connection = Connection(socket, self)
        *before, option, path = command(str(socket))
        self.process = EngineProcess([*before, "--warm", option, path], socket, self, forks, hurried=False)
        self.connection.message_arrived.connect(self._hear)
        self.process.ended.connect(self._on_ended)

    def start(self) -> None:
        """Begin to get ready."""
        if self.connection.listen():
            self.process.start()
        else:
            self.ended = True

    def stand_still(self, still: bool) -> None:
        """Whether it makes way for somebody's work. It counts only until it is ready, since it does nothing then."""
        if still == self._still == self._wanted_still or self.ended or (still and self.torch_version):
            return
        self._wanted_still = still
        if (
            still and not guarded(self._socket).exists()
        ):  # stopped now, it would outlive a window that is killed
            QTimer.singleShot(_LOOK_EVERY_MS, self, self._try_again)
            return
        with contextlib.suppress(OSError):
            if not still and self.process.id:
                os.kill(self.process.id, signal.SIGCONT)
            elif still and self.process.id and not stop(self.process.id):
                QTimer.singleShot(_LOOK_EVERY_MS, self, self._try_again)
                return
        self._still = still

    def _try_again(self) -> None:
        if self._wanted_still:
            self.stand_still(still=True)

    def hand_over(self) -> tuple[Connection, EngineProcess]:
        """Its connection and its process, for whoever makes it the worker."""
        self.stand_still(still=False)
        self.process.hurry()
        self.connection.message_arrived.disconnect(self._hear)
        self.process.ended.disconnect(self._on_ended)
        return self.connection, self.process

    def end(self) -> None:
        """It is not needed."""
        self.ended = True
        self.connection.close()
        self.process.discard()

    def _hear(self, message: object) -> None:
        if isinstance(message, Event) and isinstance(message.body, Ready):
            self.torch_version = message.body.torch

    def _on_ended(self) -> None:
        self.ended = True
