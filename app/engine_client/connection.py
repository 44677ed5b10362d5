"""The socket that a worker connects to."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer

from app.engine_client.message_stream import MessageStream


class Connection(MessageStream):
    """One worker's connection: listens, and takes the first that comes."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)

    def listen(self) -> bool:
        """Wait for the worker. False where the socket cannot be made."""
        return self._server.listen(str(self.path))

    @property
    def error(self) -> str:
        """Why `listen` failed."""
        return self._server.errorString()

    def close(self) -> None:
        """Hear and accept nothing any more."""
        self._server.close()
        super().close()

    def _accept(self) -> None:
        socket = self._server.nextPendingConnection()
        if self.is_open:
            socket.abort()
        else:
            self.take(socket)
