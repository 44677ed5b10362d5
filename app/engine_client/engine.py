"""What the session needs of an engine. `EngineClient` is the real one; the tests have one that answers by hand."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import Failure, ReplyBody, RequestBody
from compiler.model.protocol.progress import Step
from compiler.model.protocol.requests import row_of

OnReply = Callable[[ReplyBody], None]
OnFailure = Callable[[Failure], None]


Gate = Callable[[RequestBody], Problem | None]
Divert = Callable[[RequestBody, OnReply, OnFailure, str], bool]


def refuse_programs(body: RequestBody) -> Problem | None:
    """The gate of an engine that nobody gave one: it executes no program."""
    if not row_of(body).executes_program:
        return None
    return Problem("The program was not run.", "This is a fault of Torch Loupe: please report it.")


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

    def send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, tag: str = "") -> int:
        """Ask something. A newer request with the same tag replaces an older one, whose answer is dropped. What the gate
        refuses fails at once: this is the only way to a worker.
        """
        if self.divert(body, on_reply, on_failure, tag):
            return 0
        problem = self.gate(body)
        if problem is None:
            return self._send(body, on_reply, on_failure, tag)
        on_failure(failure_of(problem))
        return 0

    def _send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, tag: str) -> int:
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
