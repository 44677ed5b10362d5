"""What recompiles leave for the collector is looked through while nobody waits, and never while somebody does."""

import gc
import queue
import types
from collections.abc import Iterator

import pytest

from compiler.model.protocol.messages import Recompile, Request
from compiler.worker import serving
from compiler.worker.serving import Server
from tests.helpers.full_collections import full_collections

pytestmark = pytest.mark.engine
ASKED = Request(7, Recompile("capture-1", (), "capture-2"))


@pytest.fixture
def full() -> Iterator[list[int]]:
    """A number for each full collection."""
    with full_collections() as seen:
        yield seen


class Requests(queue.SimpleQueue[Request]):
    """One that comes only after the server has waited for a while."""

    def get(self, block: bool = True, timeout: float | None = None) -> Request:
        if self.empty():
            self.put(ASKED)
            if timeout is not None:
                raise queue.Empty
        return super().get(block, timeout)


def server(requests: queue.SimpleQueue[Request], left_over: bool) -> Server:
    made = Server.__new__(Server)
    made._connection = types.SimpleNamespace(requests=requests)  # type: ignore[assignment]
    made._left_over = left_over
    return made


def test_after_a_recompile_all_is_looked_through_once_nothing_follows(full: list[int]) -> None:
    waiting = server(Requests(), left_over=True)
    assert waiting._next_request() is ASKED
    assert len(full) == 1
    waiting._next_request()
    assert len(full) == 1, "nothing was made since"


def test_a_request_that_waits_is_taken_at_once(full: list[int]) -> None:
    requests = Requests()
    requests.put(ASKED)
    assert server(requests, left_over=True)._next_request() is ASKED
    assert full == []


def test_a_collector_that_is_off_stays_off(full: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_IDLE_S", 0.01)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    requests.put(ASKED)
    gc.disable()
    try:
        assert server(requests, left_over=True)._next_request() is ASKED
    finally:
        gc.enable()
    assert full == []
