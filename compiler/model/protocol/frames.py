"""Messages as they pass through a socket, and what is not passed again.

A frame is four bytes, the length of what follows (big endian), and a MessagePack document: a message, or `Parts`. Large
messages, those with a capture, go in parts: what the capture shares with the last whole one that passed is named and not
sent, and the rest can be read piece by piece, so that a window answers meanwhile.
"""

import hashlib
import struct
from collections.abc import Generator, Sequence
from typing import Any, TypeAlias

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.capture_lists import LISTS, finished, items_read, shared_by_all
from compiler.model.protocol.messages import CaptureMade, Event, Message, Reply
from compiler.model.protocol.run_events import RunCaptured
from compiler.model.session_file.shared_decoding import Shared

_HEADER = struct.Struct(">I")
LARGEST_FRAME = 1 << 30


class BadFrameError(ValueError):
    """The other side sent something that is not a message."""


class _List(msgspec.Struct, frozen=True, array_like=True):
    """One of a capture's lists."""

    places: tuple[int, ...]
    """For each item where it stands in the same list of the base, or -1 for the next of `items`."""
    items: tuple[msgspec.Raw, ...]


class Parts(msgspec.Struct, frozen=True, tag="parts"):
    """A message with a capture."""

    message: msgspec.Raw
    """As it is, but the capture's lists are empty."""
    base: CaptureId
    """The capture that lists refer to; empty where nothing is shared."""
    lists: dict[str, _List]


# Made when the module is loaded, since msgspec looks up annotations by module name, and the worker later hides ours.
_ENCODER = msgspec.msgpack.Encoder()
_MESSAGES: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)
_Frame: TypeAlias = Message | Parts
_FRAMES: msgspec.msgpack.Decoder[_Frame] = msgspec.msgpack.Decoder(_Frame)


def encode(message: Message) -> bytes:
    """A message as a frame by itself, header included."""
    return _framed(_ENCODER.encode(message))


def _framed(body: bytes) -> bytes:
    return _HEADER.pack(len(body)) + body


class FrameWriter:
    """The sending end of one stream."""

    def __init__(self) -> None:
        self._base: CaptureId = ""
        self._known: dict[str, dict[bytes, int]] = {}
        """List → digest of an item of the base → its place."""
        self._digests: dict[int, tuple[Any, bytes]] = {}
        """``id()`` of an item of the base → the item, and its digest."""

    def encode(self, message: Message) -> bytes:
        """A message as a frame, which only the reader of this stream can read."""
        body = self._encoded(message)
        # the parts it was made of are gone now: a large capture is held twice, not three times
        return _framed(body)

    def _encoded(self, message: Message) -> bytes:
        body = message.body if isinstance(message, Reply | Event) else None
        capture = getattr(body, "capture", None)
        if not isinstance(capture, Capture) or body is None:
            return _ENCODER.encode(message)
        if isinstance(message, Event) and isinstance(body, RunCaptured):
            return self._grown(message, body.capture)
        encoded = {name: [_ENCODER.encode(item) for item in getattr(capture, name)] for name in LISTS}
        shares = bool(self._base) and not isinstance(body, CaptureMade)
        lists = {
            name: self._shared(name, items) if shares else _List((), _raw(items))
            for name, items in encoded.items()
            if items
        }
        if isinstance(body, CaptureMade):
            self._base = capture.id
            self._known = {
                name: {_digest(item): place for place, item in enumerate(items)}
                for name, items in encoded.items()
            }
        return _in_parts(message, capture, self._base if shares else "", lists)

    def _grown(self, message: Event, capture: Capture) -> bytes:
        """A capture that grows: each is the base of the next, and what is the same object as before is not encoded again."""
        base, lists, known, digests = self._base, {}, {}, {}
        for name in LISTS:
            before, places, fresh = self._known.get(name, {}), [], []
            own = known[name] = dict[bytes, int]()
            for index, item in enumerate(getattr(capture, name)):
                found = self._digests.get(id(item))
                encoded = b"" if found is not None else _ENCODER.encode(item)
                digest = found[1] if found is not None else _digest(encoded)
                digests[id(item)] = (item, digest)
                own[digest] = index
                places.append(before.get(digest, -1))
                if places[-1] < 0:
                    fresh.append(encoded or _ENCODER.encode(item))
            if places:
                lists[name] = _List(tuple(places), _raw(fresh))
        self._base, self._known, self._digests = capture.id, known, digests
        return _in_parts(message, capture, base, lists)

    def _shared(self, name: str, items: Sequence[bytes]) -> _List:
        known = self._known.get(name, {})
        places = tuple(known.get(_digest(item), -1) for item in items)
        return _List(places, _raw([item for item, place in zip(items, places, strict=True) if place < 0]))


