"""The recorded process's end of the socket: events out; in comes where to stop, and to go on."""

import contextlib
import select
import socket

from compiler.model.protocol.frames import BadFrameError, FrameReader, FrameWriter
from compiler.model.protocol.messages import Event, EventBody, Failure, Reply, Request

_PATIENCE = 20.0
"""Seconds that a client may take to read what it is reported before the program goes on without it."""


class GoneError(Exception):
    """Nobody listens."""


class Channel:
    """Opened when there is something to report. Raises GoneError."""

    def __init__(self, place: str) -> None:
        self._writer, self._reader = FrameWriter(), FrameReader()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_PATIENCE)
        try:
            self._socket.connect(place)
        except OSError as error:
            raise GoneError from error

    def emit(self, body: EventBody) -> None:
        """Send one event whole. Raises GoneError."""
        self.send(Event(body))

    def send(self, message: Event | Reply | Failure) -> None:
        """Send one message whole. Raises GoneError."""
        try:
            self._socket.sendall(self._writer.encode(message))
        except OSError as error:
            raise GoneError from error

    def heard(self, wait: bool) -> list[EventBody | Request]:
        """What was said to this process since it was asked last; `wait` until there is something. Raises GoneError."""
        found: list[EventBody | Request] = []
        try:
            while not found and (wait or select.select([self._socket], [], [], 0)[0]):
                self._socket.settimeout(None if wait else _PATIENCE)
                data = self._socket.recv(1 << 16)
                if not data:
                    raise GoneError
                messages = self._reader.feed(data)
                found += [_said(message) for message in messages if isinstance(message, Event | Request)]
        except (OSError, BadFrameError) as error:
            raise GoneError from error
        finally:
            self._socket.settimeout(_PATIENCE)
        return found

    def close(self) -> None:
        """What was sent arrives; nothing more is sent."""
        with contextlib.suppress(OSError):
            self._socket.close()


def _said(message: Event | Request) -> EventBody | Request:
    return message.body if isinstance(message, Event) else message
