"""Reading session files: whatever of one can be read is opened, and what can't is named."""

import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from compiler.analysis.queries.graph_view_state import GraphLooks, read_looks
from compiler.analysis.session_file.session_data import (
    FORMAT,
    LOOKS,
    VERSION,
    Journal,
    Manifest,
    SessionData,
)
from compiler.analysis.session_file.session_members import MemberError, Members
from compiler.analysis.session_file.trusted_files import is_trusted
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import first_of
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.ir.stage import Stage
from compiler.model.session_file.checks import consistent
from compiler.model.session_file.collection_pause import collection_paused
from compiler.model.session_file.nesting import too_deep
from compiler.model.session_file.reading_limits import Meter, TooLargeError, is_too_large
from compiler.model.session_file.shared_decoding import SharingDecoder
from compiler.model.timing.timings import TimingReport
from compiler.model.timing.verdicts import Verdict

_MANIFEST = msgspec.json.Decoder(Manifest)
_CAPTURE: SharingDecoder[Capture] = SharingDecoder(Capture, msgspec.json.Decoder)
_STAGE: SharingDecoder[Stage] = SharingDecoder(Stage, msgspec.json.Decoder)
_STAGE_MEMBER = re.compile(r"captures/(\d{1,6})/(?:capture|stages/(\d{1,6}))\.json")
_UNREADABLE = (MemberError, *UNREADABLE)
_MOST_NAMED = 4
_MOST_FAULTS = 40
_MOST_CAPTURES, _MOST_STAGES = 1000, 20_000
_MOST_EDITS = 10_000
_MOST_ROWS = 20_000
"""Journals, verdicts or timing runs of a session; each is decoded and reported for itself."""
Watch = Callable[[str], None]
"""Is told how far the reading is, and may raise to stop it."""
_Row = TypeVar("_Row")


def nobody(_text: str) -> None:
    """Watches nothing."""


class SessionFileError(ValueError):
    """The file is not a session file, or nothing of it can be read. The message says why and what to do."""


def read_session(path: Path, watch: Watch = nobody, own: bool = False) -> SessionData:
    """Read a session file; what of it can't be read is named in `SessionData.left_out`. Raises SessionFileError for what is
    no session file, what costs too much, and where nothing can be read, and OSError. `own`: written here just now.
    """
    with _opened(path) as stream:
        return _read(path, stream, watch, 0.0 if own else None)


def read_with_digest(path: Path, watch: Watch = nobody) -> tuple[SessionData, str]:
    """The same, and what its contents are recognised by (`trusted_files`). What is trusted may be as large as it wants.

    The file is held while it is read: on disk somebody else may change it, and change it back.
    """
    with _opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if is_too_large(size) and not is_trusted(hashlib.file_digest(stream, "sha256").hexdigest()):
            return _read(path, stream, watch, None), ""  # which says so
        stream.seek(0)
        held = stream.read(size)
    digest = hashlib.sha256(held).hexdigest()
    return _read(path, io.BytesIO(held), watch, 0.0 if is_trusted(digest) else None), digest


def _opened(path: Path) -> io.BufferedReader:
    """Of a pipe or a device nobody knows where it ends."""
    path = Path(path)
    if path.exists() and not path.is_dir() and not path.is_file():
        raise SessionFileError(f"{path} is not a session file, but a pipe or a device.")
    return path.open("rb")


def _read(path: Path, stream: BinaryIO, watch: Watch, factor: float | None) -> SessionData:
    try:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        meter = Meter(size, factor, lambda done: watch(f"{done / 1e6:,.0f} MB"))
        with collection_paused():
            return _Reading(path, Members(stream, meter), watch).data()
    except SessionFileError:
        raise
    except TooLargeError as error:
        raise SessionFileError(f"{path} was not opened: {error}.") from error
    except _UNREADABLE as error:
        raise SessionFileError(f"{path} cannot be opened: {error}. Save or copy it again.") from error


