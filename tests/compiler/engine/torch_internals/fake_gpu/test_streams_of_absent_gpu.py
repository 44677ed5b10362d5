"""Streams of a GPU that is not there have all that torch's have: whoever gets one may use any of it."""

import pytest
import torch

from compiler.engine.torch_internals.fake_gpu.driver.streams import Event, Stream, emitting

pytestmark = pytest.mark.engine
_OF_C = {"device", "device_index", "device_type", "stream_id"}
"""What is read without a driver."""
_ONE_PROCESS = {"from_ipc_handle", "ipc_handle", "event_id"}
"""Of events: what shares them with other processes."""


def names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def ours(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


def test_nothing_of_a_stream_or_an_event_asks_the_driver() -> None:
    assert names(torch.Stream) | names(torch.cuda.Stream) <= ours(Stream) | _OF_C
    assert names(torch.Event) | names(torch.cuda.Event) <= ours(Event) | _OF_C | _ONE_PROCESS


class _Queues:
    stream = 0

    def __init__(self) -> None:
        self.waits: list[tuple[int, int]] = []

    def latest(self, stream: int) -> int:
        return 10 * stream

    def wait(self, stream: int, moment: int) -> None:
        self.waits.append((stream, moment))


def test_who_waits_for_whom_is_reported() -> None:
    one, two = Stream(stream_id=1), Stream(stream_id=2)
    event: Event = torch.Event.__new__(
        Event, device="cpu"
    )  # one of the GPU wants a driver, or who stands for it
    with emitting(queues := _Queues()):
        two.wait_stream(one)
        with two:
            assert queues.stream == 2
            event.record()
        event.wait(one)
        one.wait_event(event)
        event.record(one)
        event.wait()
    two.wait_stream(one)  # nobody listens any more
    assert queues.stream == 0
    assert queues.waits == [(2, 10), (1, 20), (1, 20), (0, 10)]
