"""A local socket and the frames that pass through it, read in slices so that the window answers meanwhile."""

import time
from collections import deque
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalSocket

from app.concurrency.idle_collection import IdleCollection
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import Message
from compiler.model.session_file.collection_pause import collection_paused

_BYTES_AN_OBJECT = 20
_SLICE_S = 0.02
"""How long messages are read before the window may do something else."""


class MessageStream(QObject):
    """Cuts what one socket brings into messages."""

    message_arrived = Signal(object)
    bad_frame = Signal(str)
    closed = Signal()
    """The other side is gone."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = FrameReader()
        self._frames: deque[bytes] = deque()
        self._reading: Generator[None, None, Message] | None = None
        """Of a message that is read in part."""
        self._collection = IdleCollection(self)
        self._objects = 0
        """So many are about made of the message that is being read."""
        self._read_later = QTimer(self, interval=0, singleShot=True)
        self._read_later.timeout.connect(self._read_slice)
        self._socket: QLocalSocket | None = None

    def take(self, socket: QLocalSocket) -> None:
        """Speak through this socket from now on."""
        self._socket = socket
        socket.setParent(self)
        socket.readyRead.connect(self._receive)
        socket.disconnected.connect(self.closed)

    @property
    def is_open(self) -> bool:
        """Whether there is a socket."""
        return self._socket is not None

    def send(self, message: Message) -> None:
        """Send a message, if there is a socket."""
        if self._socket is not None:
            self._socket.write(encode(message))
            self._socket.flush()

    def drain(self) -> None:
        """Read what has arrived; called once more when the other side is gone, so that no answer is lost."""
        while self._socket is not None and self._socket.waitForReadyRead(0):
            pass  # what the system still holds comes by `_receive`
        self._receive()
        self._read_on(until=float("inf"))

    def _receive(self) -> None:
        if self._socket is None:
            return
        try:
            self._frames += self._reader.cut(bytes(self._socket.readAll().data()))
        except BadFrameError as error:
            self._refuse(error)
            return
        self._read_slice()

    def _read_slice(self) -> None:
        """Read for a moment; of a large message the rest follows when the window has done what else there is."""
        self._read_on(time.monotonic() + _SLICE_S)
        if self._reading is not None or self._frames:
            self._read_later.start()

    def _read_on(self, until: float) -> None:
        while self._reading is not None or self._frames:
            if self._reading is None:
                frame = self._frames.popleft()
                self._objects = len(frame) // _BYTES_AN_OBJECT
                self._reading = self._reader.read(frame)
            try:
                with collection_paused():  # it would look at all that was read, again and again
                    next(self._reading)
            except StopIteration as done:
                self._reading = None
                self.message_arrived.emit(done.value)
                self._collection.after(self._objects)
            except BadFrameError as error:
                self._refuse(error)
            if time.monotonic() > until:
                return

    def _refuse(self, error: BadFrameError) -> None:
        self.close()
        self.bad_frame.emit(str(error))

    def close(self) -> None:
        """Hear nothing any more."""
        self._read_later.stop()
        self._frames.clear()
        self._reading = None
        if self._socket is not None:
            socket, self._socket = self._socket, None
            socket.disconnect(self)
            socket.abort()
            socket.deleteLater()
