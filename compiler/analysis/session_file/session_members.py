"""The members of a session file, each read for itself: a fault in one costs that one, also where the end of the file is gone.

Nothing is ever written to disk, and nothing unpacks to more than it may: the file may be a stranger's.
"""

import os
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, BinaryIO

from compiler.analysis.session_file.read_ahead import ReadAhead
from compiler.model.session_file.reading_limits import CHUNK, Meter, ReadingStoppedError, TooLargeError

LARGEST_RATIO = 400
"""Unpacked to packed size of one member; JSON of graphs reaches about 40."""
MOST_MEMBERS = 40_000
_LARGEST_LIST = 16 << 20
"""Bytes of the archive's list of members, which is read whole."""
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 1 << 16
_LONG_END = b"PK\x06\x07"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_HEADER = struct.Struct("<4sHHHHHLLLHH")
_SIGNATURE = b"PK\x03\x04"


class MemberError(ValueError):
    """A member can't be read; the message says why."""


class Members:
    """What an archive holds, by name."""

    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        """Raises MemberError for what is no archive at all."""
        self.cut_short = ""
        """Why the archive's own list of members could not be used, where that is so."""
        self._meter = meter
        self._ahead: ReadAhead | None = None
        _check_list(stream)
        try:
            self._archive: zipfile.ZipFile | None = zipfile.ZipFile(stream)
            self._found: Mapping[str, bytes] = {}
            self.names = tuple(dict.fromkeys(member.filename for member in self._archive.infolist()))
        except Exception as error:  # noqa: BLE001  whatever zipfile makes of bytes that a stranger chose
            self._archive = None
            self.cut_short = str(error) or type(error).__name__
            stream.seek(0)
            self._found = dict(_scanned(stream.read()))
            self.names = tuple(self._found)
        if len(self.names) > MOST_MEMBERS:
            raise MemberError(f"it has {len(self.names)} members; a session has at most {MOST_MEMBERS}")

    @contextmanager
    def ahead(self, names: Iterable[str]) -> Iterator[None]:
        """Members that are read in this order are unpacked in another thread meanwhile, as far as all of them may be."""
        listed = dict.fromkeys(names)
        if self._archive is None or sum(map(self._declared, listed)) >= self._meter.left:
            yield
            return
        with ReadAhead(self._unpacked_ahead, tuple(listed)) as self._ahead:
            try:
                yield
            finally:
                self._ahead = None

    def _declared(self, name: str) -> int:
        """Bytes that a member says it holds."""
        member = self._archive.NameToInfo.get(name) if self._archive is not None else None
        return member.file_size if member is not None else 0

    def _unpacked_ahead(self, name: str) -> bytes | None:
        """A member, not counted yet; None where it is to be read with its faults."""
        member = self._archive.NameToInfo.get(name) if self._archive is not None else None
        if self._archive is None or member is None or _refused(member):
            return None
        try:
            with self._archive.open(member) as stream:
                return stream.read(member.file_size + 1)
        except Exception:  # noqa: BLE001  as `read` will
            return None

    def read(self, name: str) -> bytes:
        """What a member holds. Raises MemberError, and TooLargeError where the whole file is too much."""
        if self._ahead is not None and (data := self._ahead.take(name)) is not None:
            self._meter.count(data)
            return data
        if self._archive is None:
            if name not in self._found:
                raise MemberError("it is not there")
            data = _inflated(self._found[name], self._meter.left)
            self._meter.count(data)
            return data
        try:
            member = self._archive.getinfo(name)
        except KeyError:
            raise MemberError("it is not there") from None
        if refused := _refused(member):
            raise MemberError(refused)
        try:
            with self._archive.open(member) as stream:
                data = self._unpacked(stream, member.file_size)
        except (TooLargeError, ReadingStoppedError):
            raise
        except Exception as error:  # zipfile and zlib raise many kinds
            raise MemberError(f"it is damaged ({error})") from error
        if len(data) > member.file_size:
            raise MemberError("it is larger than it says")
        return data

    def _unpacked(self, stream: IO[bytes], size: int) -> bytes:
        """What a member says it holds, and up to one byte more; at once where that is allowed."""
        if size >= self._meter.left:
            return self._meter.gather(_chunks(stream, size))
        data = stream.read(size + 1)
        self._meter.count(data)
        return data


def _refused(member: zipfile.ZipInfo) -> str:
    """Why a member is not unpacked; empty where it may be."""
    if member.file_size > LARGEST_RATIO * max(member.compress_size, 64):
        return "it unpacks to far more than it should"
    # the others unpack without a bound
    return "" if member.compress_type in _METHODS else "it is packed in another way"


def _check_list(stream: BinaryIO) -> None:
    """Refuse a list of members that is longer than any of ours: it would be read whole."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(size - _LONGEST_COMMENT - _END_SIZE, 0))
    tail = stream.read()
    stream.seek(0)
    end = len(tail) - _END_SIZE
    if not (tail[end:].startswith(_END) and tail.endswith(b"\0\0")):  # as zipfile looks for it
        end = tail.rfind(_END)
    if end < 0 or end + _END_SIZE > len(tail):
        return
    members, length = struct.unpack_from("<HL", tail, end + 10)
    if members > MOST_MEMBERS or length > _LARGEST_LIST or _LONG_END in tail[max(end - 20, 0) : end]:
        raise MemberError(f"it lists more than {MOST_MEMBERS} members, the most that a session has")


def _chunks(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """Up to one byte more than a member says it has."""
    left = size + 1
    while left > 0 and (chunk := stream.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk


def _scanned(data: bytes) -> dict[str, bytes]:
    """Members by name, packed and headed as they stand in the file, found one after the other from its beginning."""
    found: dict[str, bytes] = {}
    start = data.find(_SIGNATURE)
    while start >= 0 and len(found) < MOST_MEMBERS:
        after = data.find(_SIGNATURE, start + len(_SIGNATURE))
        if start + _HEADER.size <= len(data):
            _, _, _, _, _, _, _, packed, _, name_length, extra = _HEADER.unpack_from(data, start)
            begin = start + _HEADER.size + name_length + extra
            name = data[start + _HEADER.size : start + _HEADER.size + name_length].decode("utf-8", "replace")
            end = begin + packed
            whole = end <= len(data) and data[end : end + 2] in (b"PK", b"")
            after = data.find(_SIGNATURE, end if whole else begin)
            found.setdefault(name, data[start : end if whole else (after if after >= 0 else len(data))])
        start = after
    return found


def _inflated(member: bytes, most: int) -> bytes:
    """A member as `_scanned` found it, unpacked. Raises MemberError."""
    _, _, _, method, _, _, check, packed, size, name_length, extra = _HEADER.unpack_from(member)
    body = member[_HEADER.size + name_length + extra :][: packed or None]
    most = min(most, LARGEST_RATIO * max(len(body), 64))
    if method not in _METHODS:
        raise MemberError("it is packed in another way")
    try:
        data = body if method == zipfile.ZIP_STORED else zlib.decompressobj(-15).decompress(body, most + 1)
    except zlib.error as error:
        raise MemberError(f"it is damaged ({error})") from error
    if len(data) > most:
        raise MemberError("it unpacks to far more than it should")
    if len(data) != size or zlib.crc32(data) != check:
        raise MemberError("only a part of it is left")
    return data
