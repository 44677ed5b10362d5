"""Requests taken one by one and answered. Here is the process's boundary: whatever user code raises ends here as a `Failure`."""

import gc
import queue
import threading
from collections.abc import Callable

from compiler.engine.errors import EngineError, problem_from, unforeseen
from compiler.engine.torch_internals.inductor_kernels import header_place
from compiler.engine.verbs.engine import Engine, torch_version
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import (
    CancelRequest,
    Done,
    Failure,
    FreshWorkerWanted,
    Progress,
    Ready,
    Recompile,
    Reply,
    ReplyBody,
    Request,
    RequestBody,
    ShutDown,
    StopTimings,
)
from compiler.model.protocol.progress import step_of
from compiler.processes.leaving import end_forks, leave_now
from compiler.processes.spare_time import at_work
from compiler.worker.child_processes import edit_in_child, lower_in_child
from compiler.worker.compared_process import LOADING, compared, why_not_here
from compiler.worker.connection import Connection
from compiler.worker.front_end_work import FrontEndWork
from compiler.worker.handlers import Work, answer_request, no_answer
from compiler.worker.interrupting import Interrupter

_IDLE_S = 3.0
"""Without anything asked for after a recompile, before all objects are looked through: that takes some tenths of a second."""


class Server:
    """Serves one client until it is gone."""

    def __init__(self, path: str) -> None:
        header_place.install()
        self._front_ends = FrontEndWork()
        self._engine = Engine(self._front_ends.capture, lower_in_child, edit_in_child)
        self._current = 0
        self._cancelled: set[int] = set()
        self._left_over = False
        """Whether a recompile made objects that nothing has looked through since."""
        self._stop_timings = threading.Event()
        self._guard = threading.Lock()
        self._interrupter = Interrupter([Connection.send.__code__])
        self._connection = Connection(path, self._urgent, self._lost)

    def serve(self) -> None:
        """Take requests one by one, for ever."""
        self._connection.emit(Ready(torch_version()))
        while True:
            try:
                request = self._next_request()
                with at_work():
                    self._answer(request)
                if isinstance(request.body, LOADING) and gc.isenabled() and self._connection.requests.empty():
                    gc.collect()  # what the capture before held is a web of cycles; Python alone waits for a quarter more
                self._left_over |= isinstance(request.body, Recompile)
            except KeyboardInterrupt:
                continue  # not a cancel, which is of a request: a signal that somebody else sent

    def _next_request(self) -> Request:
        """Waits for it; meanwhile what recompiles dropped in cycles goes, or the next one would pay for it."""
        if self._left_over and gc.isenabled():
            try:
                return self._connection.requests.get(timeout=_IDLE_S)
            except queue.Empty:
                self._left_over = False
                gc.collect()
        return self._connection.requests.get()

    def _answer(self, request: Request) -> None:
        doing = ["working"]

        def report_progress(text: str) -> None:
            doing[0] = text
            self._connection.emit(Progress(request.id, str(text), step_of(text)))

        try:
            answer: Reply | Failure | FreshWorkerWanted
            try:
                with self._guard:
                    cancelled = request.id in self._cancelled
                    self._current = request.id
                if cancelled:
                    answer = _cancelled(request.id, "")
                elif why := why_not_here(request.body):
                    answer = FreshWorkerWanted(request.id, why)
                else:
                    answer = Reply(request.id, self._do(request.body, report_progress))
            finally:
                self._current = 0
            end_forks()
        except KeyboardInterrupt as interrupt:
            answer = self._interrupted(request.id, interrupt)
        except EngineError as error:
            answer = Failure(request.id, error.problem)
        except SystemExit as error:
            problem = problem_from(
                error, f"The program called sys.exit({error.code})", "Remove the call and try again."
            )
            answer = Failure(request.id, problem)
        except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
            answer = Failure(request.id, unforeseen(error, f"Failed while: {doing[0]}"))
        self._connection.send(answer)

    def _interrupted(self, request: int, interrupt: KeyboardInterrupt) -> Failure:
        """Somebody cancelled it; or the program raises what Ctrl+C raises."""
        self._current = 0
        with self._guard:
            asked = request in self._cancelled
        if asked:
            return _cancelled(request, _where(interrupt))
        what = "The program raised KeyboardInterrupt, though nobody cancelled it"
        return Failure(request, problem_from(interrupt, what, "Take the line out and try again."))

    def _do(self, body: RequestBody, report_progress: Callable[[str], None]) -> ReplyBody:
        emit = self._connection.emit
        work = Work(self._engine, self._front_ends, emit, report_progress, self._stop_timings)
        return compared(body, lambda: answer_request(body, work), emit)

    def _urgent(self, request: Request) -> None:
        """On the connection's thread, while the main thread works."""
        body = request.body
        if isinstance(body, ShutDown):
            leave_now(0)
        elif isinstance(body, StopTimings):
            self._stop_timings.set()
            self._connection.send(Reply(request.id, Done()))
        elif isinstance(body, CancelRequest):
            with self._guard:
                self._cancelled.add(body.request)
                if self._current == body.request:
                    self._interrupter.interrupt(lambda: self._current == body.request)
        else:
            self._connection.send(Failure(request.id, no_answer(body)))

    def _lost(self) -> None:
        """Nobody listens any more."""
        leave_now(0)


def _where(interrupt: BaseException) -> str:
    problem = problem_from(interrupt, "", "")
    return f"{problem.path}:{problem.line}" if problem.path else ""


def _cancelled(request: int, where: str) -> Failure:
    text = f"Cancelled while the program was at {where}." if where else "Cancelled."
    return Failure(request, Problem(text, "Nothing was changed."), cancelled=True)
