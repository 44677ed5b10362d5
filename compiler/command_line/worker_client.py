"""A worker for one command: started, asked, and ended. Plain sockets, no Qt."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar, overload

from compiler.command_line.plain_streams import AsItIs
from compiler.command_line.trust_gate import TrustGate
from compiler.model.ir.diagnostics import Problem, ProblemError, without_undo
from compiler.model.protocol.crash_report import Death, death_problem, how_it_ended, place_in
from compiler.model.protocol.frames import BadFrameError, FrameReader, encode
from compiler.model.protocol.messages import (
    CancelRequest,
    Event,
    EventBody,
    Failure,
    FreshWorkerWanted,
    Message,
    Progress,
    Reply,
    ReplyBody,
    Request,
    RequestBody,
)
from compiler.model.protocol.process_changes import ProcessChanged
from compiler.model.protocol.worker_output import WorkerOutput
from compiler.processes.fork_server import ChildOrder, spawn
from compiler.processes.private_folder import PrivateFolder, sweep
from compiler.processes.started import end_started, left_by_program, worker_environment
from compiler.remote.machine import bridge_arguments, chosen

_GRACE_SECONDS = 2.0
_START_SECONDS = 180.0

Answer = TypeVar("Answer", bound=ReplyBody)


class CommandFailedError(ProblemError):
    """The work failed."""

    def _worded(self, problem: Problem) -> Problem:
        return without_undo(problem)


class WorkerDiedError(CommandFailedError):
    """The worker is gone: what it ran ended it."""


class WorkerClient:
    """One worker process, started with the first request that may be sent. Use it as a context manager.

    What the program prints goes to our error stream, so that standard output holds the command's own output only.
    """

    def __init__(
        self, on_event: Callable[[EventBody], None], timeout: float | None = None, *, gate: TrustGate
    ) -> None:
        self._on_event = on_event
        self._timeout = timeout
        self._gate = gate
        self._started = False

    def _start(self) -> None:
        self._started = True
        sweep()
        self._folder = PrivateFolder()
        self._path = path = str(self._folder.path / "s")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        listener.listen(1)
        self._listener = listener
        self._connection = listener  # until the worker has connected: it may die before
        reads, self._lifeline = os.pipe()  # closed when we are gone, which its guardian hears
        machine = chosen()
        order = ChildOrder(
            "compiler.worker" if machine is None else "compiler.remote.bridge",
            ("--socket", path) if machine is None else bridge_arguments(machine, path),
            worker_environment(os.environ, path),
            reads=reads,
            folder=self._folder.path,
            session=True,
        )
        self._process = spawn(order)
        os.close(reads)
        self._printed = WorkerOutput()
        self._printer = threading.Thread(target=self._forward_output, daemon=True)
        self._printer.start()
        self._doing = "starting"
        self._reader = FrameReader()
        self._messages: list[Message] = []
        self._next = 1
        self._connection = self._accept()

    def __enter__(self) -> "WorkerClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker."""
        if not self._started:
            return
        left = left_by_program(self._process.pid, self._path)
        self._connection.close()
        self._listener.close()
        try:
            self._process.wait(timeout=_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()
        end_started(self._process.pid, self._path)
        for process in left:
            sys.stderr.write(f"loupe: the program left this running, and it was ended: {process}\n")
        self._printer.join(timeout=_GRACE_SECONDS)
        os.close(self._lifeline)
        # Whoever still holds the other end of its output is a stranger, and not waited for.
        if self._process.stdout is not None and not self._printer.is_alive():
            self._process.stdout.close()
        self._folder.remove()

    @overload
    def ask(self, body: RequestBody) -> ReplyBody: ...
    @overload
    def ask(self, body: RequestBody, answer: type[Answer]) -> Answer: ...
    def ask(self, body: RequestBody, answer: type[Answer] | None = None) -> ReplyBody:
        """Send a request and wait for its answer, which is of the class `answer`. Raises CommandFailedError, and NotTrustedError
        where it would execute what nobody agreed to; Ctrl+C cancels the request.
        """
        self._gate.check(body)
        if not self._started:
            self._start()
        deadline = time.monotonic() + self._timeout if self._timeout else None
        reply = self._asked(body, deadline)
        if reply is None:  # another program ran in this worker, and this one is to meet nothing of it
            self.close()
            self._start()
            reply = self._asked(body, deadline)
        if reply is None:
            fault = "This is a fault of Torch Loupe: please report it."
            raise CommandFailedError("A fresh engine did not take the program.", fault)
        assert answer is None or isinstance(reply, answer)
        return reply

    def _asked(self, body: RequestBody, deadline: float | None) -> ReplyBody | None:
        """The answer; None where another worker must be asked."""
        request = Request(self._next, body)
        self._next += 1
        self._connection.sendall(encode(request))
        try:
            return self._wait(request.id, deadline)
        except KeyboardInterrupt:
            self._cancel(request.id)
            raise

    def _wait(self, request: int, deadline: float | None) -> ReplyBody | None:
        while True:
            message = self._receive(deadline)
            if message is None:
                self._cancel(request)
                raise CommandFailedError(self._too_long(request))
            match message:
                case Reply() if message.id == request:
                    return message.body
                case Failure() if message.id == request:
                    raise CommandFailedError(message.problem)
                case FreshWorkerWanted() if message.id == request:
                    return None
                case Event(body=ProcessChanged(problem=problem)):
                    sys.stderr.write(f"loupe: {without_undo(problem).message()}\n")
                case Event():
                    if isinstance(message.body, Progress):
                        self._doing = message.body.text
                    self._on_event(message.body)
                case _:
                    continue

    def _too_long(self, request: int) -> Problem:
        """What the cancelled worker says of where it was, or what its stack says."""
        limit = time.monotonic() + _GRACE_SECONDS
        where: Problem | None = None
        while where is None:
            try:
                message = self._receive(limit)
            except CommandFailedError as error:
                where = error.problem
                break
            if message is None:
                break
            if isinstance(message, Failure) and message.id == request:
                where = message.problem
        if where is None:
            self._kill()
            self._printer.join(timeout=_GRACE_SECONDS)
            where = death_problem(
                Death("was killed because it did not stop", self._doing, self._printed.tail)
            )
        what = f"Stopped after {self._timeout:g} s, while it was doing this: {self._doing}. {where.what}"
        path, line = (where.path, where.line) if where.path else place_in(self._doing) or ("", None)
        return Problem(what, "Look at the line named here, or give --timeout more.", path, line)

    def _cancel(self, request: int) -> None:
        try:
            self._connection.sendall(encode(Request(self._next, CancelRequest(request))))
        except OSError:
            return
        self._next += 1

    def _kill(self) -> None:
        if self._process.poll() is None and hasattr(signal, "SIGUSR1"):
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(0.3)
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self._process.wait()

    def _accept(self) -> socket.socket:
        self._listener.settimeout(0.2)
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                if self._process.poll() is not None:
                    raise CommandFailedError(self._death()) from None
                continue
            return connection
        self._kill()
        raise CommandFailedError("The engine did not start.", "Run `loupe doctor` to see what is missing.")

    def _receive(self, deadline: float | None) -> Message | None:
        """The next message; None when the deadline passed. Raises CommandFailedError if the worker is gone."""
        while not self._messages:
            left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
            ready, _, _ = select.select([self._connection], [], [], left)
            if not ready:
                return None
            data = self._connection.recv(1 << 16)
            if not data:
                raise WorkerDiedError(self._death())
            try:
                self._messages += self._reader.feed(data)
            except BadFrameError as error:
                self._kill()
                what = f"The worker said what cannot be understood ({error}), and was ended."
                remedy = "Did the program write to descriptors that it did not open? Nothing was changed."
                raise CommandFailedError(what, remedy) from error
        return self._messages.pop(0)

    def _death(self) -> Problem:
        code = self._process.wait()
        self._printer.join(timeout=_GRACE_SECONDS)
        how = how_it_ended(code < 0, abs(code))
        return death_problem(Death(how, self._doing, self._printed.tail), restarts=False)

    def _forward_output(self) -> None:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while data := os.read(descriptor, 1 << 16):  # without a lock that closing would wait for
            _show(self._printed.feed(data))
        _show(self._printed.rest())


def _show(text: str) -> None:
    sys.stderr.write(AsItIs(text))
    sys.stderr.flush()
