"""The engine as the window sees it: requests with ids and tags, answers through callbacks, a worker that may die."""

import time
from collections.abc import Hashable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.engine_client.connection import Connection
from app.engine_client.engine import Engine, OnFailure, OnReply, failure_of
from app.engine_client.engine_process import Command, EngineProcess, wait_for_discarded, worker_command
from app.engine_client.forking_process import SOCKET, ForkingProcess
from app.engine_client.pending_requests import PendingRequest, PendingRequests
from app.engine_client.restart_policy import RestartPolicy
from app.engine_client.spare_worker import SpareWorker
from app.translation.compiler_texts import translate, translate_fixed_text
from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.crash_report import Death, death_problem
from compiler.model.protocol.messages import (
    CancelRequest,
    Event,
    Failure,
    FreshWorkerWanted,
    Progress,
    Ready,
    Reply,
    Request,
    RequestBody,
    ShutDown,
)
from compiler.model.protocol.process_changes import ProcessChanged
from compiler.model.protocol.progress import Step
from compiler.model.protocol.requests import row_of, status_of
from compiler.processes.free_memory import has_room_for_worker
from compiler.processes.private_folder import PrivateFolder
from compiler.processes.started import left_by_program

SPARE_AFTER_MS = 500
"""How long the worker must have had nothing to do, after the first program ran in it, before a spare one is started."""
LEFT_AFTER_MS = 1000
"""How long after a program ran what it started may take to end by itself before it is reported."""
LATE_MS = 60_000
"""After so long a forked worker that says nothing is given up, and another one is started: it takes 0.1 s."""
PATIENCE_MS = 2000
"""How long a worker may take to stop a request before it is killed."""
_SOCKETS = 10_000
"""So many have names of one length; those of so long ago are gone."""


