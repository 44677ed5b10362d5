"""The requests that wait for an answer."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from app.engine_client.engine import OnFailure, OnReply
from compiler.model.protocol.messages import Failure, Reply, RequestBody
from compiler.model.protocol.requests import row_of


@dataclass
class PendingRequest:
    """One request on its way."""

    id: int
    body: RequestBody
    on_reply: OnReply
    on_failure: OnFailure
    key: Hashable
    sent: bool = False
    replaced: bool = False
    """A newer one took its place; its answer is dropped."""
    cancelled: bool = False
    """The person cancelled what was asked, this too."""


class PendingRequests:
    """A table by id, in the order they were asked. The worker does them one after another, so the first is under way."""

    def __init__(self) -> None:
        self._requests: dict[int, PendingRequest] = {}
        self._last_id = 0

    def new_id(self) -> int:
        """A number that was never used."""
        self._last_id += 1
        return self._last_id

    def add(
        self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable
    ) -> PendingRequest:
        """Put a new request on the table."""
        request = PendingRequest(self.new_id(), body, on_reply, on_failure, key)
        self._requests[request.id] = request
        return request

    def replace_older(self, key: Hashable) -> list[PendingRequest]:
        """Drop the answers of requests that a newer one with this key replaces; gives those that the worker has but has not begun."""
        queued = []
        current = self.current
        for request in list(self._requests.values()):
            if key is None or request.key != key:
                continue
            request.replaced = True
            if not request.sent:
                del self._requests[request.id]
            elif request is not current:
                queued.append(request)
        return queued

    def answer(self, message: Reply | Failure) -> PendingRequest | None:
        """Take the request that a message answers off the table; None for one that nobody asked."""
        return self._requests.pop(message.id, None)

    def take_all(self) -> list[PendingRequest]:
        """Empty the table; gives the requests whose askers still wait."""
        return self._take(lambda _request: True)

    def take_cancelled(self) -> list[PendingRequest]:
        """Take those off the table that the person cancelled; gives the requests whose askers still wait."""
        return self._take(lambda request: request.cancelled)

    def _take(self, wanted: Callable[[PendingRequest], bool]) -> list[PendingRequest]:
        taken = [self._requests.pop(request.id) for request in self if wanted(request)]
        return [request for request in taken if not request.replaced]

    def take_unsent(self) -> list[PendingRequest]:
        """Take those off the table that the worker does not have yet."""
        unsent = [request for request in self._requests.values() if not request.sent]
        for request in unsent:
            del self._requests[request.id]
        return unsent

    def send_again(self) -> None:
        """Another worker takes the place of the one that was asked, which had begun none of this."""
        for request in list(self._requests.values()):
            if request.replaced:
                del self._requests[request.id]
            request.sent = False

    @property
    def current(self) -> PendingRequest | None:
        """What the worker works on."""
        return next((request for request in self if request.sent and row_of(request.body).cancellable), None)

    def __iter__(self) -> Iterator[PendingRequest]:
        return iter(list(self._requests.values()))

    def __len__(self) -> int:
        return len(self._requests)
