"""Follows a program that ``loupe run`` records: one connection for each of its processes, as they come."""

import dataclasses
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalSocket

from app.engine_client.message_stream import MessageStream
from app.translation.texts import tr
from compiler.analysis.running.lanes import Lane, title_of
from compiler.model.capture.capture import Capture
from compiler.model.capture.run_story import MissedProcess, RunStory
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import is_number
from compiler.model.protocol.messages import Event, Failure, Reply, Request
from compiler.model.protocol.run_events import (
    RUNNING,
    BreakAt,
    FollowRun,
    GoOn,
    RunBegan,
    RunCaptured,
    RunMissed,
    RunStopped,
)

_REST = 5.0
"""How many times as long as showing a capture takes it is not shown again."""
_LEAST_MS, _COUNT_MS = 300, 250


@dataclasses.dataclass(frozen=True)
class RunRow:
    """One process, as panes show it."""

    title: str
    doing: str
    """What torch does there now, or empty."""
    capture: Capture | None
    story: RunStory
    following: bool
    """More may come."""
    stopped: RunStopped | None = None
    """Where it waits until it is told to go on."""


class RunFollower(QObject):
    """The processes of a run: of one that is followed, or of the session file that is open."""

    changed = Signal()
    """`rows` or `shown` changed."""
    began = Signal()
    """A run is followed from now on."""
    captured = Signal(object, bool)
    """A Capture of the process that is shown: to be shown; whether it takes the place of another process's."""
    answered = Signal(int, object)
    """Number of a connection; a Reply or Failure that its process sent."""
    problem_found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place = ""
        self._reached = False
        self._lanes: list[Lane] = []
        self._streams: list[MessageStream] = []
        self._file: Capture | None = None
        self.breaks: tuple[str, ...] = ()
        """Where the processes stop, as far as it was said here."""
        self._shown_number = 0
        """Of the connection of the process whose capture is shown."""
        self._shown_capture: Capture | None = None
        self._show_soon = QTimer(self, interval=_LEAST_MS, singleShot=True)
        self._show_soon.timeout.connect(self._show_newest)
        self._report_soon = QTimer(self, interval=_COUNT_MS, singleShot=True)
        self._report_soon.timeout.connect(self.changed)

    @property
    def following(self) -> bool:
        """Whether a process may report more."""
        return any(
            stream.is_open and lane.began is not None and lane.ended is None
            for stream, lane in zip(self._streams, self._lanes, strict=False)
        )

    @property
    def waiting(self) -> bool:
        """Whether a run is followed that has compiled nothing yet."""
        return any(
            stream.is_open and lane.ended is None
            for stream, lane in zip(self._streams, self._lanes, strict=False)
        )

    @property
    def ended_without(self) -> bool:
        """Whether a run was followed to its end, and compiled nothing."""
        return self._reached and bool(self._streams) and not self.waiting and not self._reported()

    @property
    def came_late(self) -> bool:
        """Whether a run was to be followed, and nobody told of it any more."""
        return bool(self._streams) and not self._reached and not self._streams[0].is_open

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """The processes in the order in which they began to report."""
        if not self._lanes:
            capture = self._file
            if capture is None or capture.run is None:
                return ()
            story = capture.run
            return (RunRow(title_of(story.pid, story.rank), "", capture, story, False),)
        return tuple(
            RunRow(lane.title, lane.doing, lane.capture, lane.story(), lane.ended is None, lane.stopped)
            for lane in map(self._lanes.__getitem__, self._reported())
        )

    @property
    def shown(self) -> int:
        """Index, among `rows`, of the process whose capture is shown."""
        reported = self._reported()
        return reported.index(self._shown_number) if self._shown_number in reported else 0

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """What each connection reported, by number."""
        return tuple(self._lanes)

    @property
    def shown_connection(self) -> int | None:
        """Number of the connection of the process that is shown; None where no run is or was followed."""
        reported = self._reported()
        return reported[self.shown] if reported else None

    @property
    def shown_lane(self) -> Lane | None:
        """Of the process that is shown, if it may report more."""
        number = self.shown_connection
        return self._lanes[number] if number is not None and self.is_open(number) else None

    def is_open(self, number: int) -> bool:
        """Whether a process can be told something."""
        return number < len(self._streams) and self._streams[number].is_open

    def send(self, number: int, message: Request) -> None:
        """Ask a process something; `answered` follows."""
        if self.is_open(number):
            self._streams[number].send(message)

    @property
    def doing(self) -> str:
        """What the status line says while a run is followed, else empty."""
        if not self.waiting:
            return ""
        rows = self.rows
        row = rows[self.shown] if self.shown < len(rows) else None
        compiles = row is not None and row.following and row.doing not in ("", RUNNING)
        return row.doing if compiles and row is not None else tr("Following the program")

    @property
    def story(self) -> RunStory | None:
        """Of the process that is shown, where a run is or was followed."""
        rows = self.rows if self._lanes else ()
        return rows[self.shown].story if self.shown < len(rows) else None

    @property
    def missed(self) -> tuple[MissedProcess, ...]:
        """Processes of the program that load torch and are not recorded."""
        if not self._lanes:
            return self._file.run.missed if self._file is not None and self._file.run is not None else ()
        return max((lane.missed for lane in self._lanes), key=len)

    def follow(self, place: str) -> None:
        """Listen to the run that is reported at this socket; what is known of it comes first."""
        self.stop()
        self._place, self._lanes, self._file, self._reached = place, [], None, False
        self._shown_number, self._shown_capture, self.breaks = 0, None, ()
        self.began.emit()
        self._expect()
        self.changed.emit()

    def show(self, index: int) -> None:
        """Show another process."""
        rows = self.rows
        if 0 <= index < len(rows) and index != self.shown and rows[index].capture is not None:
            self._shown_number, self._shown_capture = self._reported()[index], None
            self._show_newest()
            self.changed.emit()

    def go_on(self, index: int) -> None:
        """Let a process that has stopped go on."""
        self._say(self._reported()[index], GoOn())

    def break_at(self, where: tuple[str, ...]) -> None:
        """Let every process stop at such places (`run_events.BREAKS`) from now on, and nowhere else."""
        self.breaks = where
        if self._streams:
            self._say(0, BreakAt(where))

    def _say(self, number: int, body: GoOn | BreakAt) -> None:
        self._streams[number].send(Event(body))

    def _reported(self) -> list[int]:
        """Numbers of the connections whose process reported something, in the order of `rows`: by rank, then as they came."""

        def order(number: int) -> tuple[int, int]:
            began = self._lanes[number].began
            return (int(began.rank) if began is not None and is_number(began.rank) else -1), number

        return sorted(
            (number for number, lane in enumerate(self._lanes) if lane.began is not None), key=order
        )

    def opened(self, capture: Capture) -> None:
        """A session file with this capture is open, or another program: what was followed is over."""
        if capture is not self._shown_capture:
            self.stop()
            self._lanes, self._file, self._shown_number = [], capture, 0
            self.changed.emit()

    def stop(self) -> None:
        """Listen no more; what was reported stays."""
        self._show_soon.stop()
        self._report_soon.stop()
        for stream in self._streams:
            stream.close()
            stream.deleteLater()
        self._streams.clear()

    # -- one connection for each process, and one for the next -------------------------------------------------------

    def _expect(self) -> None:
        number = len(self._lanes)
        lane, stream = Lane(), MessageStream(self)
        self._lanes.append(lane)
        self._streams.append(stream)
        socket = QLocalSocket(stream)
        stream.message_arrived.connect(lambda message: self._take(number, message))
        stream.closed.connect(lambda: self._end(number))
        stream.bad_frame.connect(
            lambda why: self._end(number, tr("what it told could not be read: {why}").format(why=why))
        )
        socket.connected.connect(lambda: self._begin(number))
        socket.errorOccurred.connect(lambda error: self._on_error(number, error))
        stream.take(socket)
        socket.connectToServer(str(Path(self._place)))

    def _begin(self, number: int) -> None:
        self._reached = True
        self._streams[number].send(Event(FollowRun(number)))

    def _take(self, number: int, message: object) -> None:
        if isinstance(message, Reply | Failure):
            self.answered.emit(number, message)
        if not isinstance(message, Event) or number >= len(self._lanes):
            return
        lane = self._lanes[number]
        of_one = not isinstance(message.body, RunMissed)
        if of_one and lane.began is None and number == len(self._lanes) - 1:
            self._expect()
        lane.take(message.body)
        if isinstance(message.body, RunBegan) and not self.breaks:
            self.breaks = message.body.stops
        if (
            number == self._shown_number
            and isinstance(message.body, RunCaptured)
            and not self._show_soon.isActive()
        ):
            self._show_soon.start()
        if not self._report_soon.isActive():
            self._report_soon.start()

    def _end(self, number: int, why: str = "") -> None:
        stream, lane = self._streams[number], self._lanes[number]
        stream.drain()
        stream.close()
        if lane.ended is None and lane.began is not None:
            lane.ended = why or tr("loupe run ended")
        self.changed.emit()

    def _on_error(self, number: int, error: QLocalSocket.LocalSocketError) -> None:
        """Where it is not the end, which `closed` tells: the run is over, or was never there."""
        if error is QLocalSocket.LocalSocketError.PeerClosedError:
            return
        if number == 0 and self._lanes[0].began is None and self._streams[0].is_open:
            self.problem_found.emit(
                Problem(
                    tr("The program was over before this window could listen to it."),
                    tr("Open the file that it wrote (loupe run -o FILE.loupe), or run it again."),
                    detail=tr("Nothing tells of a run at {place}.").format(place=self._place),
                    severity=Severity.WARNING,
                )
            )
        self._streams[number].close()
        self.changed.emit()

    def _show_newest(self) -> None:
        capture = self._lanes[self._shown_number].capture if self._lanes else None
        if capture is None or capture is self._shown_capture:
            return
        other = self._shown_capture is None
        self._shown_capture = capture
        began = time.monotonic()
        self.captured.emit(capture, other)
        self._show_soon.setInterval(max(_LEAST_MS, int((time.monotonic() - began) * _REST * 1000)))
