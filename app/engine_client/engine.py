"""What the session needs of an engine. `EngineClient` is the real one; the tests have one that answers by hand."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import Failure, ReplyBody, RequestBody

OnReply = Callable[[ReplyBody], None]
OnFailure = Callable[[Failure], None]


class Engine(QObject):
    """A guest that may die. Answers come through the callbacks of `send`, everything else through signals."""

    state_changed = Signal()
    """`state`, `status_text`, `busy` or `generation` changed."""
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
        self.generation = 0
        """Grows with each new worker process; what an older one held is gone."""
        self.torch_version = ""

    @property
    def busy(self) -> bool:
        """Whether a request is being worked on."""
        return self.state == "busy"

    def send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, tag: str = "") -> int:
        """Ask something. A newer request with the same tag replaces an older one, whose answer is dropped."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop what the engine is doing now; its requests fail as cancelled."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the worker, if none runs."""
        raise NotImplementedError

    def restart(self) -> None:
        """End the worker, if one runs, and start another."""
        raise NotImplementedError

    def shut_down(self) -> None:
        """End the worker for good."""
        raise NotImplementedError


def failure_of(problem: Problem, cancelled: bool = False) -> Failure:
    """A failure that no worker sent: the request never reached one, or it died over it."""
    return Failure(0, problem, cancelled)
