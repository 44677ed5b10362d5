"""The socket a worker connects to, and the frames that pass through it."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from compiler.model.protocol.messages import BadFrameError, FrameReader, Message, encode


class Connection(QObject):
    """One worker's connection: listens, takes the first that comes, and cuts what it sends into messages."""

    message_arrived = Signal(object)
    bad_frame = Signal(str)
    closed = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._reader = FrameReader()
        self._socket: QLocalSocket | None = None
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

    def send(self, message: Message) -> None:
        """Send a message, if a worker is connected."""
        if self._socket is not None:
            self._socket.write(encode(message))
            self._socket.flush()

    def drain(self) -> None:
        """Read what has arrived; called once more when the worker is gone, so that no answer is lost."""
        if self._socket is None:
            return
        try:
            messages = self._reader.feed(bytes(self._socket.readAll().data()))
        except BadFrameError as error:
            self.close()
            self.bad_frame.emit(str(error))
            return
        for message in messages:
            self.message_arrived.emit(message)

    def close(self) -> None:
        """Hear and accept nothing any more."""
        self._server.close()
        if self._socket is not None:
            socket, self._socket = self._socket, None
            socket.disconnect(self)
            socket.abort()
            socket.deleteLater()

    def _accept(self) -> None:
        socket = self._server.nextPendingConnection()
        if self._socket is not None:
            socket.abort()
            return
        self._socket = socket
        socket.setParent(self)
        socket.readyRead.connect(self.drain)
        socket.disconnected.connect(self.closed)