def _in_parts(message: Message, capture: Capture, base: CaptureId, lists: dict[str, _List]) -> bytes:
    empty: Any = msgspec.structs.replace(capture, **dict.fromkeys(LISTS, ()))
    whole: Any = message
    rest = msgspec.structs.replace(whole, body=msgspec.structs.replace(whole.body, capture=empty))
    return _ENCODER.encode(Parts(msgspec.Raw(_ENCODER.encode(rest)), base, lists))


def _digest(item: bytes) -> bytes:
    return hashlib.blake2b(item, digest_size=16).digest()


def _raw(items: Sequence[bytes]) -> tuple[msgspec.Raw, ...]:
    return tuple(map(msgspec.Raw, items))


class FrameReader:
    """The receiving end of one stream: cuts it into messages. Feed it what arrives; it keeps the rest."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._base: Capture | None = None
        """The last whole capture that passed."""

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are whole now. Raises BadFrameError."""
        return [finished(self.read(frame)) for frame in self.cut(data)]

    def cut(self, data: bytes) -> list[bytes]:
        """The frames that are whole now, to be read in this order, each before the next. Raises BadFrameError."""
        self._buffer += data
        frames: list[bytes] = []
        while len(self._buffer) >= _HEADER.size:
            (length,) = _HEADER.unpack_from(self._buffer)
            if length > LARGEST_FRAME:
                raise BadFrameError(f"a frame of {length} bytes is too large")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            frames.append(bytes(self._buffer[_HEADER.size : end]))
            del self._buffer[:end]
        return frames

    def read(self, frame: bytes) -> Generator[None, None, Message]:
        """Read a frame with a pause after each large piece; the message is what the generator returns. Raises BadFrameError."""
        try:
            found = _FRAMES.decode(frame)
            if not isinstance(found, Parts):
                return found
            message = _MESSAGES.decode(found.message)
            if not isinstance(message, Reply | Event) or not isinstance(
                capture := getattr(message.body, "capture", None), Capture
            ):
                raise BadFrameError("parts of a capture without a capture")
            lists, shared = {}, shared_by_all()
            for name, row in found.lists.items():
                lists[name] = yield from self._list(name, row, found.base, shared)
            whole = msgspec.structs.replace(capture, **lists)
        except (*UNREADABLE, KeyError, IndexError) as error:
            raise BadFrameError(str(error)) from error
        if isinstance(message.body, CaptureMade | RunCaptured):
            self._base = whole
        body: Any = msgspec.structs.replace(message.body, capture=whole)
        return msgspec.structs.replace(message, body=body)

    def _list(
        self, name: str, row: _List, base: CaptureId, shared: Shared
    ) -> Generator[None, None, tuple[Any, ...]]:
        items = yield from items_read(name, row.items, shared)
        if not row.places:
            return tuple(items)
        if not base and all(place < 0 for place in row.places):
            return tuple(items)
        if self._base is None or self._base.id != base:
            raise BadFrameError(f"parts of {base}, which did not pass")
        known, own = getattr(self._base, name), iter(items)
        try:
            return tuple(known[place] if place >= 0 else next(own) for place in row.places)
        except RuntimeError as error:  # what a missing item becomes in there
            raise BadFrameError(f"a part of {name} is missing") from error
