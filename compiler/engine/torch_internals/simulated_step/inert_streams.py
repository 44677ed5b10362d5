"""Streams and events of a GPU that is not there: they say who waits for what, and do nothing. For good.

GIVES: ``torch.cuda.Stream``, ``Event``, ``current_stream`` and ``stream`` for FSDP2 and programs that use them.
NEEDS: that FSDP2 finds these names in ``torch.cuda``, and ``current_stream`` in ``torch.accelerator``, when it is asked for them.
"""

import contextlib
from collections.abc import Iterator
from typing import Any, Protocol

import torch

GIVES = "streams of a GPU that is not there"
NEEDS = (
    "torch.cuda:current_stream",
    "torch.cuda:stream",
    "torch.cuda:Stream",
    "torch.cuda:Event",
    "torch.accelerator:current_stream",
)


class Queues(Protocol):
    """What is told of streams."""

    stream: int
    """The one that things are launched on now."""

    def latest(self, stream: int) -> int:
        """The last thing launched on a stream; -1 for none."""
        ...

    def wait(self, stream: int, moment: int) -> None:
        """What is launched next on `stream` begins after that."""
        ...


class _Nothing:
    """Before anybody listens."""

    stream = 0

    def latest(self, stream: int) -> int:
        return -1

    def wait(self, stream: int, moment: int) -> None:
        pass


queues: list[Queues] = [_Nothing()]
"""The last one is told."""
_made: list[int] = [0]
_CUDA = 1
"""``c10::DeviceType::CUDA``, as streams tell it."""


class InertStream:
    """A queue of the GPU."""

    def __init__(
        self, device: Any = None, priority: int = 0, number: int | None = None, **_more: Any
    ) -> None:
        if number is None:
            _made[0] += 1
            number = _made[0]
        self.number = self.stream_id = self.cuda_stream = number
        self.priority = priority
        self.device = torch.device("cuda", 0)
        self.device_index = 0
        self.device_type = _CUDA

    def wait_event(self, event: "InertEvent") -> None:
        """What comes next here waits for it."""
        queues[-1].wait(self.number, event.moment)

    def wait_stream(self, stream: "InertStream") -> None:
        """What comes next here waits for all of that so far."""
        queues[-1].wait(self.number, queues[-1].latest(stream.number))

    def record_event(self, event: "InertEvent | None" = None) -> "InertEvent":
        """An event after all of this so far."""
        event = event or InertEvent()
        event.record(self)
        return event

    def synchronize(self) -> None:
        """There is nothing to wait for."""

    def query(self) -> bool:
        """All is done."""
        return True

    def is_capturing(self) -> bool:
        """Nothing is captured into a CUDA graph."""
        return False

    @property
    def native_handle(self) -> int:
        """As ``torch.Stream`` gives it."""
        return self.number

    def __enter__(self) -> "InertStream":
        self._before = queues[-1].stream
        queues[-1].stream = self.number
        return self

    def __exit__(self, *_error: object) -> None:
        queues[-1].stream = self._before

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InertStream) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)


class InertEvent:
    """A point in a stream."""

    def __init__(self, *_given: Any, **_named: Any) -> None:
        self.moment = -1

    def record(self, stream: InertStream | None = None) -> "InertEvent":
        """After all of the stream so far."""
        number = stream.number if stream is not None else queues[-1].stream
        self.moment = queues[-1].latest(number)
        return self

    def wait(self, stream: InertStream | None = None) -> None:
        """The stream waits for it."""
        queues[-1].wait(stream.number if stream is not None else queues[-1].stream, self.moment)

    def synchronize(self) -> None:
        """There is nothing to wait for."""

    def query(self) -> bool:
        """It has happened."""
        return True

    def elapsed_time(self, _other: "InertEvent") -> float:
        """No time passes."""
        return 0.0


@contextlib.contextmanager
def _within(stream: InertStream | None) -> Iterator[None]:
    if stream is None:
        yield
        return
    with stream:
        yield


def install() -> None:
    """Put them in place of torch's."""

    def current(_device: Any = None) -> InertStream:
        return InertStream(number=queues[-1].stream)

    def accelerators_current(
        _device: Any = None,
    ) -> InertStream:  # Dynamo knows both, each by its own function
        return current()

    names: dict[str, Any] = {
        "Stream": InertStream,
        "Event": InertEvent,
        "current_stream": current,
        "default_stream": lambda _device=None: InertStream(number=0),
        "stream": _within,
    }
    for name, stands in names.items():
        setattr(torch.cuda, name, stands)
    # FSDP2 waits on this one for what it gathered and did not need; a stream of torch's own reads our events as its own
    torch.accelerator.current_stream = accelerators_current  # type: ignore[assignment]
