"""The engine as the window sees it: requests with ids and tags, answers through callbacks, a worker that may die."""

import time

from PySide6.QtCore import QObject, QTimer

from app.engine_client.connection import Connection
from app.engine_client.engine import Engine, OnFailure, OnReply, failure_of
from app.engine_client.engine_process import Command, EngineProcess, worker_command
from app.engine_client.pending_requests import PendingRequest, PendingRequests
from app.engine_client.restart_policy import RestartPolicy
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.crash_report import Death, death_problem
from compiler.model.protocol.messages import (
    CancelRequest,
    Event,
    Failure,
    Progress,
    Ready,
    Reply,
    Request,
    RequestBody,
    ShutDown,
)
from compiler.model.protocol.requests import row_of, status_of
from compiler.processes.private_folder import PrivateFolder

PATIENCE_MS = 2000
"""How long a worker may take to stop a request before it is killed."""
_STOPPED = Problem("The engine is stopped.", "Choose Restart engine in the Engine menu.")


class EngineClient(Engine):
    """Keeps one worker alive and speaks with it. Whatever it is asked is answered, if only by a failure."""

    def __init__(self, parent: QObject | None = None, command: Command = worker_command) -> None:
        super().__init__(parent)
        self.state = "stopped"
        self.status_text = "The engine is not running"
        self._command = command
        self._pending = PendingRequests()
        self._restarts = RestartPolicy()
        self._private = PrivateFolder()
        self._folder = self._private.path
        self._process: EngineProcess | None = None
        self._connection: Connection | None = None
        self._doing = ""
        self._started = 0.0
        self._closed = False
        self._patience = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._patience.timeout.connect(self._lose_patience)
        self._mute = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._mute.timeout.connect(self._end_the_mute)
        self._refuse_soon = QTimer(self, interval=0, singleShot=True)
        self._refuse_soon.timeout.connect(self._refuse)
        self._start_later = QTimer(self, singleShot=True)
        self._start_later.timeout.connect(self._start_worker)

    # -- asking --------------------------------------------------------------------------------------------------

    def _send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, tag: str) -> int:
        for queued in self._pending.replace_tag(tag):
            self._cancel(queued)
        request = self._pending.add(body, on_reply, on_failure, tag)
        if self.state == "stopped":
            self._refuse_soon.start()
        elif self.state != "starting":
            self._transmit(request)
        self._update()
        return request.id

    def cancel(self) -> None:
        self._fail_unsent(Problem("Cancelled.", severity=Severity.NOTE), cancelled=True)
        for request in self._pending:
            if row_of(request.body).cancellable:
                self._cancel(request)
        if len(self._pending):
            self._patience.start()
            self._set("busy", "Cancelling")

    # -- the worker's life ---------------------------------------------------------------------------------------

    def start(self) -> None:
        if self.state == "stopped" and not self._closed:
            self._restarts.forgive()
            self._start_worker()

    def restart(self) -> None:
        self._restarts.forgive()
        if self._process is not None:
            self._process.end("was restarted", asked_for=True)
        else:
            self.start()

    def shut_down(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._start_later.stop()
        self._refuse_soon.stop()
        self._pending.take_all()
        self._tell_worker(Request(self._pending.new_id(), ShutDown()))
        if self._process is not None:
            self._process.finish()
        self._put_away()
        self._private.remove()
        self._set("stopped", "The engine is stopped")

    def _start_worker(self) -> None:
        self.generation += 1
        self._doing = ""
        connection = Connection(self._folder / f"engine-{self.generation}", self)
        if not connection.listen():
            self.problem_found.emit(
                Problem(
                    f"The engine cannot be reached: {connection.error}.",
                    f"Look at the folder {self._folder}.",
                )
            )
            self._give_up()
            return
        connection.message_arrived.connect(self._on_message)
        connection.bad_frame.connect(self._on_bad_frame)
        connection.closed.connect(self._on_closed)
        process = EngineProcess(self._command(str(connection.path)), connection.path, self)
        process.output_arrived.connect(self.output_arrived)
        process.ended.connect(self._on_ended)
        self._connection, self._process = connection, process
        self._started = time.monotonic()
        self._set("starting", "Starting the engine")
        process.start()

    def _on_ended(self, how: str, asked_for: bool) -> None:
        if self._connection is not None:
            self._connection.drain()
        printed = self._process.printed if self._process else ""
        problem = death_problem(Death(how, self._doing, printed, asked_for))
        seconds_up = time.monotonic() - self._started
        self._put_away()
        delay = self._restarts.delay_after(seconds_up, asked_for)
        waiting = self._pending.take_all()
        self._set("starting", "Starting the engine again")
        if delay is None:
            self._give_up()
        else:
            self._start_later.start(delay)
        for request in waiting:
            request.on_failure(failure_of(problem))
        if not waiting and not asked_for:
            self.problem_found.emit(problem)

    def _put_away(self) -> None:
        self._patience.stop()
        self._mute.stop()
        if self._connection is not None:
            self._connection.close()
            self._connection.deleteLater()
        if self._process is not None:
            self._process.deleteLater()
        self._connection, self._process = None, None

    def _give_up(self) -> None:
        self._set("stopped", "The engine is stopped")
        self.problem_found.emit(
            Problem(
                "The engine ended several times in a row and is not started again.",
                "Look at the output pane for the reason, then choose Restart engine in the Engine menu.",
            )
        )

    def _lose_patience(self) -> None:
        if self._process is not None and len(self._pending):
            self._process.end("was killed because it did not stop", asked_for=True)

    # -- hearing -------------------------------------------------------------------------------------------------

    def _on_message(self, message: object) -> None:
        match message:
            case Reply() | Failure():
                self._on_answer(message)
            case Event(body=Ready(torch=version)):
                self.torch_version = version
                self._on_ready()
            case Event(body=Progress(text=text)):
                self._doing = text
                self._update()
            case Event():
                self.event_arrived.emit(message.body)
            case _:
                self._on_bad_frame("a request, which only we may send")

    def _on_ready(self) -> None:
        self._set("ready", "Ready")
        self._doing = ""
        for request in self._pending:
            if not request.sent:
                self._transmit(request)
        self._update()

    def _on_answer(self, message: Reply | Failure) -> None:
        request = self._pending.answer(message)
        if request is None:
            return
        if not len(self._pending):
            self._patience.stop()
            self._doing = ""
        self._update()
        if request.replaced:
            return
        if isinstance(message, Reply):
            request.on_reply(message.body)
        else:
            request.on_failure(message)

    def _on_bad_frame(self, what: str) -> None:
        if self._process is not None:
            self._process.end(f"was killed because it sent something that is no message ({what})")

    def _on_closed(self) -> None:
        if self._process is not None:
            self._mute.start()

    def _end_the_mute(self) -> None:
        if self._process is not None:
            self._process.end("was killed because it closed its connection")

    # -- telling -------------------------------------------------------------------------------------------------

    def _transmit(self, request: PendingRequest) -> None:
        request.sent = True
        self._tell_worker(Request(request.id, request.body))

    def _cancel(self, request: PendingRequest) -> None:
        self._tell_worker(Request(self._pending.new_id(), CancelRequest(request.id)))

    def _tell_worker(self, request: Request) -> None:
        if self._connection is not None:
            self._connection.send(request)

    def _refuse(self) -> None:
        if self.state == "stopped":
            self._fail_unsent(_STOPPED, cancelled=False)

    def _fail_unsent(self, problem: Problem, cancelled: bool) -> None:
        unsent = self._pending.take_unsent()
        self._update()
        for request in unsent:
            request.on_failure(failure_of(problem, cancelled))

    def _update(self) -> None:
        """Ready or busy, by what is pending; starting and stopped are set by the worker's life."""
        if self.state == "starting":
            self._set("starting", self._doing or self.status_text)
        elif self.state in ("ready", "busy"):
            current = self._pending.current
            if current is None and not len(self._pending):
                self._set("ready", "Ready")
            elif current is not None and not self._patience.isActive():
                self._set("busy", self._doing or status_of(current.body))

    def _set(self, state: str, text: str) -> None:
        if (state, text) != (self.state, self.status_text):
            self.state, self.status_text = state, text
            self.state_changed.emit()
