"""Streams and events of a GPU that is not here: they can be made, entered, recorded and waited for. Nothing runs, so all are done;
who listens is reported who waits for what.

GIVES: Dynamo traces streams and events of the GPU as it does with one; programs and FSDP2 use them outside of graphs.
NEEDS: ``torch.Stream`` and ``torch.Event`` as bases, streams by number (``stream_id``), what ``torch.cuda`` asks ``torch._C`` about streams.
"""

import contextlib
import functools
import itertools
import sys
import types
from collections.abc import Iterator
from typing import Any, Protocol

import torch
import torch.cuda.streams

from compiler.engine.torch_internals.fake_gpu.bound_early import Replaced, as_torchs, put

_CUDA = 1
"""``c10::DeviceType::CUDA``."""
_numbers = itertools.count(1)
_AnyStream: Any = torch._C.Stream
_AnyEvent: Any = torch._C.Event


class Queues(Protocol):
    """What is told of streams."""

    stream: int
    """The number of the one that the program chose; 0 is the default one."""

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


_queues: list[Queues] = [_Nothing()]
"""The last one is reported."""


@contextlib.contextmanager
def emitting(queues: Queues) -> Iterator[None]:
    """While this is entered, these are reported."""
    _queues.append(queues)
    try:
        yield
    finally:
        _queues.remove(queues)


class _StandsFor(type(_AnyStream)):  # type: ignore[misc]
    """What C++ makes of the base class counts as of the class that stands for it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return super().__instancecheck__(instance) or (cls in _OF_ANY and isinstance(instance, cls.__base__))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return super().__subclasscheck__(subclass) or (cls in _OF_ANY and issubclass(subclass, cls.__base__))


class Stream(_AnyStream, metaclass=_StandsFor):  # type: ignore[misc]
    """As ``torch.Stream``."""

    cuda_stream = 0
    priority = 0

    def __new__(cls, *arguments: Any, **keywords: Any) -> "Stream":
        """A new one, or that of a number."""
        number = keywords.get("stream_id")
        number = next(_numbers) if number is None else number
        made: Stream = super().__new__(cls, stream_id=number, device_index=0, device_type=_CUDA)
        return made

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The lowest and the highest, as torch has them on any GPU since Volta."""
        return 0, -3

    def is_capturing(self) -> bool:
        """Nothing is captured into a CUDA graph."""
        return False

    @property
    def native_handle(self) -> int:
        """Some number, of which nobody can do anything."""
        number: int = self.stream_id
        return number

    def wait_event(self, event: Any) -> None:
        """What comes next here begins after it."""
        _queues[-1].wait(self.stream_id, event._moment)

    def wait_stream(self, stream: Any) -> None:
        """What comes next here begins after all of that so far."""
        _queues[-1].wait(self.stream_id, _queues[-1].latest(stream.stream_id))

    def synchronize(self) -> None:
        """Nothing runs."""

    def query(self) -> bool:
        """Whether all is done."""
        return True

    def record_event(self, event: Any = None) -> Any:
        """The event, recorded."""
        event = torch.cuda.Event() if event is None else event
        event.record(self)
        return event

    def __deepcopy__(self, _memo: object) -> "Stream":
        """A model that holds it is copied with fakes for its tensors."""
        return self

    def __enter__(self) -> "Stream":
        self._before = _queues[-1].stream
        _choose(self.stream_id)
        return self

    def __exit__(self, *_error: object) -> None:
        _choose(self._before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _AnyStream) and other.stream_id == self.stream_id

    def __hash__(self) -> int:
        return hash(self.stream_id)


class Event(_AnyEvent, metaclass=_StandsFor):  # type: ignore[misc]
    """As ``torch.Event``."""

    cuda_event = 0

    def __new__(cls, *arguments: Any, **keywords: Any) -> "Event":
        """One that is not recorded yet."""
        timing = bool(keywords.get("enable_timing", bool(arguments) and arguments[0] is True))
        made: Event = super().__new__(cls, device="cuda", enable_timing=timing)
        made._recorded, made._moment = False, -1
        return made

    def __deepcopy__(self, _memo: object) -> "Event":
        """As a stream."""
        return self

    def record(self, stream: Any = None) -> None:
        """After all of the stream so far."""
        self._recorded, self._moment = True, _queues[-1].latest(_number(stream))

    def wait(self, stream: Any = None) -> None:
        """What comes next in the stream begins after it."""
        _queues[-1].wait(_number(stream), self._moment)

    def synchronize(self) -> None:
        """Nothing runs."""

    def query(self) -> bool:
        """Whether it is over."""
        return True

    def elapsed_time(self, end_event: "Event") -> float:
        """A millisecond: a program may divide by it, and nothing runs. Raises ValueError where one was not recorded, as torch does."""
        if not (self._recorded and end_event._recorded):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return 1.0


class _StreamOfCuda(Stream):
    pass


class _EventOfCuda(Event):
    pass


_OF_ANY = {Stream, Event}


def install() -> list[Replaced]:
    """Put all of it where torch has its own."""
    pairs = (
        (_StreamOfCuda, torch.cuda.Stream),
        (_EventOfCuda, torch.cuda.Event),
        (Stream, _AnyStream),
        (Event, _AnyEvent),
    )
    for made, stood in pairs:
        made.__name__, made.__qualname__, made.__module__ = (
            stood.__name__,
            stood.__qualname__,
            stood.__module__,
        )
        for function in vars(made).values():
            if isinstance(function, types.FunctionType):
                as_torchs(function, torch.cuda.streams)
    put(torch._C, "Event", Event)  # in torch itself it stays, since the processor's is derived from it
    put(torch._C, "Stream", Stream)
    replaced = [put(torch.mtia, "Stream", Stream), put(torch, "Stream", Stream)]
    for module in (torch.cuda, torch.cuda.streams):
        replaced += [put(module, "Stream", _StreamOfCuda), put(module, "Event", _EventOfCuda)]
    replaced += [
        put(torch._C, "_cuda_getCurrentStream", lambda _device: (_queues[-1].stream, 0, _CUDA)),
        put(torch._C, "_cuda_getDefaultStream", lambda _device: (0, 0, _CUDA)),
        put(torch._C, "_cuda_setStream", lambda stream_id, **_device: _choose(stream_id)),
        put(torch._C, "_accelerator_getStream", lambda _device: Stream(stream_id=_queues[-1].stream)),
        put(torch._C, "_accelerator_setStream", lambda stream: _choose(stream.stream_id)),
        put(torch._C, "_accelerator_synchronizeDevice", lambda _device: None),
    ]
    user_defined = sys.modules.get("torch._dynamo.variables.user_defined")
    classes = getattr(getattr(user_defined, "UserDefinedClassVariable", None), "_in_graph_classes", None)
    if isinstance(classes, functools._lru_cache_wrapper):  # it has torch's own, asked for before
        classes.cache_clear()
    return replaced


def _number(stream: Any) -> int:
    """The chosen one where none is named."""
    number: int = _queues[-1].stream if stream is None else stream.stream_id
    return number


def _choose(number: int) -> None:
    _queues[-1].stream = number
