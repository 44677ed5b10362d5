"""An engine without a worker: it remembers what it was asked and answers when the test says so."""

from collections.abc import Hashable

from app.engine_client.engine import Engine, OnFailure, OnReply
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import Failure, ReplyBody, RequestBody


class SentRequest:
    """One request."""

    def __init__(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable) -> None:
        self.body = body
        self.key = key
        self._on_reply = on_reply
        self._on_failure = on_failure
        self.replaced = False

    def reply(self, body: ReplyBody) -> None:
        if not self.replaced:
            self._on_reply(body)

    def fail(self, what: str | Problem = "It went wrong.", cancelled: bool = False) -> None:
        if not self.replaced:
            self._on_failure(Failure(0, what if isinstance(what, Problem) else Problem(what), cancelled))


class FakeEngine(Engine):
    def __init__(self) -> None:
        super().__init__()
        self.state = "ready"
        self.generation = 1
        self.asked: list[SentRequest] = []
        self.cancelled = 0

    def _send(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable) -> int:
        for older in self.asked:
            older.replaced |= key is not None and older.key == key
        self.asked.append(SentRequest(body, on_reply, on_failure, key))
        return len(self.asked)

    def last(self, kind: type[RequestBody]) -> SentRequest:
        """The newest request of a kind."""
        return next(asked for asked in reversed(self.asked) if isinstance(asked.body, kind))

    def count(self, kind: type[RequestBody]) -> int:
        return sum(isinstance(asked.body, kind) for asked in self.asked)

    def set_state(self, state: str, text: str = "") -> None:
        self.state, self.status_text = state, text
        self.state_changed.emit()

    def die(self) -> None:
        """The worker is gone and another one is ready: what was asked fails, what it held is lost."""
        for asked in self.asked:
            asked.fail("The engine ended.")
            asked.replaced = True
        self.generation += 1
        self.set_state("ready")

    def cancel(self) -> None:
        self.cancelled += 1

    def start(self) -> None:
        self.set_state("ready")

    def restart(self) -> None:
        self.die()

    def shut_down(self) -> None:
        self.set_state("stopped")
