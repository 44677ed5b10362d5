"""Tells a window what one process of a running program reported, in a thread of its own: a window that is slow holds nobody up,
and gets the newest instead of everything.
"""

import contextlib
import queue
import socket
import threading

from compiler.analysis.running.lanes import Lane
from compiler.model.protocol.frames import BadFrameError, FrameReader, FrameWriter
from compiler.model.protocol.messages import Event, EventBody, Failure, Message, Progress, Reply, Request
from compiler.model.protocol.run_events import RunCaptured, RunEdited, RunEnded, RunMissed, RunWentOn

_PATIENCE = 60.0
"""Seconds that a window may take to read one message."""


class Relay:
    """One connection of a window, for one process."""

    def __init__(self, connection: socket.socket, reader: FrameReader) -> None:
        """`reader` has read what the window said first, and perhaps a part of what follows."""
        self._socket = connection
        self._socket.setblocking(True)
        self._socket.settimeout(_PATIENCE)
        self._writer, self._reader = FrameWriter(), reader
        self._lane: Lane | None = None
        self._reported: dict[str, object] = {}
        self._edits_reported = 0
        self._answers: queue.SimpleQueue[Reply | Failure] = queue.SimpleQueue()
        self._more = threading.Event()
        self._last = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def forward(self, lane: Lane) -> None:
        """There is something new of the process."""
        self._lane = lane
        self._more.set()

    def answer(self, message: Reply | Failure) -> None:
        """What the process answered to something that this window asked."""
        self._answers.put(message)
        self._more.set()

    def heard(self) -> list[EventBody | Request] | None:
        """What the window said or asks, where there is something to read; None when it is gone."""
        try:
            data = self._socket.recv(1 << 16)
            messages = self._reader.feed(data)
        except (OSError, BadFrameError):
            return None
        return said(messages) if data else None

    def finish(self, seconds: float) -> None:
        """Nothing more comes: what is left is reported, within that time, and the connection ends."""
        self._last = True
        self._more.set()
        self._thread.join(seconds)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        with contextlib.suppress(OSError), self._socket:
            while True:
                self._more.wait()
                self._more.clear()
                last = self._last
                lane = self._lane
                if lane is not None:
                    self._forward_news(lane)
                while not self._answers.empty():
                    self._socket.sendall(self._writer.encode(self._answers.get()))
                if last or (lane is not None and "ended" in self._reported):
                    return

    def _forward_news(self, lane: Lane) -> None:
        self._send("began", lane.began, lane.began)
        if lane.missed:
            self._send("missed", lane.missed, RunMissed(lane.missed))
        if lane.doing:
            self._send("doing", lane.doing, Progress(0, lane.doing))
        counted, capture = lane.counted, lane.capture
        if capture is not None and self._reported.get("capture") is not capture:  # with all counts so far
            reported = lane.reported_capture()
            assert reported is not None
            self._edits_reported = len(reported.run.edits) if reported.run is not None else 0
            self._send("capture", capture, RunCaptured(reported))
        self._send("counted", counted, counted)
        for edit in lane.edits[self._edits_reported :]:
            self._edits_reported += 1
            self._socket.sendall(self._writer.encode(Event(RunEdited(edit))))
        stopped = lane.stopped
        self._send("stopped", stopped, stopped or (RunWentOn() if self._reported.get("stopped") else None))
        if lane.ended is not None:
            self._send("ended", lane.ended, RunEnded(lane.ended))

    def _send(self, kind: str, state: object, body: EventBody | None) -> None:
        if self._reported.get(kind) is not state and body is not None:
            self._reported[kind] = state
            self._socket.sendall(self._writer.encode(Event(body)))


def said(messages: list[Message]) -> list[EventBody | Request]:
    """What a window may say: events, and questions for its process."""
    return [
        message.body if isinstance(message, Event) else message
        for message in messages
        if isinstance(message, Event | Request)
    ]
