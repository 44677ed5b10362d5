"""Listens to the processes of a running program, on a socket in a folder that only this user can enter."""

import contextlib
import selectors
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.relay import Relay, said
from compiler.model.capture.run_story import MissedProcess
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import CancelRequest, Event, EventBody, Failure, Message, Reply, Request
from compiler.model.protocol.run_events import BreakAt, FollowRun, GoOn, RunBegan

_CHUNK = 1 << 20
ENDED_UNREPORTED = "it ended without telling how (os._exit, or it was killed)"
"""Killed, left by os._exit, or became another program: nobody says goodbye then."""

BECAME_ANOTHER = "it became another program (exec)"

_FAREWELL = 10.0
"""Seconds that windows may take to read what is left when all is over."""


class Listener:
    """Call `wait` again and again; `lanes` are the processes that reported something. Windows may follow them."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "run"
        self.lanes: list[Lane] = []
        self._selector = selectors.DefaultSelector()
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(self.place))
        self._server.listen(64)
        self._server.setblocking(False)
        self._selector.register(self._server, selectors.EVENT_READ)
        self._breaks: tuple[str, ...] | None = None
        """Where all stop, as a window said; None: as they were started."""
        self._new: dict[socket.socket, FrameReader] = {}
        """Connections that have reported nothing yet."""
        self._readers: dict[socket.socket, tuple[FrameReader, Lane]] = {}
        self._following: dict[socket.socket, tuple[int, Relay]] = {}
        self._relays: list[tuple[int, Relay]] = []
        """(number of the process, who follows it)."""
        self._asked: dict[int, tuple[Relay, int]] = {}
        """By the number under which a process was asked: who asked, and under which number."""
        self._last_request = 0
        self._missed: tuple[MissedProcess, ...] = ()

    @property
    def open_count(self) -> int:
        """Processes that may report more."""
        return len(self._readers)

    def wait(self, seconds: float, reported: Callable[[Lane], None]) -> bool:
        """Take what comes within that time; `told` is called for each event. Whether anything came."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fileobj is self._server:
                self._accept()
            else:
                assert isinstance(key.fileobj, socket.socket)
                self._read(key.fileobj, reported)
        return bool(ready)

    def close(self) -> None:
        """Listen no more. What the processes report from now on finds nobody."""
        for connection in (*self._new, *self._readers):
            self._drop(connection)
        for connection in self._following:
            self._selector.unregister(connection)
        self._selector.unregister(self._server)
        self._server.close()
        self._selector.close()
        for _, relay in self._relays:
            relay.finish(_FAREWELL)

    def _accept(self) -> None:
        connection, _ = self._server.accept()
        self._new[connection] = FrameReader()
        self._selector.register(connection, selectors.EVENT_READ)

    def _read(self, connection: socket.socket, reported: Callable[[Lane], None]) -> None:
        if connection in self._new:
            self._greet(connection, reported)
            return
        if connection in self._following:
            self._hear(connection)
            return
        reader, lane = self._readers[connection]
        try:
            data = connection.recv(_CHUNK)
            messages = reader.feed(data) if data else []
        except (OSError, BadFrameError) as error:
            lane.ended = f"what it told could not be read: {error}"
            self._drop(connection)
            self._relay(lane, reported)
            return
        self._take(messages, lane, reported)
        if not data:
            if lane.ended is None:
                lane.ended = ENDED_UNREPORTED
            self._drop(connection)
            self._relay(lane, reported)

    def _hear(self, connection: socket.socket) -> None:
        """A window says where to stop, or that the program is to go on."""
        number, relay = self._following[connection]
        heard = relay.heard()
        if heard is None:
            del self._following[connection]
            self._selector.unregister(connection)
        self._follow(heard or [], number, relay)

    def _follow(self, bodies: list[EventBody | Request], number: int, relay: Relay) -> None:
        for body in bodies:
            if isinstance(body, BreakAt):
                self.break_at(body.where)
            elif isinstance(body, GoOn) and number < len(self.lanes):
                self.go_on(self.lanes[number])
            elif isinstance(body, Request):
                self._pass_on(body, number, relay)

    def _pass_on(self, request: Request, number: int, relay: Relay) -> None:
        """To the process it is about, under a number of its own: several windows may ask."""
        lane = self.lanes[number] if number < len(self.lanes) else None
        connection = next((key for key, row in self._readers.items() if row[1] is lane), None)
        body = request.body
        if isinstance(body, CancelRequest):
            numbers = (key for key, row in self._asked.items() if row == (relay, body.request))
            body = CancelRequest(next(numbers, 0))
        self._last_request += 1
        if connection is not None:
            if not isinstance(body, CancelRequest):
                self._asked[self._last_request] = relay, request.id
            try:
                connection.sendall(encode(Request(self._last_request, body)))
            except OSError:
                self._asked.pop(self._last_request, None)
            else:
                return
        relay.answer(Failure(request.id, Problem("The program has ended.", "Start it again with loupe run.")))

    def break_at(self, where: tuple[str, ...]) -> None:
        """Let all processes, those that come later too, stop there and nowhere else."""
        self._breaks = where
        for _, lane in self._readers.values():
            self._say(lane, BreakAt(where))

    def go_on(self, lane: Lane) -> None:
        """Tell a process that has stopped to go on."""
        self._say(lane, GoOn())

    def _say(self, lane: Lane, body: BreakAt | GoOn) -> None:
        for connection, (_, other) in self._readers.items():
            if other is lane:
                with contextlib.suppress(OSError):  # it is gone, which is reported where it is read
                    connection.sendall(encode(Event(body)))

    def _greet(self, connection: socket.socket, reported: Callable[[Lane], None]) -> None:
        """Its first message says whether it is a process of the program or somebody who follows one."""
        reader = self._new[connection]
        try:
            data = connection.recv(_CHUNK)
            messages = reader.feed(data) if data else []
        except (OSError, BadFrameError):
            self._drop(connection)
            return
        if not data:
            self._drop(connection)
        if not messages:
            return
        first = messages[0].body if isinstance(messages[0], Event) else None
        if isinstance(first, FollowRun):
            del self._new[connection]
            self._selector.unregister(connection)
            relay = Relay(connection, reader)
            self._relays.append((first.number, relay))
            self._following[connection] = first.number, relay
            self._selector.register(connection, selectors.EVENT_READ)
            if self._missed or 0 <= first.number < len(self.lanes):
                relay.forward(self._lane_for(first.number))
            self._follow(said(messages[1:]), first.number, relay)
            return
        lane = Lane(missed=self._missed)
        self.lanes.append(lane)
        del self._new[connection]
        self._readers[connection] = (reader, lane)
        if self._breaks is not None:
            self._say(lane, BreakAt(self._breaks))
        self._take(messages, lane, reported)

    def _take(self, messages: list[Message], lane: Lane, reported: Callable[[Lane], None]) -> None:
        for message in messages:
            if isinstance(message, Event):
                lane.take(message.body)
                self._relay(lane, reported)
                if isinstance(message.body, RunBegan):
                    self._replaced(lane, message.body.pid, reported)
            elif isinstance(message, Reply | Failure) and message.id in self._asked:
                relay, number = self._asked.pop(message.id)
                relay.answer(msgspec.structs.replace(message, id=number))

    def _replaced(self, by: Lane, pid: int, reported: Callable[[Lane], None]) -> None:
        """A process that ended without a word goes on under the same number."""
        for lane in self.lanes:
            if lane is not by and lane.ended == ENDED_UNREPORTED and lane.began and lane.began.pid == pid:
                lane.ended = BECAME_ANOTHER
                self._relay(lane, reported)

    def note_missed(self, missed: Mapping[int, str]) -> None:
        """Command lines, by number, of processes that are not recorded. Who follows hears of them even where no process tells."""
        if len(missed) == len(self._missed):
            return
        self._missed = tuple(MissedProcess(number, command) for number, command in missed.items())
        for lane in self.lanes:
            lane.missed = self._missed
        for number, relay in self._relays:
            relay.forward(self._lane_for(number))

    def _lane_for(self, number: int) -> Lane:
        return self.lanes[number] if 0 <= number < len(self.lanes) else Lane(missed=self._missed)

    def _relay(self, lane: Lane, reported: Callable[[Lane], None]) -> None:
        reported(lane)
        for number, relay in self._relays:
            if number < len(self.lanes) and self.lanes[number] is lane:
                relay.forward(lane)

    def _drop(self, connection: socket.socket) -> None:
        self._selector.unregister(connection)
        self._new.pop(connection, None)
        self._readers.pop(connection, None)
        connection.close()
