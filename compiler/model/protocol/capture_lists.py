"""A capture's lists, its stages and links and the like, read item by item: what is equal becomes one object, and no outline of
the whole is held beside it.
"""

import typing
from collections.abc import Generator, Iterable
from typing import Any, TypeVar

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem
from compiler.model.session_file.shared_decoding import Shared, SharingDecoder

_Read = TypeVar("_Read")
_NULL = msgspec.Raw(msgspec.msgpack.encode(None))
_LARGE = 1 << 16
"""Bytes; pieces of less are read together."""

# Made when the module is loaded, since msgspec looks up annotations by module name, and the worker later hides ours.
LISTS: dict[str, SharingDecoder[Any]] = {
    field.name: SharingDecoder(typing.get_args(field.type)[0], msgspec.msgpack.Decoder)
    for field in msgspec.structs.fields(Capture)
    if typing.get_origin(field.type) is tuple
}
"""What each list of a capture holds."""


class _Answer(msgspec.Struct):
    """`absent_gpu.Answer`, the capture as it is encoded."""

    capture: msgspec.Raw = _NULL
    problem: Problem | None = None


_ANSWERS: msgspec.msgpack.Decoder[_Answer] = msgspec.msgpack.Decoder(_Answer)
_FIELDS: msgspec.msgpack.Decoder[dict[str, msgspec.Raw]] = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_ITEMS: msgspec.msgpack.Decoder[tuple[msgspec.Raw, ...]] = msgspec.msgpack.Decoder(tuple[msgspec.Raw, ...])
_CAPTURES: msgspec.msgpack.Decoder[Capture] = msgspec.msgpack.Decoder(Capture)
_ENCODER = msgspec.msgpack.Encoder()


def shared_by_all() -> Shared:
    """What the items of one capture's lists share; nothing yet."""
    return LISTS["stages"].shared()


def items_read(name: str, encoded: Iterable[msgspec.Raw], shared: Shared) -> Generator[None, None, list[Any]]:
    """The items of the list of that name, with a pause after each large piece. Raises what msgspec's decoder raises."""
    decoder, items, size = LISTS[name], [], 0
    for raw in encoded:
        items.append(decoder.decode(raw, shared))
        size += len(memoryview(raw))
        if size > _LARGE:
            size = 0
            yield
    return items


def read_answer(encoded: bytes) -> tuple[Capture | None, Problem | None]:
    """What an `absent_gpu.Answer` holds, decoded with less memory. Raises what msgspec's decoder raises."""
    answer = _ANSWERS.decode(encoded)
    return (None if answer.capture == _NULL else _capture(answer.capture)), answer.problem


def _capture(encoded: msgspec.Raw) -> Capture:
    fields = _FIELDS.decode(encoded)
    rest = _CAPTURES.decode(_ENCODER.encode({**fields, **dict.fromkeys(LISTS, ())}))
    shared = shared_by_all()
    read = {
        name: tuple(finished(items_read(name, _ITEMS.decode(fields[name]), shared)))
        for name in LISTS
        if name in fields
    }
    return msgspec.structs.replace(rest, **read)


def finished(reading: Generator[None, None, _Read]) -> _Read:
    """What is read, without pauses."""
    while True:
        try:
            next(reading)
        except StopIteration as done:
            whole: _Read = done.value
            return whole
