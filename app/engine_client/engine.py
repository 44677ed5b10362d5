"""What the session needs of an engine. `EngineClient` is the real one; the tests have one that answers by hand."""

from collections.abc import Callable, Hashable
from typing import TypeVar

import msgspec
from PySide6.QtCore import QObject, Signal

from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.messages import Failure, ReplyBody, RequestBody
from compiler.model.protocol.progress import Step
from compiler.model.protocol.requests import replacement_key, row_of

OnReply = Callable[[ReplyBody], None]
OnFailure = Callable[[Failure], None]


Gate = Callable[[RequestBody], Problem | None]
Divert = Callable[[RequestBody, OnReply, OnFailure, Hashable], bool]
Answer = TypeVar("Answer", bound=ReplyBody)


def refuse_programs(body: RequestBody) -> Problem | None:
    """The gate of an engine that nobody gave one: it executes no program."""
    if not row_of(body).executes_program:
        return None
    return Problem(tr("The program was not run."), tr("This is a fault of Torch Loupe: please report it."))


class Engine(QObject):
    """A guest that may die. Answers come through the callbacks of `send`, everything else through signals."""

    state_changed = Signal()
    """`state`, `status_text`, `step`, `busy` or `generation` changed."""
    event_arrived = Signal(object)
    """A TimingStarted, TimingBatch or StagesGenerated."""
    output_arrived = Signal(str)
    """The user's program or the engine printed this."""
    problem_found = Signal(object)
    """A Problem that concerns no single request, such as the engine's death."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = "starting"
        """``starting``, ``ready``, ``busy`` or ``stopped``."""
        self.status_text = ""
        self.step: Step | None = None
        """Where the work is, as far as the worker says."""
        self.generation = 0
        """Grows with each new worker process; what an older one held is gone."""
        self.torch_version = ""
        self.divert: Divert = lambda *_: False
        """Takes what is not asked of a worker of ours, but of a program that runs by itself; says whether it did."""
        self.gate: Gate = refuse_programs
        """Says why a request is not sent; whoever knows whose program it is gives one."""

    @property
    def busy(self) -> bool:
        """Whether a request is being worked on."""
        return self.state == "busy"

    def ask(
        self,
        body: RequestBody,
        answer: type[Answer],
        then: Callable[[Answer | Problem], None],
        purpose: str = "",
    ) -> None:
        """Ask something; `then` is given the answer or why there is none. What is refused, cancelled, lost with the worker, or
        answered with another thing than the table promises, fails with words; only what a newer request replaces is
        not heard of again.
        """

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, answer):
                then(reply)
            else:
                what = tr("The engine answered {name} with {name2}.").format(
                    name=type(body).__name__, name2=type(reply).__name__
                )
                then(Problem(what, tr("This is a fault of Torch Loupe: please report it.")))

        self.send(body, on_reply, lambda failure: then(problem_of(failure)), purpose)

    def send(
        self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, purpose: str | None = ""
    ) -> int:
        """What `ask` does, for whoever must know a failure from a cancel. A newer request replaces an older one as the table
        has it, where both have the same purpose; with None none replaces it. What the gate refuses fails at once:
        this is the only way to a worker.
        """
        key = replacement_key(body, purpose) if purpose is not None else None
        if self.divert(body, on_reply, on_failure, key):
            return 0
        problem = self.gate(body)
        if problem is None:
            return self._send(body, on_reply, on_failure, key)
        on_failure(failure_of(problem))
        return 0

    def _send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable) -> int:
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop what the engine is doing now; its requests fail as cancelled."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the worker, if none runs."""
        raise NotImplementedError

    def wake(self) -> None:
        """Start the first worker, if none was started yet: a window that follows a running program leaves the machine to it
        until an engine is needed. One that stopped for a reason stays so.
        """
        if self.generation == 0 and self.state == "stopped":
            self.start()

    def restart(self) -> None:
        """End the worker, if one runs, and start another."""
        raise NotImplementedError

    def shut_down(self) -> None:
        """End the worker for good."""
        raise NotImplementedError


def failure_of(problem: Problem, cancelled: bool = False) -> Failure:
    """A failure that no worker sent: the request never reached one, or it died over it."""
    return Failure(0, problem, cancelled)


def problem_of(failure: Failure) -> Problem:
    """What to report of a failure: that something was cancelled is what the person wanted."""
    if failure.cancelled:
        return msgspec.structs.replace(failure.problem, severity=Severity.NOTE)
    return failure.problem
