"""What a file may cost to be read: a small file that says little in many words must not fill the memory or take minutes.

Counted is what grows when it is decoded: bytes, and *parts* (what stands between commas and brackets, and each escaped
character, since a line of text is more than its end). Measured on captures, a part takes 26 bytes of memory, at worst 100.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 20
VARIABLE = "LOUPE_FILE_LIMITS"
"""Multiplies every limit; ``none`` takes them away."""
_FREE_BYTES, _BYTES_A_BYTE, _MOST_BYTES = 64 << 20, 100, 2 << 30
_FREE_PARTS, _PARTS_A_BYTE, _MOST_PARTS = 1_000_000, 6, 48_000_000
_MOST_PLAIN, _MOST_PARTS_PLAIN = 64 << 20, 5_000_000
_NO_PARTS = bytes(set(range(256)) - set(b",[{\\"))


class TooLargeError(ValueError):
    """A file costs more to read than files of its size do. The message says which limit, and what to do."""


class ReadingStoppedError(Exception):
    """Whoever watches a reading wants no more of it."""


class Meter:
    """Counts what is decoded of one file, and stops what goes on and on. A factor of 0 is no limit, and parts are not counted."""

    def __init__(
        self, size: int, factor: float | None = None, watch: Callable[[int], None] = lambda _done: None
    ) -> None:
        """`size`: bytes of the file. `watch` is told how much was decoded so far, and may raise. Raises TooLargeError."""
        self._factor = factor_chosen() if factor is None else factor
        self._watch = watch
        if is_too_large(size, self._factor):
            raise TooLargeError(_reported(f"it is larger than {_MOST_BYTES * self._factor / 1e6:,.0f} MB"))
        self._most_bytes = min(_FREE_BYTES + _BYTES_A_BYTE * size, _MOST_BYTES) * self._factor
        self._most_parts = min(_FREE_PARTS + _PARTS_A_BYTE * size, _MOST_PARTS) * self._factor
        self.bytes = 0
        self.parts = 0

    @property
    def left(self) -> int:
        """Bytes that may still be decoded."""
        return int(self._most_bytes) - self.bytes if self._factor else 1 << 62

    def gather(self, chunks: Iterable[bytes]) -> bytes:
        """The chunks together, each counted before the next is asked for. Raises TooLargeError."""
        found = []
        for chunk in chunks:
            self.count(chunk)
            found.append(chunk)
        return b"".join(found)

    def count(self, chunk: bytes) -> None:
        """Count so much more. Raises TooLargeError."""
        self.bytes += len(chunk)
        self.parts += len(chunk.translate(None, _NO_PARTS)) if self._factor else 0
        self._watch(self.bytes)
        if self._factor and self.bytes > self._most_bytes:
            raise TooLargeError(_reported(f"it unpacks to more than {self._most_bytes / 1e6:,.0f} MB"))
        if self._factor and self.parts > self._most_parts:
            raise TooLargeError(_reported(f"it holds more than {self._most_parts / 1e6:,.1f} million values"))


def is_too_large(size: int, factor: float | None = None) -> bool:
    """Whether a file of so many bytes is not even looked at."""
    factor = factor_chosen() if factor is None else factor
    return bool(factor) and size > _MOST_BYTES * factor


def factor_chosen() -> float:
    """By what a person multiplies the limits; 1 where nothing sensible is said, 0 for no limits."""
    chosen = os.environ.get(VARIABLE, "")
    try:
        return 0.0 if chosen == "none" else max(float(chosen or 1), 1.0)
    except ValueError:
        return 1.0


def read_plain(path: Path) -> bytes:
    """What an unpacked file holds: a recipe, a journal, a description. Raises TooLargeError, and OSError."""
    with Path(path).open("rb") as stream:
        return read_stream(stream)


def read_stream(stream: BinaryIO) -> bytes:
    """The same of an open one, which may be a pipe without an end."""
    factor = factor_chosen()
    most = int(_MOST_PLAIN * factor)
    data = stream.read(most + 1 if factor else -1)
    if factor and len(data) > most:
        raise TooLargeError(_reported(f"it is larger than {most / 1e6:,.0f} MB"))
    if factor and len(data.translate(None, _NO_PARTS)) > _MOST_PARTS_PLAIN * factor:
        raise TooLargeError(
            _reported(f"it holds more than {_MOST_PARTS_PLAIN * factor / 1e6:,.0f} million values")
        )
    return data


def _reported(what: str) -> str:
    return (
        f"{what}, the limit for a file of its size. "
        f"If you know who made it and have the memory, set {VARIABLE}=4 (four times as much), or none"
    )
