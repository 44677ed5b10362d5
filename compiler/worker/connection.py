"""The worker's end of the socket: messages out from any thread, messages in on a thread of its own."""

import queue
import socket
import threading
from collections.abc import Callable

from compiler.model.protocol.frames import BadFrameError, FrameReader, FrameWriter
from compiler.model.protocol.messages import (
    Event,
    EventBody,
    Message,
    Request,
)
from compiler.model.protocol.requests import REQUESTS, RunsIn
from compiler.processes.leaving import end_forks, sever_in_forks
from compiler.worker.outgoing import holding_together


class Connection:
    """Requests are queued for the main thread, except those that must be heard while it works."""

    def __init__(self, path: str, on_urgent: Callable[[Request], None], on_lost: Callable[[], None]) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        sever_in_forks(self._socket.fileno())
        self._sending = threading.Lock()
        self._writer = FrameWriter()
        self._on_urgent = on_urgent
        self._on_lost = on_lost
        self.requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="loupe-connection", daemon=True).start()

    def send(self, message: Message) -> None:
        """Send one message. A client that is gone is noticed by the listening side."""
        end_forks()
        whole = holding_together(message)
        with self._sending:
            try:
                self._socket.sendall(self._writer.encode(whole))
            except OSError:
                self._on_lost()

    def emit(self, body: EventBody) -> None:
        """Send an event."""
        self.send(Event(body))

    def _listen(self) -> None:
        reader = FrameReader()
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                self._on_lost()
                return
            try:
                messages = reader.feed(data)
            except BadFrameError:
                self._on_lost()
                return
            for message in messages:
                if not isinstance(message, Request):
                    continue
                row = REQUESTS.get(type(message.body))  # one without a row is refused by the main thread
                if row is not None and row.runs_in is RunsIn.CONNECTION_THREAD:
                    self._on_urgent(message)
                else:
                    self.requests.put(message)