class _Reading:
    """One file being read."""

    def __init__(self, path: Path, members: Members, watch: Watch) -> None:
        self._path = path
        self._watch = watch
        self._members = members
        self._left_out: list[str] = []
        self._shared = _STAGE.shared()
        if members.cut_short:
            self._left_out.append(
                f"the file is not whole ({members.cut_short}), and what is missing of it is lost. Copy it again if you can"
            )

    def data(self) -> SessionData:
        manifest = self._manifest()
        captures = self._captures(manifest)
        if not captures and (manifest.captures or self._left_out):
            why = self._left_out[0] if self._left_out else "it is empty"
            raise SessionFileError(
                f"{self._path} holds no capture that can be read: {why}. Save or copy it again."
            )
        known = {capture.id for capture in captures.values()}
        journals = self._journals(known, root_lost=bool(captures) and 0 not in captures)
        verdicts, timings = self._results(known)
        looks = self._looks()
        return SessionData(tuple(captures.values()), journals, verdicts, timings, looks, self._reported())

    def _reported(self) -> tuple[str, ...]:
        """What was left out; of very much the beginning."""
        reported = tuple(dict.fromkeys(self._left_out))
        more = (f"{len(reported) - _MOST_FAULTS} more parts",) if len(reported) > _MOST_FAULTS else ()
        return (*reported[:_MOST_FAULTS], *more)

    def _manifest(self) -> Manifest:
        found = self._found_stages()
        if not found and "manifest.json" not in self._members.names:
            if self._members.cut_short:
                reason = f"or only part of one ({self._members.cut_short}). Save or copy it again."
                raise SessionFileError(f"{self._path} is not a session file, {reason}")
            raise SessionFileError("The file is a zip, but not a session file.")
        manifest = self._decoded("manifest.json", "its list of contents", _MANIFEST.decode)
        guessed = Manifest(FORMAT, VERSION, len(found), tuple(found))
        if manifest is None:
            return guessed
        if manifest.format != FORMAT:
            raise SessionFileError("The file is a zip, but not a session file.")
        if manifest.version > VERSION:
            raise SessionFileError(
                f"The file was written by a newer Torch Loupe (format {manifest.version}, this one reads {VERSION}). "
                "Update, or save it again from the older version."
            )
        too_many = sum(count for count in manifest.stages if count > 0) > _MOST_STAGES
        too_many = too_many or len(manifest.stages) > _MOST_CAPTURES
        if manifest.captures != len(manifest.stages) or min(manifest.stages, default=0) < 0 or too_many:
            self._left_out.append("its list of contents: it contradicts itself")
            return guessed
        return manifest

    def _found_stages(self) -> list[int]:
        """How many stages each capture has, by the names of the members."""
        counts: dict[int, int] = {}
        for name in self._members.names:
            match = _STAGE_MEMBER.fullmatch(name)
            if match is not None:
                number = int(match[1])
                counts[number] = max(counts.get(number, 0), int(match[2]) + 1 if match[2] else 0)
        return [counts.get(number, 0) for number in range(min(max(counts, default=-1) + 1, _MOST_CAPTURES))]

    def _captures(self, manifest: Manifest) -> dict[int, Capture]:
        found = {}
        for number, count in enumerate(manifest.stages):
            which = f"capture {number + 1}" if manifest.captures > 1 else "the capture"
            ids = manifest.stage_ids[number] if number < len(manifest.stage_ids) else ()
            with self._members.ahead(_members_of(number, count)):
                head = self._decoded(_head_of(number), which, self._head)
                if head is None:
                    continue
                stages, lost = self._stages(number, count, ids, which)
            self._watch(f"checking {which}")
            capture, faults = consistent(msgspec.structs.replace(head, stages=tuple(stages)))
            reported = f" ({which})" if manifest.captures > 1 else ""
            # what led to a stage that is lost goes with it, and is reported with it
            self._left_out += [
                f"{fault}{reported}"
                for fault in faults
                if not any(name in fault for name in lost[:_MOST_FAULTS])
            ]
            found[number] = capture
        return found

    def _stages(
        self, number: int, count: int, ids: tuple[StageId, ...], which: str
    ) -> tuple[list[Stage], list[StageId]]:
        """The stages of a capture, and the ids of those that are lost, as far as they are known."""
        stages: list[Stage] = []
        lost: dict[str, list[str]] = {}
        for index in range(count):
            try:
                member = self._members.read(_stage_of(number, index))
                stages.append(_STAGE.decode(member, self._shared))
            except _UNREADABLE as error:
                lost.setdefault(str(error), []).append(ids[index] if index < len(ids) else f"{index + 1}")
        for why, names in lost.items():
            reported = f"the stage{'s' * (len(names) > 1)} {first_of(names, _MOST_NAMED)} of {which}"
            self._left_out.append(f"{reported}: {why}")
        return stages, [name for names in lost.values() for name in names if name in ids]

    def _head(self, data: bytes) -> Capture:
        return _CAPTURE.decode(data, self._shared)

    def _journals(self, known: set[CaptureId], root_lost: bool) -> tuple[Journal, ...]:
        rows = self._rows("journal.json", "edits", Journal, None)
        kept = []
        for row in rows:
            if (
                too_deep(row)
                or len(row.edits) > _MOST_EDITS
                or (row.tree and len(row.tree.states) > _MOST_EDITS)
            ):
                self._left_out.append(f"edits of {row.capture[:80]}: they are nested too deeply, or too many")
                continue
            if row.capture not in known or root_lost:
                self._left_out.append(f"edits of {row.capture}: what they were made on is lost")
                continue
            if not 0 <= row.undone <= len(row.edits):
                self._left_out.append(f"which edits of {row.capture} are undone: it contradicts itself")
                row = msgspec.structs.replace(row, undone=len(row.edits))
            kept.append(row)
        return tuple(kept)

    def _results(
        self, known: set[CaptureId]
    ) -> tuple[tuple[tuple[CaptureId, Verdict], ...], tuple[TimingReport, ...]]:
        verdicts = self._rows("results.json", "a verdict", tuple[CaptureId, Verdict], "verdicts")
        timings = self._rows("results.json", "a timing run", TimingReport, "timings")
        there = tuple(row for row in verdicts if row[0] in known)
        if len(there) < len(verdicts):
            self._left_out.append("verdicts on captures that are not there")
        return there, tuple(timings)

    def _looks(self) -> GraphLooks | None:
        """How the graphs were looked at. Older files do not say."""
        if LOOKS not in self._members.names:
            return None
        read = self._decoded(LOOKS, "how the graphs were looked at", read_looks)
        if read is None:
            return None
        self._left_out += read[1]
        return read[0]

    def _rows(self, name: str, what: str, kind: type[_Row], part: str | None) -> list[_Row]:
        """Rows of a member, or of a part of it, each read for itself."""

        def each(data: bytes) -> list[msgspec.Raw]:
            if part is None:
                return msgspec.json.decode(data, type=list[msgspec.Raw])
            parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
            return msgspec.json.decode(parts.get(part, b"[]"), type=list[msgspec.Raw])

        found: list[_Row] = []
        rows = self._decoded(name, f"{name.partition('.')[0]}, {what}", each) or ()
        if len(rows) > _MOST_ROWS:
            self._left_out.append(f"{what}: {len(rows):,} of them; a session has at most {_MOST_ROWS:,}")
            return found
        for raw in rows:
            try:
                found.append(_row(raw, kind))
            except _UNREADABLE as error:
                self._left_out.append(f"{what}: {error}")
        return found

    def _decoded(self, name: str, what: str, decode: Callable[[bytes], _Row]) -> _Row | None:
        try:
            return decode(self._members.read(name))
        except _UNREADABLE as error:
            self._left_out.append(f"{what}: {error}")
            return None


def _head_of(number: int) -> str:
    return f"captures/{number}/capture.json"


def _stage_of(number: int, index: int) -> str:
    return f"captures/{number}/stages/{index}.json"


def _members_of(number: int, count: int) -> Iterator[str]:
    """Those of a capture in the order in which they are read."""
    yield _head_of(number)
    yield from (_stage_of(number, index) for index in range(count))


def _row(raw: msgspec.Raw, kind: type[_Row]) -> _Row:
    """A row; where a number is infinite it is a word."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError:
        if not re.search(rb'"-?(inf|nan)"', bytes(raw)):
            raise
        return msgspec.json.decode(raw, type=kind, strict=False)
