"""The records of a structured log, one after the other: an envelope of JSON, and the text that belongs to it.

A log may be cut, mixed or forged. What cannot be read is counted and passed over; a record is bounded, and so is what is
held of it.
"""

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE

LONGEST_LINE = 32 << 20
"""Bytes of one line that are looked at."""
LONGEST_PAYLOAD = 64 << 20
"""Bytes of the text of one record that are kept."""
MOST_NAMED = 20
"""Broken lines of a log that are reported one by one."""
_PREFIX = re.compile(
    rb"[VIWEC](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{6}) (\d+)([^:]+):(\d+)\] (?=.)", re.DOTALL
)
_DAYS = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)

Json = dict[str, object]


@dataclass(slots=True)
class Record:
    """One record."""

    line: int
    """Where it begins, from 1."""
    envelope: Json
    payload: str | None
    digest: str
    """Of the payload, by torch's own count; empty where there is none."""
    stamp: float
    """Seconds since the year began, by the clock of the process."""
    process: int
    whole: bool = True
    """Its text is what torch wrote: neither cut nor changed."""


@dataclass
class Broken:
    """What could not be read."""

    prefixes: int = 0
    """Lines that do not begin as torch writes them."""
    envelopes: int = 0
    """Lines that are no JSON."""
    payloads: int = 0
    """Texts that are not those torch wrote."""
    too_long: int = 0
    """Lines and texts that are longer than any of torch."""
    named: list[str] = field(default_factory=list)
    ended: str = ""
    """Why reading stopped before the end; empty where it did not."""

    @property
    def count(self) -> int:
        """All together."""
        return self.prefixes + self.envelopes + self.payloads + self.too_long + bool(self.ended)

    def name(self, line: int, why: str) -> None:
        """Tell of a line, if not too many were reported already."""
        if len(self.named) < MOST_NAMED:
            self.named.append(f"line {line}: {why}")


def open_log(path: Path) -> tuple[BinaryIO, BinaryIO]:
    """(what to read lines from, the file on disk below it). Raises OSError."""
    raw = path.open("rb")
    magic = raw.peek(2)[:2]
    if magic == b"\x1f\x8b":
        return cast("BinaryIO", io.BufferedReader(gzip.GzipFile(fileobj=raw), 1 << 20)), raw
    return raw, raw


class LogReader:
    """Iterate over `records`; `broken`, `lines` and `bytes` grow meanwhile."""

    def __init__(self, stream: BinaryIO) -> None:
        self.broken = Broken()
        self.lines = 0
        self.bytes = 0
        self._stream = stream
        self._next: bytes | None = None

    def records(self) -> Iterator[Record]:
        """Every record that can be read, in order."""
        while (line := self._take()) is not None:
            at = self.lines
            if not line.strip(b"\n\r"):
                continue
            found = _PREFIX.search(line[:4096])
            if found is None:
                self.broken.prefixes += 1
                self.broken.name(at, "it does not begin as a line of torch's log")
                continue
            envelope = self._envelope(line[found.end() :], at)
            if envelope is not None:
                payload, digest, whole = self._payload(envelope, at)
                yield Record(at, envelope, payload, digest, _stamp(found), int(found[7][:18]), whole)

    def _envelope(self, text: bytes, at: int) -> Json | None:
        try:
            envelope = msgspec.json.decode(text)
        except UNREADABLE as error:
            self.broken.envelopes += 1
            self.broken.name(at, f"it is no JSON: {str(error)[:120]}")
            return None
        if not isinstance(envelope, dict):
            self.broken.envelopes += 1
            self.broken.name(at, "its JSON is no object")
            return None
        return envelope

    def _payload(self, envelope: Json, at: int) -> tuple[str | None, str, bool]:
        expected = envelope.get("has_payload")
        if expected is None:
            return None, "", True
        parts: list[bytes] = []
        kept, first, long = 0, True, False
        digest = hashlib.md5(usedforsecurity=False)
        while (line := self._take()) is not None:
            if not line.startswith(b"\t"):
                if line.strip(b"\n\r"):
                    self._next = line
                    self.lines -= 1
                    break
                continue
            text = line[1:].rstrip(b"\n")
            text = text.removesuffix(b"\r")
            digest.update(text if first else b"\n" + text)
            first = False
            if kept + len(text) < LONGEST_PAYLOAD:
                parts.append(text)
                kept += len(text) + 1
            else:
                long = True
        whole = digest.hexdigest() == expected
        if long:
            self.broken.too_long += 1
            self.broken.name(at, f"its text is longer than {LONGEST_PAYLOAD >> 20} MiB; the rest is left out")
        elif not whole:
            self.broken.payloads += 1
            self.broken.name(at, "its text is not the one that torch wrote: cut, or changed")
        text_ = b"\n".join(parts).decode("utf-8", "replace")
        return text_, digest.hexdigest(), whole and not long

    def _take(self) -> bytes | None:
        if self._next is not None:
            line, self._next = self._next, None
            self.lines += 1
            return line
        try:
            line = self._stream.readline(LONGEST_LINE)
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                self._skip_line()
        except (OSError, EOFError, zlib.error) as error:
            self.broken.ended = f"the file cannot be read on: {error}"
            self.broken.name(self.lines + 1, self.broken.ended)
            return None
        self.bytes += len(line)
        if not line:
            return None
        self.lines += 1
        return line

    def _skip_line(self) -> None:
        self.broken.too_long += 1
        self.broken.name(self.lines + 1, f"it is longer than {LONGEST_LINE >> 20} MiB")
        while (rest := self._stream.readline(1 << 20)) and not rest.endswith(b"\n"):
            self.bytes += len(rest)


def _stamp(found: re.Match[bytes]) -> float:
    month, day, hour, minute, second, micro = (int(part) for part in found.groups()[:6])
    days = _DAYS[month] if month <= 12 else 0
    return ((days + day) * 24 + hour) * 3600.0 + minute * 60 + second + micro * 1e-6
