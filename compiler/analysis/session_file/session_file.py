"""Session files (``.loupe``): a zip of JSON, versioned, written whole or not at all. Opening one runs no code.

Layout: ``manifest.json`` (format, version), ``journal.json`` (edits, with what is undone), ``results.json``,
``looks.json`` (what is hidden, filters, colours, kept views; older files have none), ``captures/<n>/capture.json``
(everything but the stages' contents), ``captures/<n>/stages/<m>.json`` (one stage each).

What somebody made comes first: if the end of a file is lost, it is stages that are lost with it. What can't be read, or
contradicts the rest, is left out and named; the rest opens.
"""

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from compiler.analysis.session_file.session_data import (
    FORMAT,
    LOOKS,
    VERSION,
    Journal,
    Manifest,
    SessionData,
)
from compiler.analysis.session_file.session_members import LARGEST_RATIO
from compiler.analysis.session_file.session_reading import SessionFileError, read_session, read_with_digest
from compiler.analysis.session_file.trusted_files import remember
from compiler.analysis.session_file.whole_files import require_replaceable

__all__ = ("Journal", "SessionData", "SessionFileError", "read_session", "read_with_digest", "write_session")

_ENCODER = msgspec.json.Encoder()


def write_session(path: Path, data: SessionData, own: bool = False) -> tuple[str, ...]:
    """Write a session file in one step: a reader sees the old file or the new one. It is read back before it takes its
    place; gives in words what of it could not be read again. `own`: its program was run here or may be, so nobody is asked
    when it is opened again. Raises OSError, and SessionFileError where nothing could be read back.
    """
    path = Path(path)
    require_replaceable(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        members = tuple(_members(data))
        with os.fdopen(handle, "w+b") as stream:
            trap = _archive(stream, members, frozenset())
            if trap:
                _archive(stream, members, trap)
            stream.flush()
            os.fsync(stream.fileno())
            stream.seek(0)
            digest = hashlib.file_digest(stream, "sha256").hexdigest() if own else ""
        faults = tuple(_read_back(Path(temporary), members))
        Path(temporary).replace(path)
        remember(digest)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return faults


def _archive(
    stream: BinaryIO, members: Iterable[tuple[str, bytes]], unpacked: frozenset[str]
) -> frozenset[str]:
    """Write the members, those of `unpacked` as they are. Gives those that pack so well that a reader would take them for
    a trap.
    """
    stream.seek(0)
    stream.truncate()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, content in members:
            archive.writestr(name, content, zipfile.ZIP_STORED if name in unpacked else None)
        return frozenset(
            row.filename
            for row in archive.infolist()
            if row.file_size > LARGEST_RATIO * max(row.compress_size, 64)
        )


def _read_back(path: Path, members: tuple[tuple[str, bytes], ...]) -> Iterator[str]:
    read = read_session(path, own=True)
    yield from read.left_out
    again = dict(_members(read))
    for name, content in members if not read.left_out else ():
        found = again.get(name)
        # 1 and 1.0 are the same number
        if found != content and (found is None or msgspec.json.decode(found) != msgspec.json.decode(content)):
            yield f"{name}: it reads back otherwise"


def _members(data: SessionData) -> Iterator[tuple[str, bytes]]:
    """Every member of the file, by name, in the order in which they stand there."""
    counts = tuple(len(capture.stages) for capture in data.captures)
    ids = tuple(tuple(stage.id for stage in capture.stages) for capture in data.captures)
    yield "manifest.json", _ENCODER.encode(Manifest(FORMAT, VERSION, len(data.captures), counts, ids))
    yield "journal.json", _ENCODER.encode(data.journals)
    results = {"verdicts": data.verdicts, "timings": data.timings}
    yield "results.json", _ENCODER.encode(_with_infinities(msgspec.to_builtins(results)))
    if data.looks is not None:
        yield LOOKS, _ENCODER.encode(data.looks)
    for number, capture in enumerate(data.captures):
        head = msgspec.structs.replace(capture, stages=())
        yield f"captures/{number}/capture.json", _ENCODER.encode(head)
        for index, stage in enumerate(capture.stages):
            yield f"captures/{number}/stages/{index}.json", _ENCODER.encode(stage)


def _with_infinities(value: object) -> object:
    """JSON has no infinity: where results are infinitely wrong, it is a word."""
    if isinstance(value, dict):
        return {key: _with_infinities(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_infinities(item) for item in value]
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return value