class EngineClient(Engine):
    """Keeps one worker alive and speaks with it. Whatever it is asked is answered, if only by a failure."""

    def __init__(
        self,
        parent: QObject | None = None,
        command: Command = worker_command,
        spare: bool = False,
        forks: ForkingProcess | None = None,
    ) -> None:
        """With `spare` a worker gets ready for the next program beside the one that works, where there is memory for it. With
        `forks`, which several clients may share and others close, workers are forked where that can be.
        """
        super().__init__(parent)
        self.state = "stopped"
        self.status_text = tr("The engine is not running")
        self._command = command
        self._forks = forks
        self._pending = PendingRequests()
        self._restarts = RestartPolicy()
        self._private = PrivateFolder()
        self._folder = self._private.path
        self._process: EngineProcess | None = None
        self._connection: Connection | None = None
        self._with_spare = spare
        self._spare: SpareWorker | None = None
        self._spare_soon = QTimer(self, interval=SPARE_AFTER_MS, singleShot=True)
        self._spare_soon.timeout.connect(self._start_spare)
        self._left_soon = QTimer(self, interval=LEFT_AFTER_MS, singleShot=True)
        self._left_soon.timeout.connect(self._report_left_running)
        self._reported_left: set[int] = set()
        self._doing = ""
        self._at: Step | None = None
        self._started = 0.0
        self._answered = False
        """Whether the present worker did something that was asked."""
        self._closed = False
        self._used = False
        """Whether a program ran in a worker of this session, so that another may follow."""
        self._sockets = 0
        self._patience = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._patience.timeout.connect(self._lose_patience)
        self._late = QTimer(self, interval=LATE_MS, singleShot=True)
        self._late.timeout.connect(self._start_without_forks)
        self._mute = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._mute.timeout.connect(self._end_the_mute)
        self._refuse_soon = QTimer(self, interval=0, singleShot=True)
        self._refuse_soon.timeout.connect(self._refuse)
        self._start_later = QTimer(self, singleShot=True)
        self._start_later.timeout.connect(self._start_worker)

    # -- asking --------------------------------------------------------------------------------------------------

    def _send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable) -> int:
        for queued in self._pending.replace_older(key):
            self._cancel(queued)
        request = self._pending.add(body, on_reply, on_failure, key)
        if self.state == "stopped":
            self._refuse_soon.start()
        elif self.state != "starting":
            self._transmit(request)
        self._update()
        return request.id

    def cancel(self) -> None:
        self._fail_unsent(Problem(tr("Cancelled."), severity=Severity.NOTE), cancelled=True)
        for request in self._pending:
            request.cancelled = True
            if row_of(request.body).cancellable:
                self._cancel(request)
        if len(self._pending):
            self._patience.start()
            self._set("busy", tr("Cancelling"))

    # -- the worker's life ---------------------------------------------------------------------------------------

    def start(self) -> None:
        if self.state == "stopped" and not self._closed:
            self._restarts.forgive()
            self._start_worker()

    def restart(self) -> None:
        self._restarts.forgive()
        self._end_spare()  # it may be of another machine than is wanted now
        if self._process is not None:
            self._process.end(tr("was restarted"), requested=True)
        else:
            self.start()

    def shut_down(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._start_later.stop()
        self._refuse_soon.stop()
        self._pending.take_all()
        self._send_to_worker(Request(self._pending.new_id(), ShutDown()))
        if self._process is not None:
            self._process.finish()
        self._put_away()
        self._end_spare()
        wait_for_discarded()
        self._private.remove()
        self._set("stopped", tr("The engine is stopped"))

    def _start_worker(self) -> None:
        self.generation += 1
        self._doing = ""
        connection = Connection(self._new_socket(), self)
        if not connection.listen():
            self.problem_found.emit(
                Problem(
                    tr("The engine cannot be reached: {error}.").format(error=connection.error),
                    tr("Look at the folder {folder}.").format(folder=self._folder),
                )
            )
            self._give_up()
            return
        process = EngineProcess(self._command(str(connection.path)), connection.path, self, self._forks)
        self._adopt(connection, process)
        process.start()

    def _new_socket(self) -> Path:
        self._sockets += 1
        return self._folder / SOCKET.format(self._sockets % _SOCKETS)

    def _adopt(self, connection: Connection, process: EngineProcess) -> None:
        """From now on this is the worker."""
        connection.setParent(self)
        process.setParent(self)
        connection.message_arrived.connect(self._on_message)
        connection.bad_frame.connect(self._on_bad_frame)
        connection.closed.connect(self._on_closed)
        process.output_arrived.connect(self.output_arrived)
        process.ended.connect(self._on_ended)
        self._connection, self._process = connection, process
        self._started = time.monotonic()
        self._answered = False
        if process.is_forked:
            self._late.start()
        self._set("starting", tr("Starting the engine"))

    # -- another worker for another program ----------------------------------------------------------------------

    def _change_worker(self) -> None:
        """What was asked wants a worker in which nothing ran. Nothing of it was begun; what else waits, waits on."""
        if self._patience.isActive():  # the person cancelled it meanwhile
            self._patience.stop()
            for request in self._pending.take_cancelled():
                request.on_failure(
                    failure_of(Problem(tr("Cancelled."), severity=Severity.NOTE), cancelled=True)
                )
        self._discard_worker()
        spare, self._spare = self._spare, None
        if spare is None or spare.ended:
            self._start_worker()
            return
        self.generation += 1
        self._doing = ""
        version = spare.torch_version
        self._adopt(*spare.hand_over())
        spare.deleteLater()
        if version:
            self.torch_version = version
            self._on_ready()

    def _discard_worker(self) -> None:
        """What was asked of it is asked of the next one."""
        self._pending.send_again()
        if self._process is not None:
            self._process.discard()
            self._process = None
        self._put_away()

    def _start_without_forks(self) -> None:
        """One was forked and does not come up, whatever the reason: from here on they are started."""
        if self.state != "starting" or self._forks is None:
            return
        if not self._forks.has_forked:  # it loads torch yet
            self._late.start()
            return
        self._forks = None
        self._discard_worker()
        self._start_worker()

    def _start_spare(self) -> None:
        if self._spare is not None and self._spare.ended:
            self._end_spare()
        if self._spare is None and self.state == "ready" and not self._closed and has_room_for_worker():
            if self._forks is not None:
                self._forks.load_more()
            self._spare = SpareWorker(self._command, self._new_socket(), self, self._forks)
            self._spare.start()

    def _end_spare(self) -> None:
        self._spare_soon.stop()
        if self._spare is not None:
            self._spare.end()
            self._spare.deleteLater()
            self._spare = None

    def _mind_spare(self) -> None:
        """It makes way for work, and is wanted once a program ran."""
        if self._spare is not None:
            self._spare.stand_still(self.state == "busy")
            if self._forks is not None and not self._spare.torch_version:
                self._forks.stand_still(self.state == "busy")
        if self.state != "ready":
            self._spare_soon.stop()
        elif self._with_spare and self._used:
            self._spare_soon.start()

    def _on_ended(self, how: str, requested: bool) -> None:
        if self._connection is not None:
            self._connection.drain()
        printed = self._process.printed if self._process else ""
        problem = death_problem(Death(how, self._doing, printed, requested))
        seconds_up = time.monotonic() - self._started
        self._put_away()
        delay = self._restarts.delay_after(seconds_up, requested, self._answered)
        waiting = self._pending.take_all()
        self._set("starting", tr("Starting the engine again"))
        if delay is None:
            self._give_up()
        else:
            self._start_later.start(delay)
        for request in waiting:
            request.on_failure(failure_of(problem))
        if not waiting and not requested:
            self.problem_found.emit(problem)

    def _put_away(self) -> None:
        self._left_soon.stop()
        self._patience.stop()
        self._mute.stop()
        self._late.stop()
        if self._connection is not None:
            self._connection.close()
            self._connection.deleteLater()
        if self._process is not None:
            self._process.deleteLater()
        self._connection, self._process = None, None

    def _report_left_running(self) -> None:
        """What the program started and did not end, once each."""
        if self._process is None or self._connection is None or not self._process.id:
            return
        left = left_by_program(self._process.id, str(self._connection.path))
        for process in left:
            if process.id not in self._reported_left and self.state == "ready":
                self._reported_left.add(process.id)
                self.problem_found.emit(
                    Problem(
                        tr("The program left this running: {process}.").format(process=process),
                        tr("It is ended with the engine, or when the next program begins."),
                        severity=Severity.NOTE,
                    )
                )

    def _give_up(self) -> None:
        self._set("stopped", tr("The engine is stopped"))
        self.problem_found.emit(
            Problem(
                tr("The engine ended several times in a row and is not started again."),
                tr("Look at the output pane for the reason, then choose Restart engine in the Engine menu."),
            )
        )

    def _lose_patience(self) -> None:
        if self._process is not None and len(self._pending):
            self._process.end(tr("was killed because it did not stop"), requested=True)

    # -- hearing -------------------------------------------------------------------------------------------------

    def _on_message(self, message: object) -> None:
        match message:
            case Reply() | Failure():
                self._on_answer(message)
            case FreshWorkerWanted():
                self._change_worker()
            case Event(body=ProcessChanged(problem=problem)):
                self.problem_found.emit(problem)
            case Event(body=Ready(torch=version)):
                self.torch_version = version
                self._on_ready()
            case Event(body=Progress(text=text, step=step)):
                self._doing, self._at = text, step
                self._update()
            case Event():
                self.event_arrived.emit(message.body)
            case _:
                self._on_bad_frame(tr("a request, which only we may send"))

    def _on_ready(self) -> None:
        self._set("ready", tr("Ready"))
        self._doing = ""
        for request in self._pending:
            if not request.sent:
                self._transmit(request)
        self._update()

    def _on_answer(self, message: Reply | Failure) -> None:
        request = self._pending.answer(message)
        self._answered = True
        if request is None:
            return
        if row_of(request.body).executes_program:
            self._used = True
            self._left_soon.start()
        if not any(
            waiting.cancelled for waiting in self._pending
        ):  # what is asked after a cancel has its time
            self._patience.stop()
        if not len(self._pending):
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
            self._process.end(
                tr("was killed because it sent something that is no message ({what})").format(what=what)
            )

    def _on_closed(self) -> None:
        if self._process is not None:
            self._mute.start()

    def _end_the_mute(self) -> None:
        if self._process is not None:
            self._process.end(tr("was killed because it closed its connection"))

    # -- telling -------------------------------------------------------------------------------------------------

    def _transmit(self, request: PendingRequest) -> None:
        request.sent = True
        self._send_to_worker(Request(request.id, request.body))

    def _cancel(self, request: PendingRequest) -> None:
        self._send_to_worker(Request(self._pending.new_id(), CancelRequest(request.id)))

    def _send_to_worker(self, request: Request) -> None:
        if self._connection is not None:
            self._connection.send(request)

    def _refuse(self) -> None:
        if self.state == "stopped":
            stopped = Problem(tr("The engine is stopped."), tr("Choose Restart engine in the Engine menu."))
            self._fail_unsent(stopped, cancelled=False)

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
                self._set("ready", tr("Ready"))
            elif current is not None and not self._patience.isActive():
                self._set("busy", self._status_text(current.body))

    def _status_text(self, body: RequestBody) -> str:
        """What the engine says that it does; of a request only, in the person's language."""
        return (
            status_of(body, translate)
            if self._doing in ("", status_of(body))
            else translate_fixed_text(self._doing)
        )

    def _set(self, state: str, text: str) -> None:
        step = self._at if state == "busy" and self._doing else None
        if (state, text, step) != (self.state, self.status_text, self.step):
            self.state, self.status_text, self.step = state, text, step
            self._mind_spare()
            self.state_changed.emit()
